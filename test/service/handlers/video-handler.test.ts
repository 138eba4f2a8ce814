import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshFolder } from '../../fixtures/fresh-folder.ts';
import { withoutNodeAv } from '../../fixtures/no-node-av.ts';
import { deliveredVideo, fetchMedia, quickVideo, statusOf, submit, waitFor, withImage } from '../asking-for-video.ts';
import { boxes, decodeVideo, psnr, rms } from '../decoded-video.ts';
import { KEY, type Running, runService } from '../running-service.ts';

let service: Running;

beforeAll(async () => {
  service = await runService({ workers: 2 });
});
afterAll(() => service.close());

/** Blue above, sand below, a red disc: 480 x 360. */
async function drawnImage(type: 'png' | 'jpeg' | 'webp' | 'gif' = 'png'): Promise<Uint8Array<ArrayBuffer>> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="480" height="360"><rect width="480" height="360" fill="#48c"/><rect y="220" width="480" height="140" fill="#dc9"/><circle cx="180" cy="200" r="70" fill="#c33"/></svg>`;
  return Uint8Array.from(await sharp(Buffer.from(svg)).toFormat(type).toBuffer());
}

describe('a video of a prompt', () => {
  test('a video of a prompt is accepted as a job, reported, and fetched: MP4 of the asked size, rate and length, its index first', async () => {
    const response = await service.ask(quickVideo(7), { path: '/v2/video/text-to-video' });
    expect(response.status).toBe(202);
    expect(response.headers.get('x-seed')).toBe('7');
    const accepted = await response.json();
    expect(accepted).toEqual({ id: expect.any(String), status: 'processing' });

    const video = await waitFor(service, accepted.id);
    expect(video).toMatchObject({ id: accepted.id, status: 'finished', seed: 7 });
    expect(video.url?.generation[0]).toMatch(new RegExp(`^${service.url}/`));
    const media = await fetchMedia(video.url?.generation[0]);
    expect(media.headers.get('content-type')).toBe('video/mp4');
    expect(media.headers.get('x-score-evaluations')).toBe('4');
    const mp4 = Buffer.from(await media.arrayBuffer());
    expect(boxes(mp4)).toEqual(['ftyp', 'moov', 'free', 'free', 'mdat']);
    const { stream, luma } = await decodeVideo(mp4);
    expect(stream).toMatchObject({ codec: 'h264', width: 144, height: 108, declaredFps: 24, declaredDurationS: 1 });
    expect(luma.length).toBe(24);
  });

  test('a video of a prompt is byte-identical for the same request, on any worker, and differs for another seed', async () => {
    const videos = await Promise.all([1, 1, 2].map((seed) => deliveredVideo(service, quickVideo(seed))));
    expect(videos.map((video) => video.equals(videos[0] ?? Buffer.alloc(0)))).toEqual([true, true, false]);
  });

  test('a video of a prompt lasts two seconds in 16:9 by default, and moves steadily: near frames are more alike', async () => {
    const { stream, luma } = await decodeVideo(
      await deliveredVideo(service, { prompt: 'a fox walking in the snow', model: 'fast-lcm', seed: '1' }),
    );
    expect([luma.length, stream.width, stream.height]).toEqual([48, 192, 108]);
    const steps = luma.slice(1).map((frame, i) => rms(frame, luma[i]));
    expect(Math.min(...steps)).toBeGreaterThan(0.2);
    expect(rms(luma[0], luma[12])).toBeGreaterThan(1.5 * Math.max(...steps));
  });
});

describe('a video of an image', () => {
  test.each(['jpeg', 'webp'] as const)('a video of an image begins with it and moves on (%s)', async (type) => {
    const bytes = await drawnImage(type);
    const { aspect_ratio: _, ...parts } = quickVideo(3, 'pan left');
    const { stream, luma } = await decodeVideo(await deliveredVideo(service, withImage(parts, bytes, `image/${type}`)));
    expect([stream.width, stream.height]).toEqual([144, 108]);
    const shown = await sharp(bytes).resize(144, 108).flatten().raw().toBuffer();
    const asked = Uint8Array.from({ length: 144 * 108 }, (_, i) => {
      const [r = 0, g = 0, b = 0] = shown.subarray(3 * i, 3 * i + 3);
      return Math.round(16 + (219 / 255) * (0.299 * r + 0.587 * g + 0.114 * b));
    });
    expect(psnr(luma[0], asked)).toBeGreaterThan(30);
    expect(psnr(luma[23], asked)).toBeLessThan(psnr(luma[0], asked) - 5);
    expect(rms(luma[0], luma[1])).toBeLessThan(rms(luma[0], luma[23]));
  });

  test('a video of an image has the ratio asked for, and texture by its seed', async () => {
    const bytes = await drawnImage();
    const wide = { ...quickVideo(1), aspect_ratio: '9:16' };
    const [one, other] = await Promise.all([
      deliveredVideo(service, withImage(wide, bytes)),
      deliveredVideo(service, withImage({ ...wide, seed: '2' }, bytes)),
    ]);
    expect((await decodeVideo(one)).stream).toMatchObject({ width: 108, height: 192 });
    expect(one.equals(other)).toBe(false);
  });
});

describe('what the service refuses', () => {
  const parts = { prompt: 'x' };
  const text = (more: Record<string, string>) => service.ask(more, { path: '/v2/video/text-to-video' });
  const image = (more: Record<string, string> | FormData) => service.ask(more, { path: '/v2/video/image-to-video' });
  const asFile = (bytes: Uint8Array<ArrayBuffer>, more = {}) => image(withImage({ ...parts, ...more }, bytes));
  const twoImages = async () => {
    const form = withImage(parts, await drawnImage());
    form.append('file', new Blob([await drawnImage()]), 'second');
    return image(form);
  };
  test.each<[string, number, string, () => Promise<Response>]>([
    ['no key', 401, 'missing_key', () => service.ask(parts, { path: '/v2/video/text-to-video', key: null })],
    ['no prompt', 400, 'missing_part', () => text({ seconds: '1' })],
    ['a length there is not', 400, 'invalid_seconds', () => text({ ...parts, seconds: '5' })],
    ['a length that is not a number', 400, 'invalid_seconds', () => text({ ...parts, seconds: '2s' })],
    ['an unknown part', 400, 'unknown_part', () => text({ ...parts, fps: '30' })],
    ['seconds of an image', 400, 'unknown_part', () => service.ask({ ...parts, seconds: '1' })],
    ['the fast model for an image', 400, 'invalid_model', async () => asFile(await drawnImage(), { model: 'fast' })],
    ['no image', 400, 'missing_part', () => image(parts)],
    ['an image as text', 400, 'unknown_part', () => image({ ...parts, file: 'x' })],
    ['an image of a type it does not take', 415, 'unsupported_picture', async () => asFile(await drawnImage('gif'))],
    ['a file that is not an image', 415, 'unsupported_picture', () => asFile(Uint8Array.from(Buffer.from('hello')))],
    ['half an image', 422, 'broken_picture', async () => asFile((await drawnImage('jpeg')).slice(0, 2000))],
    ['an image with too many pixels', 422, 'picture_too_large', async () => asFile(await plain(5000, 4000))],
    ['an image with too few', 422, 'picture_too_small', async () => asFile(await plain(100, 8))],
    ['an image with too many bytes', 413, 'part_too_large', () => asFile(new Uint8Array(10 * 1024 * 1024 + 1))],
    ['a body that is too large', 413, 'body_too_large', () => asFile(new Uint8Array(12 * 1024 * 1024))],
    ['two images', 400, 'doubled_part', twoImages],
    ['an unknown asset', 404, 'unknown_asset', () => statusOf(service, 'none')],
    ['media of an unknown asset', 404, 'unknown_asset', () => fetchMedia(`${service.url}/v2/assets/none/video.mp4`)],
    ['a status without a key', 401, 'missing_key', () => fetch(`${service.url}/v2/assets/none/status`)],
    ['media without a key', 401, 'missing_key', () => fetch(`${service.url}/v2/assets/none/video.mp4`)],
  ])('a request for video with %s is refused: %i %s', async (_what, status, code, send) => {
    const response = await send();
    expect(await response.json()).toMatchObject({ status, code });
    expect(response.status).toBe(status);
  });

  async function plain(width: number, height: number): Promise<Uint8Array<ArrayBuffer>> {
    const grey = sharp({ create: { width, height, channels: 3, background: '#888' } });
    return Uint8Array.from(await grey.png().toBuffer());
  }

  test('the service refuses media before they are there, and files that do not exist', async () => {
    const id = await submit(service, quickVideo());
    expect((await fetchMedia(`${service.url}/v2/assets/${id}/video.mp4`)).status).toBe(404);
    await waitFor(service, id);
    expect((await fetchMedia(`${service.url}/v2/assets/${id}/other.mp4`)).status).toBe(404);
    expect((await fetch(`${service.url}/v2/assets/${id}/video.mp4`)).status).toBe(401);
  });
});

test('the account of the service has each job once: when, by which model and seed, how often asked for, what it came to', async () => {
  const own = await runService({ workers: 1 });
  try {
    const [first, second] = [await submit(own, quickVideo(4)), await submit(own, quickVideo(5))];
    await waitFor(own, second);
    const video = await waitFor(own, first);
    const common = { model: 'fast-lcm', route: 'POST /v2/video/text-to-video', state: 'finished' };
    await (await fetchMedia(video.url?.generation[0])).arrayBuffer();
    const { jobs, generations, requests } = await own.quietStats();
    expect(jobs).toMatchObject([
      { ...common, id: first, seed: 4, mediaFetches: 1 },
      { ...common, id: second, seed: 5, mediaFetches: 0 },
    ]);
    const polls = requests.filter(({ route }) => route === 'GET /v2/assets/:id/status').length;
    expect(jobs.reduce((sum, job) => sum + job.polls, 0)).toBe(polls);
    // One worker: the second begins when the first has ended.
    const [one, two] = jobs;
    expect(one?.startedMs).toBeGreaterThanOrEqual(one?.receivedMs ?? Number.POSITIVE_INFINITY);
    expect(two?.startedMs).toBeGreaterThanOrEqual((one?.startedMs ?? 0) + 1);
    expect(two?.finishedMs).toBeGreaterThan(one?.finishedMs ?? Number.POSITIVE_INFINITY);
    expect(generations).toEqual({ sampled: 2, cancelled: 0, evaluations: 8 });
  } finally {
    await own.close();
  }
});

test('the video routes answer 501 without node-av, and images are drawn', () => {
  const installed = withoutNodeAv();
  const dist = (file: string) => JSON.stringify(pathToFileURL(join(installed, 'dist', 'service', file)).href);
  const program = `
    const { startService } = await import(${dist('service.js')});
    const service = await startService({ port: 0, keys: ['${KEY}'], workers: 1, behaviour: { seed: 1, rules: [] } });
    const ask = async (path, parts) => {
      const body = new FormData();
      for (const [name, value] of Object.entries(parts)) body.append(name, value);
      const headers = { authorization: 'Bearer ${KEY}' };
      const answer = await fetch(service.url + path, { method: 'POST', headers, body });
      return [answer.status, answer.headers.get('content-type'), answer.status === 200 ? null : (await answer.json()).code];
    };
    const answers = [
      await ask('/v2/video/text-to-video', { prompt: 'x' }),
      await ask('/v2/video/image-to-video', { prompt: 'x' }),
      await ask('/v2/image/generations', { prompt: 'x', model: 'fast-lcm' }),
    ];
    console.log(JSON.stringify(answers));
    await service.close();`;
  const file = join(freshFolder(), 'program.mjs');
  writeFileSync(file, program);
  const { stdout, stderr } = spawnSync(process.execPath, [file], { encoding: 'utf8', timeout: 60_000 });
  const refused = [501, 'application/json; charset=utf-8', 'video_unavailable'];
  expect(JSON.parse(stdout), stderr).toEqual([refused, refused, [200, 'image/png', null]]);
});
