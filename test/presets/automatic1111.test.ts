import { presetContract } from '../contracts/preset.ts';
import { RECORDINGS } from '../fixtures/presets/automatic1111.ts';

for (const recording of RECORDINGS) presetContract(recording);
