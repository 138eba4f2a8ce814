import Replicate from 'replicate';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/suite/document/json.ts';
import type { PresetRecording } from '../fixtures/preset-recording.ts';
import { FLUX_DEV, FLUX_SCHNELL, SDXL_LIGHTNING, WAN_IMAGE, WAN_TEXT } from '../fixtures/presets/replicate.ts';
import { withImage } from '../fixtures/recorded-provider.ts';
import {
  CLIENTS_DIFFER,
  type Explained,
  recordExchange,
  recordPreset,
  unexplained,
} from '../fixtures/sdk-comparison.ts';

/* The presets of Replicate beside its official client, `replicate` 1.4.0: a call that is submitted, polled and done. */

const DIFFER: readonly Explained[] = [
  ...CLIENTS_DIFFER,
  {
    on: 'GET',
    at: 'header content-type',
    official: 'application/json',
    ours: null,
    because: 'the client names the type of a body also where it sends none',
  },
];
const BLOCKS: Explained = {
  on: 'POST',
  at: 'header prefer',
  official: 'wait',
  ours: null,
  because:
    '`run` lets the server hold the reply for up to a minute; polling tells when a job began and when it was done',
};

type Model = `${string}/${string}`;

const CASES: readonly (readonly [Model, PresetRecording])[] = [
  ['black-forest-labs/flux-schnell', FLUX_SCHNELL],
  ['black-forest-labs/flux-dev', FLUX_DEV],
  ['bytedance/sdxl-lightning-4step:6f7a773af6fc3e8de9d5a3c00be77c17308914bf67772726aff83496ba1e3bbe', SDXL_LIGHTNING],
  ['wan-video/wan-2.2-t2v-fast', WAN_TEXT],
  ['wan-video/wan-2.2-i2v-fast', WAN_IMAGE],
];

describe.each(CASES)('%s', (model, recording) => {
  const { replies } = recording.pending ?? recording.success;

  test('the preset sends what `run` sends when it polls', async () => {
    const ours = await recordPreset(recording);
    const theirs = await recordExchange(
      (url) => clientOf(recording, url).run(model, { input: inputOf(recording), wait: { mode: 'poll', interval: 1 } }),
      replies,
      recording.media,
    );
    expect(ours.map(({ method }) => method)).toEqual(['POST', 'GET', 'GET', 'GET']);
    expect(await unexplained(theirs, ours, DIFFER)).toEqual([]);
  });

  test('the preset sends what `run` sends by default, but for the wish to wait', async () => {
    const ours = await recordPreset(recording);
    const theirs = await recordExchange(
      (url) => clientOf(recording, url).run(model, { input: inputOf(recording), wait: { mode: 'block' } }),
      replies,
      recording.media,
    );
    expect(await unexplained(theirs, ours, [...DIFFER, BLOCKS])).toEqual([]);
  });
});

function clientOf({ secrets }: PresetRecording, url: string): Replicate {
  return new Replicate({ auth: secrets.REPLICATE_API_TOKEN ?? '', baseUrl: `${url}/v1` });
}

/**
 * The input as a caller of the client writes it, an image as a data URI: given as a file it would be uploaded first, in
 * a request of its own, and `fileEncodingStrategy: 'data-uri'` of 1.4.0 sends the client's own members in its place.
 */
function inputOf({ submit }: PresetRecording): object {
  const body = withImage(submit.body);
  return 'json' in body ? ((body.json as JsonObject).input as JsonObject) : {};
}
