import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { loadTargetFile } from '../../src/prepare/load-target.ts';
import { callPreset, presetContract } from '../contracts/preset.ts';
import { INTERRUPTED, RECORDINGS, REMEMBERED, TEXT_TO_IMAGE } from '../fixtures/presets/comfyui.ts';
import { serveRecorded } from '../fixtures/recorded-provider.ts';

for (const recording of RECORDINGS) presetContract(recording);

describe('a graph of ComfyUI', () => {
  test.each([
    ['that was stopped', INTERRUPTED, { code: 'execution_interrupted', message: 'KSampler' }],
    ['that was answered from memory', REMEMBERED, { code: 'execution_cached', message: 'execution_cached' }],
  ])('a graph of ComfyUI with %s is no generation', async (_what, replies, error) => {
    const folder = fileURLToPath(new URL('../../suites/targets/comfyui', import.meta.url));
    const loaded = await loadTargetFile(`${folder}/text-to-image.yaml`, { env: {}, cwd: folder });
    if (!loaded.ok) throw new Error('the preset was not read');
    const provider = await serveRecorded(replies, 'png');
    const { result } = await callPreset(TEXT_TO_IMAGE, loaded.value, provider);
    expect(result).toMatchObject({ outcome: 'error', error });
  });
});
