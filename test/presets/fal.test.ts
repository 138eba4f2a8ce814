import { expect, test } from 'vitest';
import { callPreset } from '../fixtures/called-preset.ts';
import { recordingOf, repliesOf } from '../fixtures/preset-recording.ts';
import { MEDIA } from '../fixtures/recorded-provider.ts';
import { bytesOf } from '../targets/call/calling.ts';

const LCM = recordingOf('fal/fast-lcm-diffusion');
const ANSWER = 'GET /fal-ai/fast-lcm-diffusion/requests/764cabcf-b745';

test('an image that fal puts into its answer (sync_mode) is taken from there, and not downloaded', async () => {
  const inside = { status: 200, json: { images: [{ url: '{data_uri}' }], seed: 42, has_nsfw_concepts: [false] } };
  const asked = { ...LCM, const: { ...LCM.const, sync_mode: true } };
  const { result, provider } = await callPreset(asked, repliesOf(LCM, { later: { [ANSWER]: inside } }));
  expect(bytesOf(result)).toEqual([[...MEDIA.png.bytes]]);
  expect(provider.api.seen[0]?.body).toContain('"sync_mode":true');
  expect(provider.media.seen).toEqual([]);
});
