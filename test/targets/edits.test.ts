import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { accepted } from '../../src/kit/diagnostic.ts';
import type { Json } from '../../src/kit/json.ts';
import { MediaReader } from '../../src/suite/input-media.ts';
import { MASK_FORMS, type MaskForm } from '../../src/suite/kind.ts';
import type { Case } from '../../src/suite/suite.ts';
import { encodeBody } from '../../src/targets/outgoing.ts';
import { renderSubmit, requestDigest } from '../../src/targets/request.ts';
import type { Variant } from '../../src/targets/target.ts';
import { loadPreset } from '../fixtures/called-preset.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { INPUTS } from '../fixtures/recorded-provider.ts';
import { serve } from './loopback.ts';
import { caseWith, targetWith, variantOf } from './target-fixture.ts';

const SIZE = { width: 16, height: 32 };
/** The values of the upper half; the lower one is black: what a mask must leave. */
const grey = (values: Iterable<number>) =>
  sharp(Buffer.from([...values, ...Array.from({ length: 256 }, () => 0)]), { raw: { ...SIZE, channels: 1 } });
const ramp = () => grey(Array.from({ length: 256 }, (_, value) => value));
const noise = () => grey(randomBytes(256)).png().toBuffer();

function editing(body: { readonly [name: string]: Json }, encoding: string, media: { readonly [name: string]: Json }) {
  return variantOf(targetWith({ kind: 'image-edit', media, submit: { path: '/e', encoding, body } }));
}

/** An endpoint that takes a mask in this form. */
const masking = (changes: MaskForm): Variant =>
  editing({ image: '${case.images | file}', mask: '${case.mask | file}' }, 'multipart', {
    images: { most: 4 },
    mask: { changes },
  });

const sentOf = (variant: Variant, one: Case) => {
  const { body } = renderSubmit(variant, { case: one, seed: 1 }, { baseUrl: 'http://x', secrets: {}, digest: 'ab' });
  const { bytes = new Uint8Array(), contentType = '' } = encodeBody(body) ?? {};
  return { body: Buffer.from(bytes), headers: { 'content-type': contentType } };
};

/** A case with these files, read as a suite reads them. */
async function caseOf(files: readonly Uint8Array[], maskFile: Uint8Array | null) {
  const folder = freshFolder();
  const images = files.map((_, at) => `${at}.png`);
  for (const [at, bytes] of files.entries()) writeFileSync(join(folder, `${at}.png`), bytes);
  if (maskFile !== null) writeFileSync(join(folder, 'mask.png'), maskFile);
  const refuse = (_field: string, cause: string, remedy: string) => ({ place: null, cause, remedy });
  const mask = maskFile === null ? null : 'mask.png';
  const read = accepted(await new MediaReader('anywhere', folder).read({ images, mask, folder, refuse }));
  return caseWith({ kinds: ['image-edit'], ...read });
}

/** How much of each pixel an endpoint may change, as its own reading of the mask says: 0 to 255. */
async function changedOf(form: MaskForm, mask: Uint8Array): Promise<readonly number[]> {
  const pixels = form === 'transparent' ? sharp(mask).extractChannel('alpha') : sharp(mask).removeAlpha();
  const values = await pixels.toColourspace('b-w').raw({ depth: 'uchar' }).toBuffer();
  return [...values].map((value) => (form === 'white' ? value : 255 - value));
}

