import { readFileSync } from 'node:fs';
import RunwayML from '@runwayml/sdk';
import LumaAI from 'lumaai';
import OpenAI, { toFile } from 'openai';
import Replicate from 'replicate';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/kit/json.ts';
import { questionFor } from '../fixtures/called-preset.ts';
import { recordingOf } from '../fixtures/preset-recording.ts';
import { INPUTS, MASK, MEDIA, withImage } from '../fixtures/recorded-provider.ts';
import {
  CLIENTS_DIFFER,
  type Explained,
  recordBoth,
  STAINLESS_TELEMETRY,
  unexplained,
} from '../fixtures/sdk-comparison.ts';
import type { Seen } from '../targets/loopback.ts';

/** What the official client asks of the server at `url`. */
type Official = (url: string) => Promise<unknown>;

const JSON_ALONE: Explained = {
  at: 'header accept',
  official: 'application/json',
  ours: '*/*',
  because: 'these endpoints have one answer each, and a stream is asked for in the body, by both',
};

/** Compares a preset with what the official client sends; gives the methods of the preset's requests. */
async function agrees(preset: string, official: Official, differ: readonly Explained[]): Promise<readonly string[]> {
  const { theirs, ours } = await recordBoth(recordingOf(preset), official);
  expect(await unexplained(theirs, ours, differ)).toEqual([]);
  return ours.map(({ method }) => method);
}

describe('the official client of Luma', () => {
  const differ: readonly Explained[] = [
    { at: 'header user-agent', ours: 'retake', because: 'each says who it is' },
    {
      at: 'header accept-encoding',
      official: 'gzip,deflate', // of node-fetch
      ours: 'identity',
      because: 'unpacking would be part of the time that is measured',
    },
    STAINLESS_TELEMETRY,
    JSON_ALONE,
  ];
  const waited =
    (create: (client: LumaAI) => Promise<LumaAI.Generation>): Official =>
    async (url) => {
      const authToken = recordingOf('luma/ray-2').secrets.LUMAAI_API_KEY;
      const client = new LumaAI({ baseURL: `${url}/dream-machine/v1`, authToken, maxRetries: 0 });
      const { id = '' } = await create(client);
      while ((await client.generations.get(id)).state !== 'completed');
    };

  test.each<[string, Official]>([
    [
      'luma/photon-1',
      waited(({ generations }) =>
        generations.image.create({
          model: 'photon-flash-1',
          prompt: 'a red fox in snow',
          aspect_ratio: '4:3',
          format: 'png',
        }),
      ),
    ],
    [
      'luma/ray-2',
      waited(({ generations }) =>
        generations.video.create({
          model: 'ray-2',
          prompt: 'waves at dusk',
          aspect_ratio: '21:9',
          duration: '9s',
          resolution: '720p',
          loop: false,
        }),
      ),
    ],
  ])('the official client of Luma sends what the preset %s sends', async (preset, official) => {
    expect(await agrees(preset, official, differ)).toEqual(['POST', 'GET', 'GET', 'GET', 'GET']);
  });
});

