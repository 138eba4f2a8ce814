import { describe, expect, test } from 'vitest';
import { encodeBody } from '../../src/targets/outgoing.ts';
import { renderSubmit, requestDigest } from '../../src/targets/request.ts';
import { caseWith, readTarget, SMALLEST, targetWith, variantOf } from './target-fixture.ts';

const SCOPE = { baseUrl: 'http://127.0.0.1:9/api', secrets: { KEY: 'sk-secret' }, digest: 'ab'.repeat(32) };
const IMAGE = {
  fileName: 'c"a\nt.png',
  sha256: 'cd'.repeat(32),
  mime: 'image/png',
  width: 1,
  height: 1,
  alpha: false,
  bytes: new Uint8Array([0, 13, 10, 255]),
};

const BODY = {
  prompt: '${case.prompt}',
  seed: '${case.seed | str}',
  style: '${case.style}',
  n: 1,
  file: '${case.image | file}',
};

function text(bytes: Uint8Array | undefined): string {
  return Buffer.from(bytes ?? []).toString('latin1');
}

describe('rendering', () => {
  test('a JSON body keeps types, and leaves out what is not given', () => {
    const submit = {
      path: '/g',
      body: { prompt: '${case.prompt}', seed: '${case.seed}', style: '${case.style}', list: ['${case.style}', 1] },
    };
    const variant = variantOf(targetWith({ submit }));
    const request = renderSubmit(variant, { case: caseWith(), seed: 5 }, SCOPE);
    expect(request).toEqual({
      method: 'POST',
      url: 'http://127.0.0.1:9/api/g',
      headers: [],
      credential: null,
      body: { encoding: 'json', value: { prompt: 'a red fox', seed: 5, list: [1] } },
      constants: expect.anything(),
    });
    const unseeded = renderSubmit(variant, { case: caseWith(), seed: null }, SCOPE);
    expect(unseeded.body).toMatchObject({ value: { prompt: 'a red fox', list: [1] } });
    expect(text(encodeBody(request.body)?.bytes)).toBe('{"prompt":"a red fox","seed":5,"list":[1]}');
  });

  test('a multipart body has the bytes that browsers would send, with newlines as they are in JSON', () => {
    const submit = { path: '/g', encoding: 'multipart', body: { ...BODY, 'na"me': 'a\nb' } };
    const variant = variantOf(targetWith({ submit }));
    const { body } = renderSubmit(variant, { case: caseWith({ images: [IMAGE], text: 'ein Fück' }), seed: 5 }, SCOPE);
    const encoded = encodeBody(body);
    const boundary = body.encoding === 'multipart' ? body.boundary : '';
    expect(boundary).toBe(`----retake-${SCOPE.digest.slice(0, 32)}`);
    expect(encoded?.contentType).toBe(`multipart/form-data; boundary=${boundary}`);
    const parts = [
      ['Content-Disposition: form-data; name="prompt"', '', Buffer.from('ein Fück').toString('latin1')],
      ['Content-Disposition: form-data; name="seed"', '', '5'],
      ['Content-Disposition: form-data; name="n"', '', '1'],
      [
        'Content-Disposition: form-data; name="file"; filename="c%22a%0At.png"',
        'Content-Type: image/png',
        '',
        '\x00\r\n\xff',
      ],
      ['Content-Disposition: form-data; name="na%22me"', '', 'a\nb'],
    ];
    const sent = parts.map((lines) => `--${boundary}\r\n${lines.join('\r\n')}\r\n`);
    expect(text(encoded?.bytes)).toBe(`${sent.join('')}--${boundary}--\r\n`);
  });

  test('a form body and a raw body are rendered', () => {
    const form = variantOf(
      targetWith({ submit: { path: '/g', encoding: 'form', body: { p: '${case.prompt}', t: '${case.tags}' } } }),
    );
    const tagged = renderSubmit(form, { case: caseWith({ text: 'a&b=ü', tags: ['x', 'y'] }), seed: 1 }, SCOPE);
    expect(text(encodeBody(tagged.body)?.bytes)).toBe('p=a%26b%3D%C3%BC&t=x&t=y');
    const raw = variantOf(targetWith({ submit: { path: '/g', encoding: 'raw', body: '${case.image | file}' } }));
    const image = renderSubmit(raw, { case: caseWith({ images: [IMAGE] }), seed: 1 }, SCOPE);
    expect(encodeBody(image.body)).toEqual({ bytes: Buffer.from(IMAGE.bytes), contentType: 'image/png' });
  });

  test('a path, query, headers and credential are rendered', () => {
    const target = targetWith({
      const: { model: 'owner/model v1', none: null },
      auth: { in: 'header', name: 'X-Key', value: 'Key ${secret.KEY}' },
      submit: {
        path: '/m/${const.model}/${case.id}',
        query: { seed: '${case.seed}', none: '${const.none}', q: 'a b' },
        headers: { 'X-Model': '${const.model}', 'X-None': '${const.none}' },
      },
    });
    const request = renderSubmit(variantOf(target), { case: caseWith({ id: 'a/b' }), seed: 3 }, SCOPE);
    expect(request).toMatchObject({
      url: 'http://127.0.0.1:9/api/m/owner/model%20v1/a%2Fb?seed=3&q=a+b',
      headers: [['x-model', 'owner/model v1']],
      credential: { in: 'header', name: 'x-key', value: 'Key sk-secret' },
      body: { encoding: 'none' },
    });
  });

  test.each([
    ['a constant that climbs out of the base', { path: '/${const.c}/x' }, { c: '../../admin' }],
    ['a header with a line break', { path: '/g', headers: { 'x-c': '${const.c}' } }, { c: 'a\r\nx: y' }],
    ['an image in JSON', { path: '/g', body: { f: '${case.image}', c: '${const.c}' } }, { c: 1 }],
    ['an object as a form field', { path: '/g', encoding: 'form', body: { c: '${const.c}' } }, { c: { a: 1 } }],
  ])('rendering refuses %s', (_what, submit, constants) => {
    const variant = variantOf(targetWith({ submit, const: constants }));
    expect(() => renderSubmit(variant, { case: caseWith({ images: [IMAGE] }), seed: 1 }, SCOPE)).toThrow(/^standard: /);
  });
});

