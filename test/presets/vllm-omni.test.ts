import { presetContract } from '../contracts/preset.ts';
import { RECORDINGS } from '../fixtures/presets/vllm-omni.ts';

for (const recording of RECORDINGS) presetContract(recording);
