import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import type { HandedCall, ToWire } from '../../../src/run/events.ts';
import type { InputImage } from '../../../src/suite/suite.ts';
import type * as Requests from '../../../src/targets/request.ts';
import { type RunningWire, startMeasuringWire } from '../../fixtures/measured-run.ts';
import { json, png } from '../../targets/call/calling.ts';
import { serve } from '../../targets/loopback.ts';
import { caseWith, targetWith, variantOf } from '../../targets/target-fixture.ts';

/** The large ones are encoded in steps, the second where the first was. */
const SIZES = [1000, 460_000, 450_001] as const;
const DIGEST = 'ab'.repeat(32);
const BOUNDARY = `----retake-${DIGEST.slice(0, 32)}`;

function imageOf(size: number): InputImage {
  const bytes = Uint8Array.from({ length: size }, (_, at) => (at * 7 + (at >> 9)) & 255);
  return { fileName: 'fox.png', mime: 'image/png', sha256: 'cd'.repeat(32), width: 1, height: 1, alpha: false, bytes };
}

/** Text with what must be escaped, and a surrogate pair wherever a step of 384 KiB ends. */
function textOf(size: number): string {
  return `abcde${'"ü🦊\\\n& '.repeat(Math.ceil(size / 8))}`;
}

const base64 = ({ bytes }: InputImage) => Buffer.from(bytes).toString('base64');
const latin1 = (text: string) => Buffer.from(text, 'utf8').toString('latin1');

const ENCODINGS: readonly {
  readonly what: string;
  readonly submit: { readonly encoding: string; readonly body: string | Record<string, string> };
  readonly sent: (image: InputImage, text: string) => string;
}[] = [
  {
    what: 'JSON with base64',
    submit: { encoding: 'json', body: { prompt: '${case.prompt}', image: '${case.image | b64}' } },
    sent: (image, text) => latin1(JSON.stringify({ prompt: text, image: base64(image) })),
  },
  {
    what: 'JSON with a data URI within a longer text',
    submit: { encoding: 'json', body: { at: 'see ${case.image | data_uri}', uri: '${case.image | data_uri}' } },
    sent: (image) => {
      const uri = `data:image/png;base64,${base64(image)}`;
      return JSON.stringify({ at: `see ${uri}`, uri });
    },
  },
  {
    what: 'a form',
    submit: { encoding: 'form', body: { image: '${case.image | b64}', prompt: '${case.prompt}' } },
    sent: (image, text) => new URLSearchParams({ image: base64(image), prompt: text }).toString(),
  },
  {
    what: 'multipart',
    submit: { encoding: 'multipart', body: { prompt: '${case.prompt}', file: '${case.image | file}' } },
    sent: ({ bytes }, text) =>
      [
        `--${BOUNDARY}\r\nContent-Disposition: form-data; name="prompt"\r\n\r\n${latin1(text)}\r\n`,
        `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="fox.png"\r\nContent-Type: image/png\r\n\r\n`,
        `${Buffer.from(bytes).toString('latin1')}\r\n--${BOUNDARY}--\r\n`,
      ].join(''),
  },
  {
    what: 'a raw image',
    submit: { encoding: 'raw', body: '${case.image | file}' },
    sent: ({ bytes }) => Buffer.from(bytes).toString('latin1'),
  },
  { what: 'a raw text', submit: { encoding: 'raw', body: '${case.image | b64}' }, sent: base64 },
];

const THROTTLED = [{ when: { status: 429 }, is: 'throttled', after: 'header:retry-after-ms' }];
const VARIANTS = ENCODINGS.map(({ submit }, at) =>
  variantOf(targetWith({ id: `test/encoding-${at}`, submit: { path: '/g', ...submit }, fail: THROTTLED })),
);

let wire: RunningWire['wire'];
beforeAll(async () => {
  ({ wire } = await startMeasuringWire(VARIANTS, 1));
});
afterAll(() => wire.close());

test.each(ENCODINGS.map((encoding, at) => ({ ...encoding, at })))(
  'a body is handed to the wire thread as bytes, and arrives unchanged at each attempt: $what',
  async ({ at, sent }) => {
    // The wire is the built one, and knows the values of the built module.
    const { renderSubmit }: typeof Requests = await import(
      new URL('../../../dist/targets/request.js', import.meta.url).href
    );
    const posted = vi.spyOn(Worker.prototype, 'postMessage');
    onTestFinished(() => posted.mockRestore());
    // Each first attempt is refused.
    const server = await serve((_seen, response, count) =>
      count % 2 === 1 ? json(response, 429, {}, { 'retry-after-ms': '1' }) : png(response),
    );
    const variant = VARIANTS[at];
    if (variant === undefined) throw new Error('every encoding has a variant');
    const cases = SIZES.map((size) => caseWith({ images: [imageOf(size)], text: textOf(size) }));
    for (const asked of cases) {
      const scope = { baseUrl: server.url, secrets: {}, digest: DIGEST };
      const result = await wire.call(
        {
          target: variant.target.id,
          baseUrl: server.url,
          submit: renderSubmit(variant, { case: asked, seed: 1 }, scope),
          timeoutMs: 60_000,
          onThrottle: 'wait',
        },
        () => true,
      );
      expect(result).toMatchObject({ outcome: 'ok', attempts: 2 });
    }

    const wanted = cases.flatMap(({ images: [image], text }) => {
      const whole = image === undefined ? '' : sent(image, text);
      return [whole, whole];
    });
    expect(server.seen.map(({ body }) => body.length)).toEqual(wanted.map(({ length }) => length));
    expect(server.seen.every(({ body }, index) => body === wanted[index])).toBe(true);
    const handed = posted.mock.calls.flatMap(([messages]) => handedIn(messages));
    expect(handed.map(({ submit: { body } }) => body?.bytes instanceof Uint8Array)).toEqual([true, true, true]);
    // The thread gets them without a copy: a small one is moved, large ones are where both threads see them.
    const [small, ...large] = handed.map(({ submit: { body } }) => body?.bytes.buffer);
    expect(small?.byteLength).toBe(0);
    expect(large.map((buffer) => buffer instanceof SharedArrayBuffer)).toEqual([true, true]);
    expect(large[1]).toBe(large[0]);
  },
);

function handedIn(messages: unknown): readonly HandedCall[] {
  return (messages as readonly ToWire[]).flatMap((message) => (message.message === 'call' ? [message.request] : []));
}