describe('what is unique to a call', () => {
  const variant = variantOf(targetWith({ submit: { path: '/g', body: { a: '${run.unique}', b: 'x-${run.unique}' } } }));
  const inputs = { case: caseWith(), seed: 1 };

  test('a value unique to a call is the same all over one submit, and another in the next', () => {
    const bodies = [1, 2].map(() => renderSubmit(variant, inputs, SCOPE).body);
    const values = bodies.map((body) => (body.encoding === 'json' ? body.value : null));
    for (const value of values) {
      expect(value).toEqual({
        a: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
        b: expect.any(String),
      });
      expect(value).toHaveProperty('b', `x-${String((value as { a: string }).a)}`);
    }
    expect(values[0]).not.toEqual(values[1]);
  });

  test('a value unique to a call does not count in the digest, and is known in the submit alone', () => {
    expect(requestDigest(variant, inputs)).toBe(requestDigest(variant, inputs));
    const elsewhere = readTarget(JSON.stringify({ ...SMALLEST, submit: { path: '/g', body: { a: '${run.jwt}' } } }));
    expect(elsewhere).toMatchObject({
      wrong: [expect.stringMatching(/"run.jwt" cannot be used here.*run.unique in submit/s)],
    });
  });
});

describe('the request digest', () => {
  const submit = { path: '/g', encoding: 'multipart', body: { ...BODY, k: '${secret.KEY}' } };
  const variant = variantOf(targetWith({ submit }));
  const digest = (keys: Parameters<typeof caseWith>[0], seed: number | null = 1) =>
    requestDigest(variant, { case: caseWith(keys), seed });

  test('the request digest is that of what is asked', () => {
    expect(digest({})).toMatch(/^[0-9a-f]{64}$/);
    expect(digest({})).toBe(digest({}));
    const all = [digest({}), digest({ text: 'other' }), digest({}, 2), digest({}, null), digest({ images: [IMAGE] })];
    expect(new Set(all).size).toBe(all.length);
    expect(digest({ id: 'renamed', tags: ['t'] })).toBe(digest({}));
  });

  test('the request digest knows files by their digest, and neither host nor secrets', () => {
    const renamed = { ...IMAGE, fileName: 'other.png', bytes: new Uint8Array(0) };
    expect(digest({ images: [renamed] })).toBe(digest({ images: [IMAGE] }));
    const moved = variantOf(targetWith({ submit, base_url: 'https://elsewhere.example/v9' }));
    expect(requestDigest(moved, { case: caseWith(), seed: 1 })).toBe(digest({}));
    const keyed = variantOf(targetWith({ submit, auth: { in: 'header', name: 'a', value: '${secret.OTHER}' } }));
    expect(requestDigest(keyed, { case: caseWith(), seed: 1 })).toBe(digest({}));
  });

  test('the request digest does not depend on the order of JSON keys', () => {
    const one = variantOf(targetWith({ submit: { path: '/g', body: { a: 1, b: { c: 2, d: 3 } } } }));
    const two = variantOf(targetWith({ submit: { path: '/g', body: { b: { d: 3, c: 2 }, a: 1 } } }));
    const inputs = { case: caseWith(), seed: 1 };
    expect(requestDigest(one, inputs)).toBe(requestDigest(two, inputs));
  });
});
