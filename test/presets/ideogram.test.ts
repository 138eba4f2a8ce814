import { presetContract } from '../contracts/preset.ts';
import { RECORDINGS } from '../fixtures/presets/ideogram.ts';

for (const recording of RECORDINGS) presetContract(recording);
