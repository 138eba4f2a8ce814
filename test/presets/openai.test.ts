import { presetContract } from '../contracts/preset.ts';
import { RECORDINGS as IMAGES } from '../fixtures/presets/openai-images.ts';
import { RECORDINGS as VIDEOS } from '../fixtures/presets/openai-videos.ts';

for (const recording of [...IMAGES, ...VIDEOS]) presetContract(recording);
