import sharp, { type Sharp } from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formOf, quick, type Running, runService } from '../running-service.ts';

let service: Running;

beforeAll(async () => {
  const rules = [
    'echo_input: {}, when: { prompt: echo }',
    'leak: { by: 12 }, when: { prompt: leak }',
    'cached: {}, when: { prompt: cached }',
    'crash: {}, when: { route: image-edit, prompt: crash }',
  ];
  service = await runService({ workers: 2, rules });
});
afterAll(() => service.close());

type Bytes = Uint8Array<ArrayBuffer>;

/** Sides that no transform takes. */
const SIZE = { width: 150, height: 101 };
/** What the mask changes. */
const [LEFT, TOP, SIDE] = [40, 30, 50];

async function drawn(draw = (image: Sharp) => image.png(), { width, height } = SIZE): Promise<Bytes> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#48c"/><rect y="60%" width="100%" height="40%" fill="#dc9"/><circle cx="40%" cy="55%" r="20" fill="#c33"/></svg>`;
  return Uint8Array.from(await draw(sharp(Buffer.from(svg)).removeAlpha()).toBuffer());
}

async function mask(draw = (image: Sharp) => image.png(), { width, height } = SIZE): Promise<Bytes> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%"/><rect x="${LEFT}" y="${TOP}" width="${SIDE}" height="${SIDE}" fill="#fff"/></svg>`;
  return Uint8Array.from(await draw(sharp(Buffer.from(svg))).toBuffer());
}

function formWith(parts: Record<string, string>, images: readonly Bytes[], masks: readonly Bytes[] = []): FormData {
  const form = formOf({ ...quick(), ...parts });
  for (const image of images) form.append('image', new Blob([image]), 'image');
  for (const image of masks) form.append('mask', new Blob([image]), 'mask');
  return form;
}

const send = (form: FormData | Record<string, string>) => service.ask(form, { path: '/v2/image/edits' });

