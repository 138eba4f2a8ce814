import { presetContract } from '../contracts/preset.ts';
import { RECORDINGS } from '../fixtures/presets/sglang.ts';

for (const recording of RECORDINGS) presetContract(recording);
