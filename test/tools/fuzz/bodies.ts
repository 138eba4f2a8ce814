import assert from 'node:assert/strict';
import fc from 'fast-check';
import { numberIn } from '../../../src/kit/decimal.ts';
import { readJsonText } from '../../../src/targets/language/json-limits.ts';
import { encodeBody } from '../../../src/targets/outgoing.ts';
import { declaredMime, readableReply, showReply } from '../../../src/targets/reply/reply.ts';
import { knowSecrets } from '../../../src/targets/secrets.ts';
import { createEventReader } from '../../../src/targets/transport/event-stream.ts';
import { createBody } from '../../../src/targets/transport/exchange.ts';
import { broken, brokenText } from './break-json.ts';
import { property } from './property.ts';

const STREAMS = [
  ': hi\r\nevent: partial\r\ndata: é1\r\n\r\ndata: 2\n\nevent: done\rdata: 3\rdata: 4\r\rdata: rest',
  '\ufeffdata:  two\n\nid: 1\nretry: 5\ndata: {"a":"💥"}\n\ndata\n\n',
];

/** The events of a whole stream, by the standard's own grammar (WHATWG HTML, "Parsing an event stream"). */
function eventsByGrammar(text: string): readonly (readonly [string, string])[] {
  const blocks: string[][] = [[]];
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/);
  for (const line of lines.slice(0, -1)) {
    if (line === '') blocks.push([]);
    else blocks.at(-1)?.push(line);
  }
  return blocks.slice(0, -1).flatMap((block) => {
    const fields = block.map((line) => /^([^:]*)(?::(?: )?([\s\S]*))?$/.exec(line) ?? []);
    const data = fields.filter(([, name]) => name === 'data').map(([, , value = '']) => value);
    const [, , name = ''] = fields.findLast(([, field]) => field === 'event') ?? [];
    return data.length === 0 ? [] : [[name === '' ? 'message' : name, data.join('\n')] as const];
  });
}

/** Bytes in pieces of the given lengths, in turn. */
function* piecesOf(bytes: Uint8Array, lengths: readonly number[]): Generator<Uint8Array> {
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const length = lengths[turn % lengths.length] ?? 1;
    yield bytes.subarray(at, at + length);
    at += length;
  }
}

const lengths = fc.array(fc.integer({ min: 1, max: 40_000 }), { minLength: 1, maxLength: 5 });
const partName = fc.oneof(
  fc.constantFrom('a', 'a"b', 'a\r\nb', '__proto__', '', 'ü💥', '%22'),
  fc.string({ unit: 'grapheme' }),
);