describe('the official client of OpenAI', () => {
  const differ = [...CLIENTS_DIFFER, STAINLESS_TELEMETRY, JSON_ALONE];
  const download: Explained = {
    at: 'header accept',
    official: 'application/binary',
    ours: 'video/*, application/binary;q=0.9',
    because: 'their specification has video/mp4 here, which their client is given too',
  };
  const clientAt = (url: string) =>
    new OpenAI({ baseURL: `${url}/v1`, apiKey: recordingOf('openai/images').secrets.OPENAI_API_KEY });
  const image = {
    prompt: 'a red fox in snow',
    model: 'gpt-image-2',
    size: '1536x1024',
    quality: 'low',
    background: 'auto',
    moderation: 'auto',
    output_format: 'png',
  } as const;

  test('the official client of OpenAI sends what the preset openai/images sends', async () => {
    await agrees('openai/images', (url) => clientAt(url).images.generate(image), differ);
  });

  test('the official client of OpenAI sends what the preset openai/image-edit sends', async () => {
    const [first, second, mask] = await Promise.all(
      [...INPUTS, { ...MASK, bytes: MASK.forms.transparent }].map(({ bytes, fileName, mime: type }) =>
        toFile(bytes, fileName, { type }),
      ),
    );
    if (first === undefined || second === undefined || mask === undefined) throw new Error('there are three files');
    const { moderation: _, ...others } = image;
    const asked = { ...others, complexity: 'low' }; // which the types of the installed client do not have yet
    const official: Official = (url) =>
      clientAt(url).images.edit({ ...asked, image: [first, second], prompt: 'make it night', mask });
    await agrees('openai/image-edit', official, differ);
  });

  test('the official client of OpenAI sends what the preset openai/images-stream sends', async () => {
    const events: string[] = [];
    const official: Official = async (url) => {
      const stream = await clientAt(url).images.generate({ ...image, stream: true, partial_images: 2 });
      for await (const { type } of stream) events.push(type);
    };
    await agrees('openai/images-stream', official, differ);
    expect(events.at(-1)).toBe('image_generation.completed');
  });

  test.each(['text-to-video', 'image-to-video'])(
    'the official client of OpenAI sends what the preset openai/%s sends',
    async (endpoint) => {
      const { bytes, mime } = MEDIA.png;
      const reference =
        endpoint === 'image-to-video' ? { input_reference: await toFile(bytes, 'in.png', { type: mime }) } : {};
      const official: Official = async (url) => {
        const { videos } = clientAt(url);
        const prompt = 'a red fox runs through snow';
        const { id } = await videos.create({ prompt, model: 'sora-2', seconds: '8', size: '1280x720', ...reference });
        while ((await videos.retrieve(id)).status !== 'completed');
        const content = await videos.downloadContent(id);
        expect(Buffer.from(await content.arrayBuffer()).equals(MEDIA.mp4.bytes)).toBe(true);
      };
      await agrees(`openai/${endpoint}`, official, [...differ, download]);
    },
  );
});

describe('the official client of OpenAI, asked to judge', () => {
  test('the official client of OpenAI sends what the preset judge/openai-chat sends', async () => {
    const recording = recordingOf('judge/openai-chat');
    const { instructions, schema } = questionFor(recording);
    const url = `data:image/png;base64,${MEDIA.png.bytes.toString('base64')}`;
    let answer: string | null | undefined;
    const official: Official = async (server) => {
      const client = new OpenAI({ baseURL: `${server}/v1`, apiKey: recording.secrets.OPENAI_API_KEY });
      const { choices } = await client.chat.completions.create({
        model: 'gpt-6-luna',
        messages: [
          { role: 'system', content: instructions },
          {
            role: 'user',
            content: [
              { type: 'text', text: JSON.stringify({ question: 'Which image is better?', prompt: recording.prompt }) },
              { type: 'text', text: 'A:' },
              { type: 'image_url', image_url: { url } },
              { type: 'text', text: 'B:' },
              { type: 'image_url', image_url: { url } },
            ],
          },
        ],
        response_format: {
          type: 'json_schema',
          json_schema: { name: 'choice', strict: true, schema: schema as Record<string, unknown> },
        },
      });
      answer = choices[0]?.message.content;
    };
    await agrees(recording.preset, official, [...CLIENTS_DIFFER, STAINLESS_TELEMETRY, JSON_ALONE]);
    expect(answer).toBe(MEDIA.text.bytes.toString());
  });
});

