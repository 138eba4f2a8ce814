import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { loadTargetFile } from '../../src/prepare/load-target.ts';
import type { Target } from '../../src/targets/model/target.ts';
import { callPreset, presetContract } from '../contracts/preset.ts';
import type { PresetRecording, RecordedReply } from '../fixtures/preset-recording.ts';
import * as images from '../fixtures/presets/google-images.ts';
import * as videos from '../fixtures/presets/google-videos.ts';
import { MEDIA, serveRecorded } from '../fixtures/recorded-provider.ts';
import { bytesOf } from '../targets/call/calling.ts';

const PRESETS = fileURLToPath(new URL('../../suites/targets', import.meta.url));

for (const recording of [...images.RECORDINGS, ...videos.RECORDINGS]) presetContract(recording);

describe('the link to a video of Veo', () => {
  const recording = videos.VEO_TEXT_TO_VIDEO;
  const { replies } = recording.success;

  test('the link to a video of Veo is asked with the key, which it needs', async () => {
    const provider = await serveRecorded(replies, 'mp4');
    const { result } = await callPreset(recording, await loadPreset(recording), provider);
    expect(result.outcome).toBe('ok');
    const last = provider.api.seen.at(-1);
    expect(`${last?.method} ${last?.url}`).toBe(videos.DOWNLOAD);
    expect(last?.headers['x-goog-api-key']).toBe(recording.secrets.GEMINI_API_KEY);
  });

  test('the link to a video of Veo redirects to another host, which does not get the key', async () => {
    const moved: RecordedReply = { status: 302, headers: { location: '{media}/moved/output.mp4' }, text: '' };
    const provider = await serveRecorded({ ...replies, [videos.DOWNLOAD]: [moved] }, 'mp4');
    const { result } = await callPreset(recording, await loadPreset(recording), provider);
    expect(bytesOf(result)).toEqual([[...MEDIA.mp4.bytes]]);
    expect(provider.media.seen.map(({ url }) => url)).toEqual(['/moved/output.mp4']);
    expect(JSON.stringify(provider.media.seen)).not.toContain(recording.secrets.GEMINI_API_KEY);
  });

  test('the link to a video of Veo may lead elsewhere at once, and takes no key there', async () => {
    const elsewhere = { name: 'x', done: true, response: response('{media}/files/1:download?alt=media') };
    const polled = Object.entries(replies).filter(([key]) => key.startsWith('POST'));
    const provider = await serveRecorded(
      { ...Object.fromEntries(polled), 'GET *': [{ status: 200, json: elsewhere }] },
      'mp4',
    );
    const { result } = await callPreset(recording, await loadPreset(recording), provider);
    expect(result.outcome).toBe('ok');
    expect(provider.media.seen).toHaveLength(1);
    expect(JSON.stringify(provider.media.seen)).not.toContain(recording.secrets.GEMINI_API_KEY);
  });
});

describe('the refusals of Google', () => {
  test('an account without credit is told from a quota', async () => {
    const reply = images.googleError(429, 'RESOURCE_EXHAUSTED', 'Your prepayment credits are depleted.');
    expect((await answerTo(images.GEMINI_IMAGE, reply)).outcome).toBe('no_credit');
  });

  test('a prompt that is blocked is moderated', async () => {
    const json = { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' }, responseId: 'r', modelVersion: 'm' };
    const result = await answerTo(images.GEMINI_IMAGE, { status: 200, json });
    expect(result).toMatchObject({ outcome: 'moderated', error: { code: 'PROHIBITED_CONTENT' } });
  });

  test('a reply without an image says why', async () => {
    const result = await answerTo(images.GEMINI_IMAGE, images.generated({ content: {}, finishReason: 'NO_IMAGE' }));
    expect(result).toMatchObject({ outcome: 'error', error: { code: 'NO_IMAGE' } });
  });

  test('an interaction that is not completed is an error', async () => {
    const result = await answerTo(videos.OMNI_TEXT_TO_VIDEO, { status: 200, json: { id: 'v1', status: 'failed' } });
    expect(result).toMatchObject({ outcome: 'error', error: { code: 'failed' } });
  });
});

function response(uri: string) {
  return { generateVideoResponse: { generatedSamples: [{ video: { uri } }] } };
}

async function answerTo(recording: PresetRecording, reply: RecordedReply) {
  const provider = await serveRecorded({ 'POST *': [reply] }, recording.media);
  const { result } = await callPreset(recording, await loadPreset(recording), provider, { onThrottle: 'fail' });
  return result;
}

async function loadPreset({ preset }: PresetRecording): Promise<Target> {
  const loaded = await loadTargetFile(`${PRESETS}/${preset}.yaml`, { env: {}, cwd: PRESETS });
  if (!loaded.ok) throw new Error(`${preset} does not load`);
  return loaded.value;
}
