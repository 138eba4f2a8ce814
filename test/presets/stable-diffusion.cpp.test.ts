import { presetContract } from '../contracts/preset.ts';
import { RECORDINGS } from '../fixtures/presets/stable-diffusion.cpp.ts';

for (const recording of RECORDINGS) presetContract(recording);