async function edited(...form: Parameters<typeof formWith>): Promise<Buffer> {
  const response = await send(formWith(...form));
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

const pixels = (image: Uint8Array) => sharp(image).toColourspace('srgb').raw().toBuffer();

/** The differences of each value within what the mask changes, and outside. */
async function apart(output: Uint8Array, input: Uint8Array): Promise<{ inside: number[]; outside: number[] }> {
  const [a, b] = [await pixels(output), await pixels(input)];
  const found = { inside: [] as number[], outside: [] as number[] };
  for (const [i, value] of a.entries()) {
    const [x, y] = [Math.floor(i / 3) % SIZE.width, Math.floor(i / 3 / SIZE.width)];
    const inside = x >= LEFT && x < LEFT + SIDE && y >= TOP && y < TOP + SIDE;
    found[inside ? 'inside' : 'outside'].push(Math.abs(value - (b[i] ?? 0)));
  }
  return found;
}

async function psnr(output: Uint8Array, input: Uint8Array): Promise<number> {
  const { inside, outside } = await apart(output, input);
  const all = [...inside, ...outside];
  return 10 * Math.log10(255 ** 2 / (all.reduce((sum, value) => sum + value ** 2, 0) / all.length));
}

const turned = (image: Sharp) => image.rotate(-90).withMetadata({ orientation: 6 });

describe('an edit', () => {
  test.each<[string, (image: Sharp) => Sharp]>([
    ['PNG', (image) => image.png()],
    ['JPEG', (image) => image.jpeg()],
    ['WebP', (image) => image.webp()],
    ['JPEG that its metadata turns', (image) => turned(image).jpeg()],
  ])('an edit of a %s is a PNG of its size, with what was done in the headers', async (_type, draw) => {
    const image = await drawn(draw);
    const response = await send(formWith({ seed: '7', strength: '0.5' }, [image]));
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'x-seed': '7',
      'x-model': 'fast-lcm',
      'x-score-evaluations': '2',
      'x-inference-ms': expect.stringMatching(/^\d+\.\d+$/),
    });
    const output = Buffer.from(await response.arrayBuffer());
    expect(await sharp(output).metadata()).toMatchObject({ format: 'png', channels: 3, ...SIZE });
  });

  test.each([
    ['standard', [3, 11, 23, 47]],
    ['fast', [1, 3, 7, 15]],
    ['fast-lcm', [1, 1, 2, 4]],
  ])('an edit by %s is less like its image the higher its strength', async (model, evaluations) => {
    const image = await drawn();
    const values: number[] = [];
    for (const [i, strength] of ['0.1', '0.25', '0.5', '1'].entries()) {
      const response = await send(formWith({ model, strength }, [image]));
      expect(response.headers.get('x-score-evaluations')).toBe(String(evaluations[i]));
      values.push(await psnr(Buffer.from(await response.arrayBuffer()), image));
    }
    expect(values).toEqual(values.toSorted((a, b) => b - a));
    expect(values[0]).toBeGreaterThan(15);
    expect(values[3]).toBeLessThan(12);
  });

  test('an edit with a mask changes only what is white in it, and by halves what is grey', async () => {
    const image = await drawn();
    const whole = await edited({ strength: '1' }, [image], [await mask()]);
    const { inside, outside } = await apart(whole, image);
    expect(Math.max(...outside)).toBe(0);
    expect(inside.filter((value) => value > 2).length).toBeGreaterThan(0.9 * inside.length);
    const grey = await mask((drawing) => drawing.linear(0.5).png());
    const half = (await apart(await edited({ strength: '1' }, [image], [grey]), image)).inside;
    expect(half.reduce((a, b) => a + b)).toBeLessThan(0.7 * inside.reduce((a, b) => a + b));
    expect(half.reduce((a, b) => a + b)).toBeGreaterThan(0.3 * inside.reduce((a, b) => a + b));
  });

  test('an edit has the same bytes for the same request, with and without a mask, and others for another input', async () => {
    const [image, other] = [await drawn(), await drawn((drawing) => drawing.negate().png())];
    const all = await Promise.all([
      ...[[], [await mask()]].flatMap((masks) => [edited({}, [image], masks), edited({}, [image], masks)]),
      edited({ seed: '2' }, [image]),
      edited({}, [other]),
      edited({}, [image, other]),
      edited({}, [image, image, other]),
      edited({}, [image, other, image]),
    ]);
    const texts = all.map((png) => png.toString('latin1'));
    expect([texts[0] === texts[1], texts[2] === texts[3], new Set(texts).size]).toEqual([true, true, 7]);
  });

  test('further images are on the first from the lower left, a third as high; where they are transparent it shows', async () => {
    const nothing = { ...SIZE, channels: 4 as const, background: '#0000' };
    const clear = Uint8Array.from(await sharp({ create: nothing }).png().toBuffer());
    const black = await drawn((image) => image.linear(0, 0).png());
    const [alone, covered, same] = [
      await edited({ strength: '0.1' }, [await drawn()]),
      await edited({ strength: '0.1' }, [await drawn(), clear, black]),
      await edited({ strength: '0.1' }, [await drawn(), clear]),
    ];
    expect(same.equals(alone)).toBe(true);
    const [a, b] = [await pixels(alone), await pixels(covered)];
    const darker = (x: number, y: number) => (a[3 * (y * SIZE.width + x)] ?? 0) - (b[3 * (y * SIZE.width + x)] ?? 0);
    expect(darker(75, 84)).toBeGreaterThan(80);
    for (const [x, y] of [
      [25, 84],
      [125, 84],
      [75, 50],
    ] as const) {
      expect(Math.abs(darker(x, y))).toBeLessThan(25);
    }
  });
});

describe('faults of edits', () => {
  test('echo_input replies with the first image, whatever is asked', async () => {
    const image = await drawn();
    const output = await edited({ prompt: 'echo', strength: '1' }, [image, await mask()]);
    expect((await pixels(output)).equals(await pixels(image))).toBe(true);
  });

  test('leak changes each value that the mask keeps by as much as declared, and nothing without a mask', async () => {
    const image = await drawn();
    const output = await edited({ prompt: 'leak' }, [image], [await mask()]);
    expect(new Set((await apart(output, image)).outside)).toEqual(new Set([12]));
    await edited({ prompt: 'leak' }, [image]);
    await (await service.ask(quick(1, 'an echo, a leak'))).arrayBuffer();
    expect((await service.quietStats()).behaviours).toMatchObject({ leak: 1, echo_input: 1 });
  });

  test('cached serves an edit again only for the same image and mask', async () => {
    const image = await drawn();
    const ask = (masks: readonly Bytes[]) => edited({ prompt: 'cached' }, [image], masks);
    const all = [await ask([]), await ask([]), await ask([await mask()])];
    expect((await service.quietStats()).behaviours).toMatchObject({ cached: 1 });
    expect(all[2]?.equals(all[0] ?? Buffer.alloc(0))).toBe(false);
  });

  test('crash ends an edit with 500 in the service', async () => {
    expect((await send(formWith({ prompt: 'crash' }, [await drawn()]))).status).toBe(500);
  });
});

