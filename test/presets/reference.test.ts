import { presetContract } from '../contracts/preset.ts';
import { RECORDINGS } from '../fixtures/presets/reference.ts';

for (const recording of RECORDINGS) presetContract(recording);
