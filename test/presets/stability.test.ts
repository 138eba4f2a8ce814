import { presetContract } from '../contracts/preset.ts';
import { RECORDINGS } from '../fixtures/presets/stability.ts';

for (const recording of RECORDINGS) presetContract(recording);
