import LumaAI from 'lumaai';
import { describe, expect, test } from 'vitest';
import type { PresetRecording } from '../fixtures/preset-recording.ts';
import { PHOTON_1, RAY_2 } from '../fixtures/presets/luma.ts';
import {
  type Explained,
  recordExchange,
  recordPreset,
  STAINLESS_TELEMETRY,
  unexplained,
} from '../fixtures/sdk-comparison.ts';

/** Whatever is asked for. */
const DIFFERENCES: readonly Explained[] = [
  { at: 'header user-agent', ours: 'retake', because: 'each says who it is' },
  {
    at: 'header accept-encoding',
    official: 'gzip,deflate', // of node-fetch
    ours: 'identity',
    because: 'unpacking would be part of the time that is measured',
  },
  STAINLESS_TELEMETRY,
  {
    at: 'header accept',
    official: 'application/json',
    ours: '*/*',
    because: 'the API has one answer, JSON',
  },
];

/** What the official client sends for what a recording asks. */
type Official = (client: LumaAI) => Promise<LumaAI.Generation>;

const CALLS: readonly (readonly [PresetRecording, Official])[] = [
  [
    PHOTON_1,
    (client) =>
      client.generations.image.create({
        model: 'photon-flash-1',
        prompt: 'a red fox in snow',
        aspect_ratio: '4:3',
        format: 'png',
      }),
  ],
  [
    RAY_2,
    (client) =>
      client.generations.video.create({
        model: 'ray-2',
        prompt: 'waves at dusk',
        aspect_ratio: '21:9',
        duration: '9s',
        resolution: '720p',
        loop: false,
      }),
  ],
];

describe('the official client of Luma', () => {
  test.each(CALLS)('the official client of Luma sends what the preset $preset sends', async (recording, official) => {
    const { replies } = recording.pending ?? recording.success;
    const theirs = await recordExchange(
      async (url) => {
        const baseURL = `${url}/dream-machine/v1`;
        const client = new LumaAI({ baseURL, authToken: recording.secrets.LUMAAI_API_KEY, maxRetries: 0 });
        const { id = '' } = await official(client);
        while ((await client.generations.get(id)).state !== 'completed');
      },
      replies,
      recording.media,
    );
    const ours = await recordPreset(recording, replies);
    expect(ours.map(({ method }) => method)).toEqual(['POST', 'GET', 'GET', 'GET', 'GET']);
    expect(await unexplained(theirs, ours, DIFFERENCES)).toEqual([]);
  });
});
