import { expect, test } from 'vitest';
import { createEventReader, type ServerEvent } from '../../../src/targets/transport/event-stream.ts';
import { createAbort } from '../../../src/targets/wire.ts';

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
