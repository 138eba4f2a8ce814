import { presetContract } from '../contracts/preset.ts';
import { RECORDINGS } from '../fixtures/presets/together.ts';

for (const recording of RECORDINGS) presetContract(recording);
