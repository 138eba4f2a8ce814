import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/kit/json.ts';
import { MediaReader } from '../../src/suite/input-media.ts';
import { MASK_FORMS, type MaskForm } from '../../src/suite/kind.ts';
import { encodeBody } from '../../src/targets/outgoing.ts';
import { renderSubmit, requestDigest } from '../../src/targets/request.ts';
import { loadPreset } from '../fixtures/called-preset.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { INPUTS } from '../fixtures/recorded-provider.ts';
import { serve } from './loopback.ts';
import { caseWith, targetWith, variantOf } from './target-fixture.ts';

const SCOPE = { baseUrl: 'http://127.0.0.1:9', secrets: {}, digest: 'ab'.repeat(32) };

const EDIT = { kind: 'image-edit', submit: { path: '/e', encoding: 'multipart', body: {} } } as const;

/** An endpoint whose mask changes what is of this form. */
function editing(changes: MaskForm, body: { readonly [name: string]: Json } = { image: '${case.images | file}' }) {
  const media = { images: { most: 4 }, mask: { changes } };
  const submit = { ...EDIT.submit, body: { prompt: '${case.prompt}', ...body, mask: '${case.mask | file}' } };
  return variantOf(targetWith({ ...EDIT, media, submit }));
}

/** A case with these files, read as a suite reads them. */
async function caseOf(files: Readonly<Record<'images' | 'mask', readonly Uint8Array[]>>) {
  const folder = freshFolder();
  const write = (bytes: Uint8Array, name: string) => {
    writeFileSync(join(folder, name), bytes);
    return name;
  };
  const images = files.images.map((bytes, at) => write(bytes, `${at}.png`));
  const [mask = null] = files.mask.map((bytes) => write(bytes, 'mask.png'));
  const refuse = (_field: string, cause: string, remedy: string) => ({ place: null, cause, remedy });
  const read = await new MediaReader('anywhere', folder).read({ images, mask, folder, refuse });
  if (!read.ok) throw new Error(JSON.stringify(read.diagnostics));
  return caseWith({ kinds: ['image-edit'], ...read.value });
}

const SIZE = { width: 16, height: 16 };
const noise = (channels: 1 | 3) =>
  sharp(randomBytes(256 * channels), { raw: { ...SIZE, channels } })
    .png()
    .toBuffer();

/** How much of each pixel an endpoint may change, as its own reading of the mask says: 0 to 255. */
async function changedOf(changes: MaskForm, mask: Uint8Array): Promise<readonly number[]> {
  const image = sharp(mask);
  const { channels = 0, hasAlpha } = await image.metadata();
  if (changes !== 'transparent') {
    expect(hasAlpha).toBe(false);
    const grey = await image.toColourspace('b-w').raw({ depth: 'uchar' }).toBuffer();
    return [...grey].map((value) => (changes === 'white' ? value : 255 - value));
  }
  expect(channels).toBe(4);
  return [...(await image.extractChannel('alpha').raw().toBuffer())].map((value) => 255 - value);
}

describe('a mask', () => {
  const ramp = sharp(Buffer.from(Array.from({ length: 256 }, (_, value) => value)), { raw: { ...SIZE, channels: 1 } });
  const steps = Buffer.from(Array.from({ length: 256 }, (_, at) => (at % 3 === 0 ? 255 : 0)));
  const hard = sharp(steps, { raw: { ...SIZE, channels: 1 } });

  test.each([
    ['grey', () => ramp.clone().png().toBuffer()],
    ['grey of 16 bits', () => ramp.clone().toColourspace('grey16').png().toBuffer()],
    ['RGB', () => ramp.clone().toColourspace('srgb').png().toBuffer()],
    ['a palette', () => hard.clone().png({ palette: true, colours: 2 }).toBuffer()],
    ['one bit', () => hard.clone().png({ palette: true, colours: 2, dither: 0 }).toBuffer()],
    ['an opaque alpha channel', () => ramp.clone().toColourspace('srgb').ensureAlpha(1).png().toBuffer()],
  ])('a mask of %s: endpoints for white, black and transparent receive the same changed pixels', async (what, make) => {
    const one = await caseOf({ images: [await noise(3)], mask: [await make()] });
    const received: Uint8Array[] = [];
    const { url } = await serve(async ({ headers, body }, response) => {
      const type = headers['content-type'] ?? '';
      const form = await new Response(Buffer.from(body, 'latin1'), { headers: { 'content-type': type } }).formData();
      const mask = form.get('mask');
      if (mask instanceof Blob) received.push(new Uint8Array(await mask.arrayBuffer()));
      response.end();
    });
    for (const form of MASK_FORMS) {
      const { bytes, contentType } = encodeBody(renderSubmit(editing(form), { case: one, seed: 1 }, SCOPE).body) ?? {};
      await fetch(url, {
        method: 'POST',
        headers: { 'content-type': contentType ?? '' },
        body: new Uint8Array(bytes ?? []),
      });
    }
    const flat = what.includes('alpha') ? await sharp(received[0]).removeAlpha().png().toBuffer() : received[0];
    const [white = [], ...others] = await Promise.all(
      MASK_FORMS.map((form, at) => changedOf(form, (at === 0 ? flat : received[at]) ?? new Uint8Array())),
    );
    expect(new Set(white).size).toBeGreaterThan(1);
    for (const other of others) {
      expect(other.map((value) => value === 255)).toEqual(white.map((value) => value === 255));
      expect(other.map((value) => value === 0)).toEqual(white.map((value) => value === 0));
      expect(Math.max(...other.map((value, at) => Math.abs(value - (white[at] ?? 0))))).toBeLessThanOrEqual(1);
    }
  });
});