export const BODY_PROPERTIES = [
  property({
    kind: 'event-streams',
    promise: 'a stream of server-sent events gives the events of the standard, however it is cut',
    share: 14,
    inputs: fc.record({ text: brokenText(STREAMS), lengths }),
    hold: ({ text, lengths: cuts }) => {
      const reader = createEventReader();
      const bytes = Buffer.from(text, 'utf8');
      const events = [...piecesOf(bytes, cuts)].flatMap((piece, at) => reader.push(piece, at));
      assert.deepEqual(
        events.map(({ name, data }) => [name, data]),
        eventsByGrammar(bytes.toString('utf8')),
      );
      assert.ok(events.every(({ beganMs, endedMs }) => beganMs <= endedMs));
    },
  }),
  property({
    kind: 'multipart',
    promise: 'a multipart body is read back by another parser as it was written',
    share: 10,
    inputs: fc.array(
      fc.record({
        name: partName,
        content: fc.oneof(
          fc.record({ value: fc.oneof(fc.string({ unit: 'grapheme' }), brokenText(['a\nb', '--retake\r\n'])) }),
          fc.record({ bytes: fc.uint8Array({ maxLength: 300 }), fileName: fc.constantFrom('a.png', 'é"\n.png', '.') }),
        ),
      }),
      { minLength: 1, maxLength: 4 },
    ),
    hold: async (given) => {
      const parts = given.map(({ name, content }) =>
        'value' in content
          ? { name, value: content.value }
          : { name, file: { ...content, mime: 'image/png', sha256: '', path: 'a.png' } },
      );
      const encoded = encodeBody({ encoding: 'multipart', boundary: 'retake-8a7f0c4e2b91d653', parts });
      if (encoded === null) assert.fail('no body');
      const headers = { 'content-type': encoded.contentType };
      const form = await new Response(new Uint8Array(encoded.bytes), { headers }).formData();
      // A lone surrogate becomes the replacement character.
      const asUtf8 = (text: string) => Buffer.from(text, 'utf8').toString('utf8');
      const read = [...form.entries()];
      assert.equal(read.length, given.length);
      for (const [at, [name, value]] of read.entries()) {
        const { name: sent, content } = given[at] ?? assert.fail();
        // What a quoted name must not hold is escaped, as browsers do.
        const unescaped = (text: string) => text.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%22', '"');
        assert.equal(unescaped(name), unescaped(asUtf8(sent)));
        if ('value' in content)
          assert.equal(value, asUtf8(content.value).replace(/^\ufeff/, '')); // the parser drops the mark
        else if (typeof value === 'string') assert.fail('a file became text');
        else assert.deepEqual(new Uint8Array(await value.arrayBuffer()), new Uint8Array(content.bytes));
      }
    },
  }),
  property({
    kind: 'collected-bodies',
    promise: 'a body is the bytes that came, whatever length was announced and in whatever pieces they come',
    share: 6,
    inputs: fc.record({
      bytes: fc.uint8Array({ maxLength: 2000 }),
      times: fc.integer({ min: 1, max: 40 }),
      lengths,
      announced: fc.option(fc.oneof(fc.nat({ max: 100_000 }), fc.constantFrom(0, 2 ** 53, 16 * 2 ** 20))),
    }),
    hold: ({ bytes, times, lengths: cuts, announced }) => {
      const whole = Buffer.concat(Array.from({ length: times }, () => bytes));
      const body = createBody(announced);
      for (const piece of piecesOf(whole, cuts)) body.add(piece);
      assert.ok(Buffer.from(body.whole()).equals(whole));
    },
  }),
  property({
    kind: 'replies',
    promise: 'a JSON reply is read or refused with a reason, and shown without its secrets',
    share: 8,
    inputs: fc.record({
      body: fc.oneof(
        broken([
          { images: [{ url: 'https://a/b.png', seed: 7 }], error: { code: 'x', message: 'no key sk-live-1234' } },
        ]).map((body) => JSON.stringify(body)),
        brokenText(['{"images":[{"url":"https://a/b.png"}],"key":"sk-live-1234"}']),
      ),
      type: brokenText([
        'image/png',
        'application/json; charset=utf-8',
        'IMAGE/PNG ;q=0.1',
        'multipart/mixed; boundary="a"',
      ]),
    }),
    hold: ({ body, type }) => {
      const { value, refused } = readJsonText(body);
      assert.ok(refused === null || value === undefined);
      if (value !== undefined && isJson(body)) {
        // Those above 2^53 are texts.
        const numbers = (_key: string, item: unknown) => numberIn(item) ?? item;
        assert.deepEqual(JSON.parse(JSON.stringify(value), numbers), JSON.parse(body, numbers));
      }
      // What is not JSON is read for these words alone.
      else if (value !== undefined) assert.match(body, /NaN|Infinity/);
      const reply = readableReply({ status: 200, headers: [['content-type', type]], body: Buffer.from(body) });
      const mime = declaredMime(reply);
      assert.ok(mime === null || /^[!-~]+\/[!-~]+$/.test(mime));
      const secrets = knowSecrets(['sk-live-1234']);
      assert.ok(!secrets.redact(showReply(reply), 1000).includes('sk-live-1234'));
    },
  }),
];

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
