import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSharing, DamagedLine, readLines, shapeOf } from '../../../src/record/files/read-lines.ts';
import { encodeEvent } from '../../../src/record/journal/journal-file.ts';
import type { JournalEvent } from '../../../src/record/journal.ts';
import { journalSchema } from '../../../src/record/journal.ts';
import { buildOk, buildTrial, digestOf } from '../../fixtures/stored-run-builder.ts';

const shape = shapeOf(journalSchema);
const text = fc.string({ unit: 'binary', maxLength: 40 });
const trial = fc.record({
  id: text,
  variant: text,
  kind: fc.constant('text-to-image' as const),
  prompt: text,
  seed: fc.nat(),
  repeat: fc.integer({ min: 1, max: 9 }),
  block: text,
  phase: fc.constant('trial' as const),
  requestDigest: text.map(digestOf),
});
const event: fc.Arbitrary<JournalEvent> = fc.oneof(
  fc.record({
    event: fc.constant('intent' as const),
    segment: fc.integer({ min: 1, max: 9 }),
    slice: fc.nat(),
    trial,
    atMs: fc.double({ noNaN: true, min: 0, max: 1e15 }),
  }),
  fc.record({
    event: fc.constant('attempt' as const),
    segment: fc.integer({ min: 1, max: 9 }),
    trial: text,
    attempt: fc.integer({ min: 1, max: 9 }),
    httpStatus: fc.nat(),
    waitMs: fc.nat(),
    atMs: fc.nat(),
  }),
);

function read(pieces: readonly string[]) {
  const reader = readLines(shape, createSharing());
  for (const piece of pieces) reader.push(piece);
  return reader.end();
}

describe('the journal', () => {
  it('the journal reads back what was written, in whatever pieces it comes', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 8 }), fc.integer({ min: 1, max: 50 }), (events, size) => {
        const written = events.map(encodeEvent).join('');
        const pieces = written.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? [];
        expect(read(pieces)).toEqual({ values: JSON.parse(JSON.stringify(events)), torn: false });
      }),
    );
  });

  it('the journal holds once what its events repeat, and reads back what was written', () => {
    const trial = buildTrial();
    const ok = buildOk(20, 'fox');
    const events: readonly JournalEvent[] = [
      { event: 'intent', segment: 1, slice: 0, trial, atMs: 1 },
      { event: 'sample', sample: { ...ok, trial } },
      // A record may say another thing of a trial than its intent did.
      { event: 'sample', sample: { ...ok, trial: { ...trial, variant: `${trial.variant} of another` } } },
    ];
    const lines = events.map(encodeEvent);
    const { values } = read(lines);
    expect(values.map(encodeEvent)).toEqual(lines);
    const [begun, same, other] = values.map((value) => {
      if (value.event === 'intent') return value.trial;
      return value.event === 'sample' ? value.sample.trial : null;
    });
    expect(same).toBe(begun);
    expect(other).not.toBe(begun);
  });

  it('the journal drops a torn last line, wherever it was torn, and says so', () => {
    fc.assert(
      fc.property(
        event,
        event,
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (first, second, share) => {
          const line = encodeEvent(second);
          const kept = Math.floor(share * line.length);
          const { values, torn } = read([encodeEvent(first), line.slice(0, kept)]);
          expect(values).toHaveLength(1);
          expect(torn).toBe(kept > 0);
        },
      ),
    );
  });

  const intent = { event: 'intent', segment: 1, slice: 0, trial: buildTrial(), atMs: 1 };
  it.each([
    ['{"event":"intent"', 'the line is not JSON'],
    ['', 'the line is not JSON'],
    ['{"event":"party"}', 'event must not be "party"'],
    ['[]', 'this must be a mapping, not a list'],
    ['{"event":"accepted","segment":1,"trial":"a","atMs":1}', 'captured is missing'],
    [
      JSON.stringify({ ...intent, trial: { ...intent.trial, seed: '1' } }),
      'trial.seed must be a whole number, not "1"',
    ],
    [JSON.stringify({ ...intent, trial: { ...intent.trial, sed: 1 } }), 'trial.sed is not a known field'],
  ])('the journal names a line that is damaged elsewhere, and the field: %j', (bad, cause) => {
    const good = encodeEvent({ event: 'segment', state: 'started', segment: 1, originAt: '2026-01-01T00:00:00.000Z' });
    const damaged = () => read([good, `${bad}\n`, good]);
    expect(damaged).toThrow(DamagedLine);
    expect(damaged).toThrow(expect.objectContaining({ line: 2, causes: [cause] }));
  });
});
