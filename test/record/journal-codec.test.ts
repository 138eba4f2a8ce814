import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Fact } from '../../src/record/fact.ts';
import type { JournalEvent } from '../../src/record/journal.ts';
import { DamagedLine, encodeEvent, encodeFact, readFacts, readJournal } from '../../src/record/journal-codec.ts';

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
  requestDigest: text,
});
const event: fc.Arbitrary<JournalEvent> = fc.oneof(
  fc.record({
    event: fc.constant('intent' as const),
    segment: fc.nat(),
    slice: fc.nat(),
    trial,
    atMs: fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 }),
  }),
  fc.record({
    event: fc.constant('attempt' as const),
    segment: fc.nat(),
    trial: text,
    attempt: fc.nat(),
    httpStatus: fc.nat(),
    waitMs: fc.nat(),
    atMs: fc.nat(),
  }),
);

function read(pieces: readonly string[]) {
  const reader = readJournal();
  for (const piece of pieces) reader.push(piece);
  return reader.end();
}

describe('the journal', () => {
  it('reads back what was written, in whatever pieces it comes', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 8 }), fc.integer({ min: 1, max: 50 }), (events, size) => {
        const written = events.map(encodeEvent).join('');
        const pieces = written.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? [];
        expect(read(pieces)).toEqual({ values: JSON.parse(JSON.stringify(events)), torn: false });
      }),
    );
  });

  it('drops a torn last line, wherever it was torn, and says so', () => {
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

  it.each(['{"event":"intent"', '{"event":"party"}', '[]', '', '{"event":"sample","sample":{}}'])(
    'names a line that is damaged elsewhere: %j',
    (bad) => {
      const good = encodeEvent({
        event: 'segment',
        state: 'started',
        segment: 1,
        originAt: '2026-01-01T00:00:00.000Z',
      });
      const damaged = () => read([good, `${bad}\n`, good]);
      expect(damaged).toThrow(DamagedLine);
      expect(damaged).toThrow(expect.objectContaining({ line: 2 }));
    },
  );
});

describe('readFacts', () => {
  it('reads what was written before video was decoded, and what is written now', () => {
    const about = { fact: 'output', sha256: 'ab', bytes: 7, mime: 'video/mp4' } as const;
    const video = {
      fps: 24,
      durationS: 2,
      codec: 'h264',
      pixelFormat: 'yuv420p',
      framesSha256: 'cd',
      preview: true,
    };
    const older: Fact = { ...about, decodes: null, reason: { code: 'no_demuxer', mime: 'video/mp4' } };
    const sound: Fact = { ...about, decodes: true, width: 320, height: 180, frames: 48, thumbnail: true };
    const facts: readonly Fact[] = [older, sound, { ...sound, video }];
    const reader = readFacts();
    for (const fact of facts) reader.push(encodeFact(fact));
    expect(reader.end()).toEqual({ values: facts, torn: false });
  });
});
