import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/kit/json.ts';
import { loadPreset, resolvePreset } from '../fixtures/called-preset.ts';
import { recordingOf } from '../fixtures/preset-recording.ts';

type Asked = { readonly const?: JsonObject; readonly inputs?: JsonObject };

async function told(preset: string, { const: constants = {}, inputs }: Asked) {
  const recording = recordingOf(preset);
  const asked = { ...recording, const: constants, inputs: inputs ?? recording.inputs };
  const resolved = resolvePreset(asked, await loadPreset(preset));
  if (!resolved.ok) return resolved.diagnostics.map(({ cause }) => cause);
  return (resolved.warnings ?? []).map(({ cause, remedy }) => `${cause}; ${remedy}`);
}

describe('what a provider ended, on 2026-11-28', () => {
  test.each([
    ['xai/images', 'grok-imagine-image-quality', 'ended on 2026-11-02; use grok-imagine-image-2.0'],
    ['xai/images', 'grok-imagine-image-pro', 'ended on 2026-05-15; use grok-imagine-image-2.0'],
    [
      'byteplus/seedance-text-to-video',
      'seedance-1-5-pro-251215',
      'ended on 2026-11-11; use dreamina-seedance-2-0-mini-260615',
    ],
    [
      'byteplus/seedance-image-to-video',
      'seedance-1-5-pro-251215',
      'ended on 2026-11-11; use dreamina-seedance-2-0-mini-260615',
    ],
    ['minimax/text-to-video', 'T2V-01-Director', 'is deprecated; use MiniMax-Hailuo-2.3'],
    ['minimax/image-to-video', 'I2V-01-live', 'is deprecated; use MiniMax-Hailuo-2.3'],
    ['luma/photon-1', 'photon-1', 'is deprecated; see which model its provider names in its place'],
    ['luma/ray-2', 'ray-flash-2', 'is deprecated; see which model its provider names in its place'],
  ])('%s: the model %s %s', async (preset, model, words) => {
    expect(await told(preset, { const: { model } })).toEqual([`"standard": its model ${model} ${words}`]);
  });
});

describe('what a provider takes', () => {
  test.each<[string, Asked]>([
    ['xai/images', { const: { model: 'grok-imagine-image-2.0', quality: 'auto' }, inputs: { size: '21:9' } }],
    ['alibaba/qwen-image', { const: { model: 'qwen-image-2.1-pro' } }],
    ['alibaba/wan-3.0-text-to-video', { const: { model: 'wan3.0-video-prime' }, inputs: { seconds: 30 } }],
    ['alibaba/wan-image-to-video', { const: { model: 'wan3.0-video-prime' }, inputs: { seconds: 30 } }],
    ['alibaba/wan-text-to-video', { inputs: { seconds: 15 } }],
    ['byteplus/seedance-text-to-video', { const: { resolution: '4k' }, inputs: { seconds: 15 } }],
    ['byteplus/seedance-2.5-text-to-video', { const: { resolution: '4k' }, inputs: { seconds: 30, size: 'adaptive' } }],
    ['byteplus/seedream', { const: { model: 'seedream-5-5-261028' } }],
    ['byteplus/seedream-edit', { const: { model: 'seedream-5-5-261028' } }],
    ['openai/image-edit', { const: { model: 'gpt-image-2.6-flare', complexity: 'high' } }],
  ])('%s takes %j without a word', async (preset, asked) => {
    expect(await told(preset, asked)).toEqual([]);
  });

  test.each<[string, Asked, string]>([
    ['xai/images', { const: { quality: 'high' } }, 'quality of xai/images is "high", which its target does not know'],
    ['runway/text-to-image', { const: { model: 'gen4_image_turbo' } }, 'which its target does not know'],
    ['alibaba/wan-text-to-video', { inputs: { seconds: 16 } }, 'seconds'],
    ['alibaba/wan-text-to-video', { const: { resolution: '480P' } }, 'resolution'],
    ['byteplus/seedance-text-to-video', { inputs: { seconds: 16 } }, 'seconds'],
    ['byteplus/seedance-text-to-video', { inputs: { size: '9:21' } }, 'size'],
    ['byteplus/seedance-2.5-text-to-video', { inputs: { seconds: 31 } }, 'seconds'],
    ['byteplus/seedance-2.5-image-to-video', { inputs: { size: '16:9' } }, 'size'],
  ])('%s does not take %j silently', async (preset, asked, word) => {
    expect(await told(preset, asked)).toEqual([expect.stringContaining(word)]);
  });
});

test.each<[string, JsonObject, number | null]>([
  ['ideogram/ideogram-v3', { rendering_speed: 'FLASH' }, 0.03],
  ['ideogram/ideogram-v3', { rendering_speed: 'TURBO', num_images: 4 }, 0.03],
  ['ideogram/ideogram-v3', {}, 0.06],
  ['ideogram/ideogram-v3', { rendering_speed: 'QUALITY' }, 0.09],
  ['ideogram/ideogram-v3', { rendering_speed: 'BALANCED' }, null],
  ['ideogram/ideogram-4', { rendering_speed: 'turbo' }, 0.03],
  ['ideogram/ideogram-4', {}, 0.06],
  ['ideogram/ideogram-4', { rendering_speed: 'quality' }, 0.1],
  ['ideogram/ideogram-4.5', { quality: 'low' }, 0.03],
  ['ideogram/ideogram-4.5', {}, 0.1],
  ['ideogram/ideogram-4.5-edit', { quality: 'very_low' }, 0.008],
  ['ideogram/ideogram-4.5-edit', {}, 0.06],
  ['ideogram/ideogram-4.5-edit', { quality: 'high' }, 0.22],
  ['ideogram/anime-image', { model: 'V_2A_TURBO' }, 0.025],
  ['byteplus/seedream', { model: 'seedream-5-5-261028' }, 0.035],
  ['byteplus/seedream', { model: 'dola-seedream-5-0-pro-260628' }, 0.09],
  ['byteplus/seedream', {}, 0.035],
  ['byteplus/seedream-edit', {}, 0.035],
  ['byteplus/seedream-edit', { model: 'seedream-5-5-261028' }, null],
])('%s with %j costs %s USD an image', async (preset, constants, usd) => {
  const resolved = resolvePreset({ ...recordingOf(preset), const: constants }, await loadPreset(preset));
  expect(resolved).toMatchObject({ ok: true, value: [{ price: usd === null ? null : { usd } }] });
});

test.each(['text-to-image', 'text-to-video', 'image-to-video'])(
  'runway/%s offers each model of the official client that wants no more than it sends',
  async (name) => {
    const types = readFileSync(new URL(`../../node_modules/@runwayml/sdk/resources/${name}.d.ts`, import.meta.url));
    // One interface a model; what it wants has no question mark.
    const models = types
      .toString()
      .split(/^ {4}interface /m)
      .flatMap((part) => {
        const own = part.split(/^ {4}\}/m)[0] ?? '';
        const [, model] = /^ {8}model: '(.+)';/m.exec(own) ?? [];
        return model === undefined || /^ {8}referenceImages: /m.test(own) ? [] : [model];
      });
    const { constTypes } = await loadPreset(`runway/${name}`);
    const type = constTypes.model;
    expect(type !== undefined && 'known' in type ? type.known.toSorted() : []).toEqual(models.toSorted());
  },
);
