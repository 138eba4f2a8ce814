import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createEventReader, type ServerEvent } from '../../../src/targets/transport/event-stream.ts';
import { createBody } from '../../../src/targets/transport/exchange.ts';
import { createAbort } from '../../../src/targets/wire.ts';
import { draws } from '../../test-options.ts';

/** Reads a text cut at the given places, one millisecond a piece. */
function read(text: string, cuts: readonly number[] = []): readonly ServerEvent[] {
  const bytes = Buffer.from(text, 'utf8');
  const ends = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  const reader = createEventReader();
  return [...ends, bytes.length].flatMap((end, index) => reader.push(bytes.subarray(ends[index - 1] ?? 0, end), index));
}

function plain(events: readonly ServerEvent[]) {
  return events.map(({ name, data }) => [name, data]);
}

test.each<[string, readonly (readonly [string, string])[]]>([
  ['data: a\n\n', [['message', 'a']]],
  [
    'event: x\ndata: a\ndata: b\n\ndata:c\r\rdata\r\n\r\n',
    [
      ['x', 'a\nb'],
      ['message', 'c'],
      ['message', ''],
    ],
  ],
  ['\ufeffdata:  two\n\n', [['message', ' two']]],
  [': comment\n\nevent: lone\n\ndata: kept\n\n', [['message', 'kept']]],
  ['id: 1\nretry: 5\nother: x\ndata: {"a":"é"}\n\n', [['message', '{"a":"é"}']]],
  ['data: never ended\n', []],
  ['', []],
])('the events of the stream %j', (text, events) => {
  expect(plain(read(text))).toEqual(events);
});

test('however the stream is cut, the events are the same', () => {
  const text = ': hi\r\nevent: partial\r\ndata: é1\r\n\r\ndata: 2\n\nevent: done\rdata: 3\rdata: 4\r\rdata: rest';
  const whole = plain(read(text));
  expect(whole).toEqual([
    ['partial', 'é1'],
    ['message', '2'],
    ['done', '3\n4'],
  ]);
  const sameWhereverCut = fc.property(fc.array(fc.nat()), (cuts) => {
    expect(plain(read(text, cuts))).toEqual(whole);
  });
  fc.assert(sameWhereverCut);
});

test('an event begins with its first byte and ends with its last', () => {
  const events = read('data: a\n\ndata: long\n\n', [9, 12, 17]);
  expect(events.map(({ beganMs, endedMs }) => [beganMs, endedMs])).toEqual([
    [0, 0],
    [1, 3],
  ]);
});

test('an abort tells each listener once, in order, and none that left or came too late', () => {
  const { signal, abort } = createAbort();
  const told: string[] = [];
  const left = () => void told.push('left');
  const second = () => void told.push('second');
  const gone = () => void told.push('gone');
  signal.addEventListener('abort', () => {
    told.push('first');
    signal.removeEventListener('abort', gone);
  });
  signal.addEventListener('abort', left);
  signal.addEventListener('abort', second);
  signal.addEventListener('abort', gone);
  signal.removeEventListener('abort', left);
  expect(signal.aborted).toBe(false);
  abort();
  abort();
  signal.addEventListener('abort', () => void told.push('late'));
  expect(signal.aborted).toBe(true);
  expect(told).toEqual(['first', 'second']);
});

test('a body is what came, in whatever pieces and whatever length was announced', () => {
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 40 }),
    fc.uint8Array({ minLength: 16_000, maxLength: 40_000, size: 'max' }),
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 12 }),
      fc.option(fc.nat(400_000)),
      fc.boolean(),
      (pieces, other, right) => {
        const length = pieces.reduce((sum, { byteLength }) => sum + byteLength, 0);
        const body = createBody(right ? length : other);
        for (const each of pieces) body.add(each);
        const whole = body.whole();
        expect(Buffer.compare(whole, Buffer.concat(pieces))).toBe(0);
        expect(whole.byteLength).toBe(whole.buffer.byteLength);
      },
    ),
    { numRuns: draws(40) },
  );
});
