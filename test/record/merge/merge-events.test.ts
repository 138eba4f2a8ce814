import { expect, test } from 'vitest';
import type { JournalEvent } from '../../../src/record/journal.ts';
import { mergeEvents } from '../../../src/record/merge/merge-lines.ts';
import { buildOk, buildTrial } from '../../fixtures/stored-run-builder.ts';

const TAKE = buildTrial({ prompt: 'cat' });
const WARMUP = buildTrial({ seed: 9, phase: 'warmup' });
const UNANSWERED = buildTrial({ seed: 10, phase: 'warmup' });

/** What becomes of a job that was rate-limited once. */
function eventsOf(trial: typeof TAKE, segment: number): readonly JournalEvent[] {
  return [
    { event: 'intent', segment, slice: 3, trial, atMs: 1 },
    { event: 'attempt', segment, trial: trial.id, attempt: 1, httpStatus: 429, waitMs: 5, atMs: 2 },
    { event: 'accepted', segment, trial: trial.id, captured: { id: 'j1' }, atMs: 3 },
    { event: 'cancel', segment, trial: trial.id, cancelled: true, httpStatus: 200, code: null, atMs: 4 },
    { event: 'sample', sample: buildOk(10, trial.id, { trial, segment, slice: 3, attempts: 2 }) },
  ];
}

const started = (segment: number): JournalEvent => ({
  event: 'segment',
  state: 'started',
  segment,
  originAt: '2026-11-20T15:45:00.000Z',
});

const segmentsOf = (events: readonly JournalEvent[]) =>
  events.map((event) => (event.event === 'sample' ? event.sample.segment : event.segment));

test('mergeEvents numbers the segments of a shard on, in every sort of event, and changes nothing else', () => {
  const events = [started(1), ...eventsOf(TAKE, 1), started(2), ...eventsOf(WARMUP, 2)];
  const merged = mergeEvents(events, 4, true);
  expect(merged.segments).toEqual([5, 6]);
  expect(segmentsOf(merged.events)).toEqual(segmentsOf(events).map((segment) => segment + 4));
  expect(mergeEvents(merged.events, 0, true).events).toEqual(events);
  expect(merged.warmupsLeftOut).toBe(0);
});

test('mergeEvents leaves out every event of the warm-ups that another shard stands for, and counts their requests', () => {
  const unanswered: readonly JournalEvent[] = [
    { event: 'intent', segment: 1, slice: 0, trial: UNANSWERED, atMs: 1 },
    { event: 'attempt', segment: 1, trial: UNANSWERED.id, attempt: 1, httpStatus: 429, waitMs: 5, atMs: 2 },
  ];
  const events = [started(1), ...eventsOf(WARMUP, 1), ...unanswered, ...eventsOf(TAKE, 1)];
  const { events: kept, warmupsLeftOut } = mergeEvents(events, 0, false);
  expect(kept).toEqual([started(1), ...eventsOf(TAKE, 1)]);
  // Two attempts of the one that was answered; one, and one more after its refusal, of the other.
  expect(warmupsLeftOut).toBe(4);
});
