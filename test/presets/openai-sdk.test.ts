import OpenAI, { toFile } from 'openai';
import { describe, expect, test } from 'vitest';
import type { PresetRecording } from '../fixtures/preset-recording.ts';
import { IMAGES, IMAGES_STREAM } from '../fixtures/presets/openai-images.ts';
import { IMAGE_TO_VIDEO, TEXT_TO_VIDEO } from '../fixtures/presets/openai-videos.ts';
import { MEDIA } from '../fixtures/recorded-provider.ts';
import {
  CLIENTS_DIFFER,
  type Explained,
  recordExchange,
  recordPreset,
  STAINLESS_TELEMETRY,
  unexplained,
} from '../fixtures/sdk-comparison.ts';

/** Whatever is asked for. */
const DIFFERENCES: readonly Explained[] = [
  ...CLIENTS_DIFFER,
  STAINLESS_TELEMETRY,
  {
    at: 'header accept',
    official: 'application/json',
    ours: '*/*',
    because: 'these endpoints have one answer each, and a stream is asked for in the body, by both',
  },
];

/** Of downloads of videos. */
const VIDEOS_DIFFER: Explained = {
  at: 'header accept',
  official: 'application/binary',
  ours: 'video/*, application/binary;q=0.9',
  because: 'their specification has video/mp4 here, which their client is given too',
};

/** What the official client sends for what a recording asks. */
type Official = (client: OpenAI) => Promise<unknown>;

const CALLS: readonly (readonly [PresetRecording, Official])[] = [
  [
    IMAGES,
    (client) =>
      client.images.generate({
        prompt: IMAGES.asks.prompt,
        model: 'gpt-image-2',
        size: '1536x1024',
        quality: 'low',
        background: 'auto',
        moderation: 'auto',
        output_format: 'png',
      }),
  ],
  [
    IMAGES_STREAM,
    async (client) => {
      const stream = await client.images.generate({
        prompt: IMAGES_STREAM.asks.prompt,
        model: 'gpt-image-2',
        size: '1536x1024',
        quality: 'low',
        background: 'auto',
        moderation: 'auto',
        output_format: 'png',
        stream: true,
        partial_images: 2,
      });
      const events: string[] = [];
      for await (const { type } of stream) events.push(type);
      expect(events.at(-1)).toBe('image_generation.completed');
    },
  ],
  [TEXT_TO_VIDEO, (client) => makeVideo(client, {})],
  [
    IMAGE_TO_VIDEO,
    async (client) => {
      const { bytes, mime } = MEDIA.png;
      return makeVideo(client, { input_reference: await toFile(bytes, 'in.png', { type: mime }) });
    },
  ],
];

describe('the official client of OpenAI', () => {
  test.each(CALLS)('the official client of OpenAI sends what the preset $preset sends', async (recording, official) => {
    const { replies } = recording.pending ?? recording.success;
    const theirs = await recordExchange(
      (url) => official(new OpenAI({ baseURL: `${url}/v1`, apiKey: recording.secrets.OPENAI_API_KEY })),
      replies,
      recording.media,
    );
    const ours = await recordPreset(recording, replies);
    expect(ours.length).toBeGreaterThan(0);
    expect(
      await unexplained(theirs, ours, recording.media === 'mp4' ? [...DIFFERENCES, VIDEOS_DIFFER] : DIFFERENCES),
    ).toEqual([]);
  });
});

/** Asks for a video, asks after it until it is done, and downloads it. */
async function makeVideo(client: OpenAI, more: Partial<OpenAI.VideoCreateParams>): Promise<void> {
  const { id } = await client.videos.create({
    prompt: TEXT_TO_VIDEO.asks.prompt,
    model: 'sora-2',
    seconds: '8',
    size: '1280x720',
    ...more,
  });
  while ((await client.videos.retrieve(id)).status !== 'completed');
  const content = await client.videos.downloadContent(id);
  expect(Buffer.from(await content.arrayBuffer()).equals(MEDIA.mp4.bytes)).toBe(true);
}
