import { expect, test } from 'vitest';
import { callPreset } from '../fixtures/called-preset.ts';
import { recordingOf, repliesOf } from '../fixtures/preset-recording.ts';
import { MEDIA } from '../fixtures/recorded-provider.ts';
import { bytesOf } from '../targets/call/calling.ts';

const VEO = recordingOf('google/veo-text-to-video');
const KEY = VEO.secrets.GEMINI_API_KEY ?? '';
const DOWNLOAD = 'GET /v1beta/files/s3rfp6hgl6s0:download?alt=media';

test('the link to a video of Veo is asked with the key, which it needs', async () => {
  const { result, provider } = await callPreset(VEO, repliesOf(VEO));
  expect(result.outcome).toBe('ok');
  const last = provider.api.seen.at(-1);
  expect(`${last?.method} ${last?.url}`).toBe(DOWNLOAD);
  expect(last?.headers['x-goog-api-key']).toBe(KEY);
});

test('the link to a video of Veo redirects to another host, which does not get the key', async () => {
  const moved = { status: 302, headers: { location: '{media}/moved/output.mp4' }, text: '' };
  const { result, provider } = await callPreset(VEO, repliesOf(VEO, { later: { [DOWNLOAD]: moved } }));
  expect(bytesOf(result)).toEqual([[...MEDIA.mp4.bytes]]);
  expect(provider.media.seen.map(({ url }) => url)).toEqual(['/moved/output.mp4']);
  expect(JSON.stringify(provider.media.seen)).not.toContain(KEY);
});

test('the link to a video of Veo may lead elsewhere at once, and takes no key there', async () => {
  const video = { uri: '{media}/files/1:download?alt=media' };
  const response = { generateVideoResponse: { generatedSamples: [{ video }] } };
  const polls = [{ status: 200, json: { name: 'x', done: true, response } }];
  const { result, provider } = await callPreset(VEO, repliesOf(VEO, { polls }));
  expect(result.outcome).toBe('ok');
  expect(provider.media.seen).toHaveLength(1);
  expect(JSON.stringify(provider.media.seen)).not.toContain(KEY);
});