test.each([
  ['grey', () => ramp()],
  ['grey of 16 bits', () => ramp().toColourspace('grey16')],
  ['RGB', () => ramp().toColourspace('srgb')],
  ['an opaque alpha channel', () => ramp().toColourspace('srgb').ensureAlpha(1)],
  ['a palette', () => grey(Array.from({ length: 256 }, (_, at) => (at % 3 === 0 ? 255 : 0))).png({ palette: true })],
])('a mask of %s: endpoints for white, black and transparent receive the same changed pixels', async (_what, make) => {
  const one = await caseOf([await noise()], await make().png().toBuffer());
  const received: Uint8Array[] = [];
  const { url } = await serve(async ({ headers, body }, response) => {
    const init = { headers: { 'content-type': headers['content-type'] ?? '' } };
    const mask = (await new Response(Buffer.from(body, 'latin1'), init).formData()).get('mask');
    if (mask instanceof Blob) received.push(new Uint8Array(await mask.arrayBuffer()));
    response.end();
  });
  for (const form of MASK_FORMS) await fetch(url, { method: 'POST', ...sentOf(masking(form), one) });
  const [white = [], ...others] = await Promise.all(
    MASK_FORMS.map((form, at) => changedOf(form, received[at] ?? new Uint8Array())),
  );
  expect(new Set(white).size).toBeGreaterThan(1);
  expect(others).toHaveLength(2);
  for (const other of others) {
    for (const hard of [0, 255])
      expect(other.map((value) => value === hard)).toEqual(white.map((value) => value === hard));
    expect(Math.max(...other.map((value, at) => Math.abs(value - (white[at] ?? 0))))).toBeLessThanOrEqual(1);
  }
});

test('one byte of the second image or of the mask changes the digests of the requests that send it, and no others', async () => {
  const [first, second, mask] = [await noise(), await noise(), await noise()];
  const longer = (bytes: Uint8Array) => Buffer.concat([bytes, Buffer.from([0])]);
  const digests = async (two: Uint8Array, masked: Uint8Array) => {
    const asked = [
      ['one', masking('white'), await caseOf([first], null)],
      ['two', masking('white'), await caseOf([first, two], null)],
      ...(await Promise.all(
        MASK_FORMS.map(async (form) => [form, masking(form), await caseOf([first, two], masked)] as const),
      )),
    ] as const;
    return asked.map(([name, variant, one]) => [name, requestDigest(variant, { case: one, seed: 1 })] as const);
  };
  const before = await digests(second, mask);
  expect(new Set(before.map(([, digest]) => digest)).size).toBe(5);
  const differing = async (...files: Parameters<typeof digests>) =>
    (await digests(...files)).flatMap(([name, digest], at) => (digest === before[at]?.[1] ? [] : [name]));
  expect(await differing(second, mask)).toEqual([]);
  expect(await differing(longer(second), mask)).toEqual(['two', ...MASK_FORMS]);
  expect(await differing(second, longer(mask))).toEqual([...MASK_FORMS]);
});

test.each([
  ['reference/text-to-image', /^2f4621d07bc18559/], // no image
  ['reference/image-to-video', /^20f96c20b51a7736/], // a form part
  ['bfl/flux-3-image-to-video', /^2daa8b8342be1c44/], // base64
])('the request digest of the preset %s is that from before edits', async (preset, digest) => {
  const images = INPUTS.slice(0, preset.includes('image-to-video') ? 1 : 0);
  expect(requestDigest(variantOf(await loadPreset(preset)), { case: caseWith({ images }), seed: 7 })).toMatch(digest);
});

test('$each and filters go over all images: spliced into a list, a list elsewhere, dropped where there is none', () => {
  const item = { $each: 'case.images', $item: { mime: '${each.image | mime}', data: '${each.image | b64}' } };
  const body = {
    parts: [{ text: '${case.prompt}' }, item, 'end'],
    images: item,
    mimes: '${case.images | mime}',
    second: '${case.images.1 | data_uri}',
  };
  const variant = editing(body, 'json', { images: { least: 0, most: 4 } });
  const sent = (count: number) =>
    JSON.parse(sentOf(variant, caseWith({ images: INPUTS.slice(0, count) })).body.toString()) as Json;
  const [one, two] = INPUTS.map(({ mime, bytes }) => ({ mime, data: bytes.toString('base64') }));
  const text = { text: 'a red fox' };
  const second = `data:image/jpeg;base64,${two?.data}`;
  expect(sent(2)).toEqual({
    parts: [text, one, two, 'end'],
    images: [one, two],
    mimes: ['image/png', 'image/jpeg'],
    second,
  });
  expect(sent(1)).toEqual({ parts: [text, one, 'end'], images: [one], mimes: ['image/png'] });
  expect(sent(0)).toEqual({ parts: [text, 'end'] });
});