describe('what the service refuses to edit', () => {
  const one = async (parts: Record<string, string> = {}, masks: readonly Bytes[] = []) =>
    formWith(parts, [await drawn()], masks);
  const sized = async (width: number, height: number) => formWith({}, [await drawn(undefined, { width, height })]);
  const bad = (image: Bytes) => formWith({}, [image]);
  const animated = async () => {
    const [a, b] = [await drawn(), await drawn((image) => image.negate().png())];
    return Uint8Array.from(
      await sharp([a, b], { join: { animated: true } })
        .webp()
        .toBuffer(),
    );
  };
  const many = async (count: number) => formWith({}, Array(count).fill(await drawn()));
  test.each<[string, number, string, () => FormData | Promise<FormData>]>([
    ['no image', 400, 'missing_part', () => formWith({}, [])],
    ['an image as text', 400, 'unknown_part', () => formWith({ image: 'x' }, [])],
    ['five images', 400, 'too_many_images', () => many(5)],
    ['nine images', 400, 'too_many_images', () => many(9)],
    ['an animated image', 422, 'animated_picture', async () => bad(await animated())],
    ['an animated second image', 422, 'animated_picture', async () => formWith({}, [await drawn(), await animated()])],
    ['an image of a type it does not take', 415, 'unsupported_picture', async () => bad(await drawn((i) => i.gif()))],
    ['half an image', 422, 'broken_picture', async () => bad((await drawn()).slice(0, 300))],
    [
      'half a second image',
      422,
      'broken_picture',
      async () => formWith({}, [await drawn(), (await drawn()).slice(0, 300)]),
    ],
    ['an image that is too wide', 422, 'picture_too_large', () => sized(513, 100)],
    ['an image that is too small', 422, 'picture_too_small', () => sized(100, 15)],
    ['an image with too many bytes', 413, 'part_too_large', () => bad(new Uint8Array(10 * 1024 * 1024 + 1))],
    ['a mask with too many bytes', 413, 'part_too_large', () => one({}, [new Uint8Array(4 * 1024 * 1024 + 1)])],
    ['a body that is too large', 413, 'body_too_large', () => bad(new Uint8Array(46 * 1024 * 1024))],
    ['a mask without an image', 400, 'mask_without_image', async () => formWith({}, [], [await mask()])],
    ['two masks', 400, 'doubled_part', async () => one({}, [await mask(), await mask()])],
    ['a mask as JPEG', 415, 'unsupported_picture', async () => one({}, [await mask((image) => image.jpeg())])],
    [
      'a mask of another size',
      422,
      'mask_size',
      async () => one({}, [await mask(undefined, { width: 150, height: 100 })]),
    ],
    ['half a mask', 422, 'broken_picture', async () => one({}, [(await mask()).slice(0, 120)])],
    ...['0.09', '1.01', 'high', '', '-0.5', '1e-1', '0x1'].map(
      (strength): [string, number, string, () => Promise<FormData>] => [
        `strength "${strength}"`,
        400,
        'invalid_strength',
        () => one({ strength }),
      ],
    ),
    ['a ratio', 400, 'unknown_part', () => one({ aspect_ratio: '1:1' })],
    ['a model that does not exist', 400, 'invalid_model', () => one({ model: 'slow' })],
    ['an empty prompt', 422, 'prompt_empty', () => one({ prompt: ' ' })],
  ])('an edit with %s is refused: %i %s', async (_what, status, code, form) => {
    const response = await send(await form());
    expect(await response.json()).toEqual({ status, code, error: expect.any(String), message: expect.any(String) });
    expect(response.status).toBe(status);
  });
});
