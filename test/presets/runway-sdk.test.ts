import RunwayML from '@runwayml/sdk';
import { describe, expect, test } from 'vitest';
import type { PresetRecording } from '../fixtures/preset-recording.ts';
import { IMAGE_TO_VIDEO, TEXT_TO_IMAGE, TEXT_TO_VIDEO } from '../fixtures/presets/runway.ts';
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
    because: 'the API has one answer, JSON',
  },
];

/** What the official client sends for what a recording asks; gives the id of the task. */
type Official = (client: RunwayML) => Promise<{ readonly id: string }>;

const CALLS: readonly (readonly [PresetRecording, Official])[] = [
  [
    TEXT_TO_IMAGE,
    (client) =>
      client.textToImage.create({
        model: 'gen4_image',
        promptText: 'a red fox in snow',
        ratio: '1080:1920',
        seed: 4_294_967_295,
      }),
  ],
  [
    TEXT_TO_VIDEO,
    (client) =>
      client.textToVideo.create({
        model: 'gen4.5',
        promptText: 'waves at dusk',
        ratio: '1280:720',
        duration: 8,
        seed: 7,
      }),
  ],
  [
    IMAGE_TO_VIDEO,
    (client) =>
      client.imageToVideo.create({
        model: 'gen4_turbo',
        promptText: 'the fox looks up',
        promptImage: `data:image/png;base64,${MEDIA.png.bytes.toString('base64')}`,
        ratio: '1584:672',
        duration: 5,
        contentModeration: { publicFigureThreshold: 'low' },
      }),
  ],
];

describe('the official client of Runway', () => {
  test.each(CALLS)('the official client of Runway sends what the preset $preset sends', async (recording, official) => {
    const { replies } = recording.pending ?? recording.success;
    const theirs = await recordExchange(
      async (url) => {
        const client = new RunwayML({ baseURL: url, apiKey: recording.secrets.RUNWAYML_API_SECRET, maxRetries: 0 });
        const { id } = await official(client);
        // Its own `waitForTaskOutput` asks the same, once in six seconds.
        while ((await client.tasks.retrieve(id)).status !== 'SUCCEEDED');
      },
      replies,
      recording.media,
    );
    const ours = await recordPreset(recording, replies);
    expect(ours.map(({ method }) => method)).toEqual(['POST', 'GET', 'GET', 'GET', 'GET']);
    expect(await unexplained(theirs, ours, DIFFERENCES)).toEqual([]);
  });
});
