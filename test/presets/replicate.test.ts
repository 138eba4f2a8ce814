import { presetContract } from '../contracts/preset.ts';
import { RECORDINGS } from '../fixtures/presets/replicate.ts';

for (const recording of RECORDINGS) presetContract(recording);
