import { describe, expect, it, test } from 'vitest';
import { createBacklog } from '../../../src/run/calls/end-trial.ts';
import { createTally, decideStart, LEAD_MS } from '../../../src/run/calls/send-slice.ts';
import { beginningOfText } from '../../../src/run/refused-outputs.ts';
import { knowSecrets } from '../../../src/targets/secrets.ts';

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
const MIB = 1024 * 1024;

describe('the backlog', () => {
  it('the backlog does one large piece in each turn of the event loop, in the order they came', async () => {
    const backlog = createBacklog(MIB);
    const done: string[] = [];
    const works = ['a', 'b', 'c'].map((name) => backlog.add(MIB / 4, () => void done.push(name)));
    void turn().then(() => done.push('a start that was due'));
    await Promise.all(works);
    expect(done[0]).toBe('a');
    expect(done.filter((name) => name.length === 1)).toEqual(['a', 'b', 'c']);
    expect(done.indexOf('a start that was due')).toBeLessThan(done.indexOf('c'));
  });

  it('the backlog does small pieces together, so that a turn is not all cost', async () => {
    const backlog = createBacklog(MIB);
    const done: string[] = [];
    const works = ['a', 'b', 'c', 'd'].map((name) => backlog.add(1, () => void done.push(name)));
    await turn();
    expect(done).toEqual(['a', 'b', 'c', 'd']);
    await Promise.all(works);
  });

  it('the backlog has room again only when less than the bound waits', async () => {
    const backlog = createBacklog(10 * MIB);
    await backlog.room();
    const works = Array.from({ length: 8 }, () => backlog.add(3 * MIB, () => {}));
    let left = 8;
    for (const work of works) void work.then(() => (left -= 1));
    // Two beginners want room: neither is forgotten.
    await Promise.all([backlog.room(), backlog.room()]);
    expect(left).toBeLessThanOrEqual(4);
    expect(left).toBeGreaterThan(0);
    await Promise.all(works);
    await backlog.room();
  });

  it('the backlog has room for one who wants few pieces waiting only when there are so few', async () => {
    const backlog = createBacklog(10 * MIB);
    let left = 8;
    const works = Array.from({ length: left }, () => backlog.add(MIB / 4, () => void left--));
    await backlog.room();
    expect(left).toBeGreaterThan(3);
    await backlog.room(3);
    expect(left).toBeLessThan(3);
    expect(left).toBeGreaterThan(0);
    await Promise.all(works);
  });

  it('the backlog goes on after a piece that throws, and says so', async () => {
    const backlog = createBacklog(MIB);
    const broken = backlog.add(1, () => {
      throw new Error('the disk is full');
    });
    let done = false;
    const next = backlog.add(1, () => {
      done = true;
    });
    await expect(broken).rejects.toThrow('the disk is full');
    await next;
    expect(done).toBe(true);
    await backlog.room();
  });
});

const DUE = 1000;
const HAND_OVER = DUE - LEAD_MS;

describe('the next start of open load', () => {
  it.each([
    // Free places: it is handed over a little ahead of its time, and not before.
    { what: 'long before', nowMs: 0, inFlight: 0, start: { is: 'wait', untilMs: HAND_OVER } },
    { what: 'just before the lead', nowMs: HAND_OVER - 0.1, inFlight: 3, start: { is: 'wait', untilMs: HAND_OVER } },
    { what: 'at the lead', nowMs: HAND_OVER, inFlight: 3, start: { is: 'begin' } },
    // This machine was busy: it begins late rather than never.
    { what: 'late', nowMs: DUE + 500, inFlight: 3, start: { is: 'begin' } },
    // No free place: until its time one may come free; at its time it is dropped.
    { what: 'no place, long before', nowMs: 0, inFlight: 4, start: { is: 'wait', untilMs: DUE } },
    { what: 'no place at the lead', nowMs: HAND_OVER, inFlight: 4, start: { is: 'wait', untilMs: DUE } },
    { what: 'no place at its time', nowMs: DUE, inFlight: 4, start: { is: 'drop' } },
    { what: 'no place, late', nowMs: DUE + 500, inFlight: 4, start: { is: 'drop' } },
  ] as const)('the next start of open load with $what is $start.is', ({ nowMs, inFlight, start }) => {
    expect(decideStart({ dueMs: DUE, nowMs, inFlight, ceiling: 4 })).toEqual(start);
  });
});

describe('the tally', () => {
  it('the tally counts work until it ended, however it ended, and says when none is left', async () => {
    const tally = createTally();
    await tally.allEnded();
    const works = [
      Promise.resolve('a'),
      Promise.reject(new Error('broken')),
      new Promise((resolve) => setImmediate(resolve)),
    ];
    const counted = works.map((work) => tally.of(work));
    expect(tally.count()).toBe(3);
    const results = await Promise.allSettled(counted.slice(0, 2));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(tally.count()).toBe(1);
    await tally.allEnded();
    expect(tally.count()).toBe(0);
  });
});

const utf8 = (text: string) => new TextEncoder().encode(text);

test.each([
  ['a page', utf8('<html>\n  <h1>Gone</h1>\n</html>'), '<html>   <h1>Gone</h1> </html>'],
  ['nothing', new Uint8Array(), ''],
  ['bytes that are no text', new Uint8Array([0x89, 0x50, 0, 1]), ''],
  ['text with a zero byte', utf8('abc\u0000def'), ''],
  ['a character cut at the end of what is looked at', utf8(`${'a'.repeat(16 * 1024 - 1)}é`), `${'a'.repeat(159)}…`],
])('beginningOfText of %s', (_what, bytes, expected) => {
  expect(beginningOfText(bytes, knowSecrets([]).redact)).toBe(expected);
});

test.each([
  ['at the beginning', 'sk-telling-0123456789 is wrong', '[redacted] is wrong'],
  ['cut where looking ends', `no${' '.repeat(16 * 1024 - 10)}sk-telling-0123456789`, 'no'],
])('a secret %s of a text is not in what is shown of it', (_where, text, shown) => {
  expect(beginningOfText(utf8(text), knowSecrets(['sk-telling-0123456789']).redact)).toBe(shown);
});