describe('the official client of Replicate', () => {
  const differ: readonly Explained[] = [
    ...CLIENTS_DIFFER,
    {
      on: 'GET',
      at: 'header content-type',
      official: 'application/json',
      ours: null,
      because: 'the client names the type of a body also where it sends none',
    },
  ];
  const blocks: Explained = {
    on: 'POST',
    at: 'header prefer',
    official: 'wait',
    ours: null,
    because: '`run` lets the server hold the reply for up to a minute; polling tells when a job began and ended',
  };
  const models = [
    ['flux-schnell', 'black-forest-labs/flux-schnell'],
    ['flux-dev', 'black-forest-labs/flux-dev'],
    [
      'sdxl-lightning-4step',
      'bytedance/sdxl-lightning-4step:6f7a773af6fc3e8de9d5a3c00be77c17308914bf67772726aff83496ba1e3bbe',
    ],
    ['wan-2.2-t2v-fast', 'wan-video/wan-2.2-t2v-fast'],
    ['wan-2.2-i2v-fast', 'wan-video/wan-2.2-i2v-fast'],
  ] as const;

  test.each(models)(
    'the official client of Replicate sends what the preset replicate/%s sends',
    async (name, model) => {
      const recording = recordingOf(`replicate/${name}`);
      // An image as a data URI: given as a file, it would be uploaded first, in a request of its own.
      const input = withImage(recording).json?.input as JsonObject;
      const run =
        (wait: { readonly mode: 'poll'; readonly interval: 1 } | { readonly mode: 'block' }): Official =>
        (url) => {
          const auth = recording.secrets.REPLICATE_API_TOKEN ?? '';
          return new Replicate({ auth, baseUrl: `${url}/v1` }).run(model, { input, wait });
        };
      const polled = await agrees(recording.preset, run({ mode: 'poll', interval: 1 }), differ);
      expect(polled).toEqual(['POST', 'GET', 'GET', 'GET']);
      // By default it wishes to wait.
      await agrees(recording.preset, run({ mode: 'block' }), [...differ, blocks]);
    },
  );
});

describe('the official client of Runway', () => {
  const waited =
    (create: (client: RunwayML) => Promise<{ readonly id: string }>): Official =>
    async (url) => {
      const apiKey = recordingOf('runway/text-to-image').secrets.RUNWAYML_API_SECRET;
      const client = new RunwayML({ baseURL: url, apiKey, maxRetries: 0 });
      const { id } = await create(client);
      // Its own `waitForTaskOutput` asks the same, once in six seconds.
      while ((await client.tasks.retrieve(id)).status !== 'SUCCEEDED');
    };

  test.each<[string, Official]>([
    [
      'runway/text-to-image',
      waited(({ textToImage }) =>
        textToImage.create({
          model: 'gen4_image',
          promptText: 'a red fox in snow',
          ratio: '1080:1920',
          seed: 4_294_967_295,
        }),
      ),
    ],
    [
      'runway/text-to-video',
      waited(({ textToVideo }) =>
        textToVideo.create({ model: 'gen4.5', promptText: 'waves at dusk', ratio: '1280:720', duration: 8, seed: 7 }),
      ),
    ],
    [
      'runway/image-to-video',
      waited(({ imageToVideo }) =>
        imageToVideo.create({
          model: 'gen4_turbo',
          promptText: 'the fox looks up',
          promptImage: `data:image/png;base64,${MEDIA.png.bytes.toString('base64')}`,
          ratio: '1584:672',
          duration: 5,
          contentModeration: { publicFigureThreshold: 'low' },
        }),
      ),
    ],
  ])('the official client of Runway sends what the preset %s sends', async (preset, official) => {
    const methods = await agrees(preset, official, [...CLIENTS_DIFFER, STAINLESS_TELEMETRY, JSON_ALONE]);
    expect(methods).toEqual(['POST', 'GET', 'GET', 'GET', 'GET']);
  });
});

describe('the official client of OpenRouter', () => {
  const record = readFileSync(new URL('official-requests/openrouter.json', import.meta.url), 'utf8');
  const { requests } = JSON.parse(record) as { readonly requests: Readonly<Record<string, readonly Seen[]>> };
  const differ: readonly Explained[] = [
    ...CLIENTS_DIFFER,
    { at: 'header cookie', official: '', ours: null, because: 'it is empty' },
  ];
  const jobs: readonly Explained[] = [
    JSON_ALONE,
    { at: 'header accept', official: 'video/mp4', ours: '*/*', because: 'one address has the video alone' },
    { at: 'query index', official: '0', ours: null, because: 'the first video is the default' },
  ];

  test.each([
    ['images', [JSON_ALONE]],
    ['images-stream', []],
    ['image-edit', [JSON_ALONE]],
    ['text-to-video', jobs],
    ['image-to-video', jobs],
  ])('the official client of OpenRouter sent what the preset openrouter/%s sends', async (name, more) => {
    const { ours } = await recordBoth(recordingOf(`openrouter/${name}`), async () => {});
    expect(await unexplained(requests[`openrouter/${name}`] ?? [], ours, [...differ, ...more])).toEqual([]);
  });
});