describe('the request digest', () => {
  test('one byte of the second image or of the mask changes the digests of the requests that send it, and no others', async () => {
    const [first, second, mask] = [await noise(3), await noise(3), await noise(1)];
    const other = Buffer.concat([second, Buffer.from([0])]);
    const otherMask = Buffer.concat([mask, Buffer.from([0])]);
    const body = { image: '${case.image | file}' };
    const alone = variantOf(targetWith({ ...EDIT, submit: { ...EDIT.submit, body } }));
    const digests = async (changed: { readonly second?: Uint8Array; readonly mask?: Uint8Array }) => {
      const both = [first, changed.second ?? second];
      const single = await caseOf({ images: [first], mask: [] });
      const several = await caseOf({ images: both, mask: [] });
      const masked = await caseOf({ images: both, mask: [changed.mask ?? mask] });
      const asked = [
        ['first', alone, single],
        ['single', editing('white'), single],
        ['several', editing('white'), several],
        ...MASK_FORMS.map((form) => [form, editing(form), masked] as const),
      ] as const;
      return Object.fromEntries(
        asked.map(([name, variant, one]) => [name, requestDigest(variant, { case: one, seed: 1 })]),
      );
    };
    const before = await digests({});
    const differing = async (changed: Parameters<typeof digests>[0]) =>
      Object.entries(await digests(changed)).flatMap(([name, digest]) => (digest === before[name] ? [] : [name]));
    expect(await differing({})).toEqual([]);
    expect(await differing({ second: other })).toEqual(['several', ...MASK_FORMS]);
    expect(await differing({ mask: otherMask })).toEqual([...MASK_FORMS]);
    expect(new Set(Object.values(before)).size).toBe(6);
  });

  test('the request digests of presets from before edits are unchanged', async () => {
    const digestOf = async (preset: string) => {
      const target = await loadPreset(preset);
      const images = INPUTS.slice(0, preset.includes('image-to-video') ? 1 : 0);
      return requestDigest(variantOf(target), { case: caseWith({ images }), seed: 7 });
    };
    expect(await digestOf('reference/text-to-image')).toMatch(/^2f4621d07bc18559/); // no image
    expect(await digestOf('reference/image-to-video')).toMatch(/^20f96c20b51a7736/); // a form part
    expect(await digestOf('bfl/flux-3-image-to-video')).toMatch(/^2daa8b8342be1c44/); // base64
  });
});

test('$each writes an object for each image: spliced into a list, a list of its own elsewhere, nothing without images', () => {
  const item = { type: 'image', mime: '${each.image | mime}', data: '${each.image | b64}' };
  const parts = [{ text: '${case.prompt}' }, { $each: 'case.images', $item: item }, 'end'];
  const body = { parts, images: { $each: 'case.images', $item: item }, nested: { none: ['${case.style}'] } };
  const media = { images: { least: 0, most: 4 } };
  const variant = variantOf(targetWith({ ...EDIT, media, submit: { path: '/e', body } }));
  const sent = (count: number) => {
    const { body: rendered } = renderSubmit(
      variant,
      { case: caseWith({ images: INPUTS.slice(0, count) }), seed: 1 },
      SCOPE,
    );
    return JSON.parse(Buffer.from(encodeBody(rendered)?.bytes ?? []).toString()) as Json;
  };
  const objects = INPUTS.map(({ mime, bytes }) => ({ type: 'image', mime, data: bytes.toString('base64') }));
  const text = { text: 'a red fox' };
  expect(sent(2)).toEqual({ parts: [text, ...objects, 'end'], images: objects, nested: { none: [] } });
  expect(sent(1)).toEqual({ parts: [text, objects[0], 'end'], images: [objects[0]], nested: { none: [] } });
  expect(sent(0)).toEqual({ parts: [text, 'end'], nested: { none: [] } });
});

test('filters for images map over all of them, and an index that no image has drops out', () => {
  const body = { all: '${case.images | mime}', second: '${case.images.1 | data_uri}', third: '${case.images.2 | b64}' };
  const variant = variantOf(targetWith({ ...EDIT, media: { images: { most: 3 } }, submit: { path: '/e', body } }));
  const render = (images: typeof INPUTS) => renderSubmit(variant, { case: caseWith({ images }), seed: 1 }, SCOPE).body;
  expect(render(INPUTS.slice(0, 1))).toEqual({ encoding: 'json', value: { all: ['image/png'] } });
  const { bytes } = encodeBody(render(INPUTS)) ?? {};
  expect(JSON.parse(Buffer.from(bytes ?? []).toString())).toEqual({
    all: ['image/png', 'image/jpeg'],
    second: `data:image/jpeg;base64,${INPUTS[1]?.bytes.toString('base64')}`,
  });
});
