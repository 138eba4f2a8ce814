import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { JournalEvent } from '../../../src/record/journal.ts';
import { mergeEvents, mergeScores } from '../../../src/record/merge/merge-lines.ts';
import type { RunPrompt } from '../../../src/record/run.ts';
import type { OutputScore, ScoreLine, ScorerLine } from '../../../src/record/score.ts';
import { byOf, placeOf, scoreKey, writtenScores } from '../../../src/record/score-key.ts';
import { arbitraryScores } from '../../fixtures/scored-run.ts';
import { buildOk, buildTrial, digestOf } from '../../fixtures/stored-run-builder.ts';
import { draws } from '../../test-options.ts';

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

const PROMPTS: readonly RunPrompt[] = ['fox', 'sign'].map((id) => ({
  id,
  text: `a ${id}`,
  tags: [],
  kinds: ['text-to-image'],
  media: [],
  inputs: {},
}));

const shardsOf = (parts: readonly (readonly ScoreLine[])[]) =>
  parts.map((scores, at) => ({ shard: `${at + 1}of${parts.length}`, scores }));

const merged = (parts: readonly (readonly ScoreLine[])[]) => mergeScores(shardsOf(parts), PROMPTS).scores;

/** What counts: by place the last line. */
const countingIn = (lines: readonly ScoreLine[]) => new Map(lines.map((line) => [placeOf(line), line]));

function scorerFrom(file: string, better: 'higher' | null = null): ScorerLine {
  const what = {
    declared: {
      use: 'file',
      name: 'hps',
      gives: [{ value: 'hps', better, range: null, unit: 'score', meaning: null }],
    },
    files: { 'hps.csv': digestOf(file) },
    version: null,
    weights: null,
  } as const;
  return { line: 'scorer', scorer: 'hps', by: byOf(what), ...what };
}

function valueBy({ by }: ScorerLine, output: string, hps: number): OutputScore {
  const media = [digestOf(output)];
  const [fox] = PROMPTS;
  const key = fox === undefined ? '' : scoreKey({ by, prompt: fox, media, control: null });
  return { line: 'value', scorer: 'hps', by, key, prompt: 'fox', media, values: { hps } };
}

describe('mergeScores', () => {
  it('scores that any number of shards had in part count as if one process had made all of them', () => {
    const parts = fc.tuple(arbitraryScores(), fc.infiniteStream(fc.nat({ max: 2 })));
    fc.assert(
      fc.property(parts, ([lines, deal]) => {
        // One line for each place: which of two is the last is not known of a split.
        const whole = [...countingIn(lines).values()].filter(
          (line) => line.line !== 'scorer' || line.declared.use !== 'file',
        );
        const split: [ScoreLine[], ScoreLine[], ScoreLine[]] = [[], [], []];
        for (const line of whole) split[deal.next().value ?? 0]?.push(line);
        expect(countingIn(merged(split))).toEqual(countingIn(whole));
        expect(merged(split)).toHaveLength(whole.length);
      }),
      { numRuns: draws(60) },
    );
  });

  it('every line of every shard is kept once, and merging gives the same each time', () => {
    fc.assert(
      fc.property(fc.array(arbitraryScores(), { minLength: 1, maxLength: 3 }), (parts) => {
        const lines = merged(parts);
        const kept = new Set(lines.map((line) => JSON.stringify(line)));
        for (const line of parts.flat()) expect(kept).toContain(JSON.stringify(line));
        expect(merged(parts)).toEqual(lines);
        expect(merged([lines])).toEqual(lines);
      }),
      { numRuns: draws(60) },
    );
  });

  it('an output that one shard has no value for has that of another', () => {
    const scorer = scorerFrom('a');
    const value = valueBy(scorer, 'one', 0.3);
    const withoutValues = JSON.parse(
      JSON.stringify({ ...value, line: 'unscored', why: { code: 'died' }, values: undefined }),
    );
    for (const parts of [
      [
        [scorer, value],
        [scorer, withoutValues],
      ],
      [
        [scorer, withoutValues],
        [scorer, value],
      ],
    ]) {
      expect(countingIn(merged(parts)).get(placeOf(value))).toEqual(value);
    }
  });

  it('values of shards that each have a file of their own all count', () => {
    const [first, second] = [scorerFrom('a'), scorerFrom('b')];
    const lines = merged([
      [valueBy(first, 'one', 0.1), first],
      [valueBy(second, 'two', 0.2), second],
    ]);
    const last = lines.findLast((line) => line.line === 'scorer');
    if (last?.line !== 'scorer') throw new Error('the merged run has no scorer');
    expect(last.files).toEqual({ '1of2/hps.csv': digestOf('a'), '2of2/hps.csv': digestOf('b') });
    expect(last.by).toBe(byOf(last));
    const counting = lines.filter((line) => line.line !== 'scorer' && line.by === last.by);
    expect(counting).toEqual([valueBy(last, 'one', 0.1), valueBy(last, 'two', 0.2)]);
    // Nothing is written again: a second import of the same files would begin with these.
    expect(writtenScores(lines).missing([last, ...counting])).toEqual([]);
  });

  it('files that say another direction of a scorer are not joined, and the scorer is named', () => {
    const [first, second] = [scorerFrom('a'), scorerFrom('b', 'higher')];
    const parts = shardsOf([
      [valueBy(first, 'one', 0.1), first],
      [valueBy(second, 'two', 0.2), second],
    ]);
    const { scores, differing } = mergeScores(parts, PROMPTS);
    expect(differing).toEqual(['hps']);
    expect(scores.findLast((line) => line.line === 'scorer')).toEqual(second);
  });
});
