import { describe, expect, it } from 'vitest';
import { analyse } from '../../src/analysis/analyse.ts';
import { metricsOfRecord } from '../../src/analysis/metrics.ts';
import { assess } from '../../src/gate/assess.ts';
import type { Sample } from '../../src/record/journal.ts';
import { holdClauses, undecidedClauses } from '../../src/report/hold-statement.ts';
import { answerOf } from '../../src/report/run-answer.ts';
import { createRandom } from '../../src/statistics/random.ts';
import type { Hold } from '../../src/suite/load.ts';
import { gated, gateRule } from '../fixtures/scripted-run.ts';
import { buildFailure, buildOk, buildStoredRun, type SampleParts } from '../fixtures/stored-run-builder.ts';

/** What becomes of the takes of a load, each drawn alone. */
type Told = (parts: SampleParts, uniform: number) => Sample;

const fast: Told = (parts, uniform) => buildOk(100 + 50 * uniform, 'p', parts);
const slow: Told = (parts, uniform) => buildOk(3000 + 500 * uniform, 'p', parts);
const late =
  (share: number): Told =>
  (parts, uniform) =>
    (uniform < share ? slow : fast)(parts, uniform);
const refused: Told = (parts, uniform) => fast({ ...parts, throttleWaitMs: uniform < 0.4 ? 800 : 0 }, uniform);
const broken: Told = (parts, uniform) => (uniform < 0.5 ? buildFailure('error', parts) : fast(parts, uniform));
const flagged =
  (flag: string): Told =>
  (parts, uniform) =>
    fast({ ...parts, flags: [flag] }, uniform);

function record(
  loads: Readonly<Record<number, Told>>,
  { hold = { p95Ms: 2000 }, n = 260 }: { hold?: Hold; n?: number } = {},
) {
  const steps = Object.keys(loads).map(Number);
  const random = createRandom(9);
  const samples = steps.flatMap((step) =>
    Array.from({ length: n }, (_, at) => {
      const told = loads[step] ?? fast;
      return told(
        { slice: step, startedMs: 200 * at, trial: { phase: 'step', step, repeat: at + 1 } },
        random.uniform(),
      );
    }),
  );
  const load = { steps, concurrency: Math.max(...steps) };
  return buildStoredRun({ variants: [{ plannedTrials: samples.length }], samples, load, hold, repeats: 10 });
}

function said(loads: Readonly<Record<number, Told>>, more?: Parameters<typeof record>[1]): string {
  const stored = record(loads, more);
  const { analysis } = analyse(stored, metricsOfRecord(stored));
  return [...holdClauses('standard', analysis), ...undecidedClauses('standard', analysis)].join('; ');
}

describe('what a load holds', () => {
  it.each<[what: string, loads: Readonly<Record<number, Told>>, words: string]>([
    [
      'the highest load that holds and the lowest that fails are named',
      { 2: fast, 6: fast, 8: slow },
      'standard holds p95 <= 2 s at 6 in flight and fails it at 8 in flight',
    ],
    [
      'where all loads hold, the highest is said to be the last one tried',
      { 2: fast, 8: fast },
      'standard holds p95 <= 2 s up to 8 in flight, the highest load tried',
    ],
    ['one load is a whole answer', { 8: fast }, 'standard holds p95 <= 2 s at 8 in flight, the only load tried'],
    [
      'where the lowest fails, no load holds',
      { 1: slow, 2: slow },
      'standard fails p95 <= 2 s at 1 in flight, the lowest load tried',
    ],
    [
      'calls that waited for a rate limit fail their load, and the reason is the account',
      { 4: fast, 8: refused },
      'standard holds p95 <= 2 s at 4 in flight and fails it at 8 in flight; at 8 in flight, a rate limit refused or delayed 37.7 % of the takes (429): that may be the limit of the account, not of the service',
    ],
    [
      'calls that were sent at a lowered concurrency did not meet their load',
      { 4: fast, 8: flagged('slowed') },
      'standard holds p95 <= 2 s at 4 in flight and fails it at 8 in flight',
    ],
    [
      'failures are not fast answers',
      { 4: fast, 8: broken },
      'standard holds p95 <= 2 s at 4 in flight and fails it at 8 in flight',
    ],
    [
      'a load that holds above one that fails gives no single answer',
      { 2: slow, 4: fast },
      'standard holds p95 <= 2 s at 4 in flight but fails it at 2 in flight: no single answer',
    ],
    [
      'a load near the limit is not decided',
      { 4: fast, 6: late(0.07), 8: slow },
      'standard holds p95 <= 2 s at 4 in flight and fails it at 8 in flight; 6 in flight is not decided: about as many takes are beyond the limit as it allows; more takes would tell',
    ],
    [
      'where this machine was too busy all the time, that is the answer',
      { 4: flagged('harness_lag'), 6: flagged('harness_lag') },
      'standard: this machine was too busy to tell which load holds p95 <= 2 s; use an idle machine',
    ],
    [
      'a load that this machine was too busy to measure is not decided',
      { 4: fast, 6: flagged('harness_lag'), 8: slow },
      'standard holds p95 <= 2 s at 4 in flight and fails it at 8 in flight; 6 in flight is not decided: this machine was too busy; use an idle machine',
    ],
  ])('the answer of a sweep: %s', (_, loads, words) => {
    expect(said(loads)).toBe(words);
  });

  it('loads with too few takes say how many they need, and the repeats that give them', () => {
    expect(said({ 2: fast, 4: fast }, { n: 40 })).toMatch(
      /^standard: no load is shown to hold p95 <= 2 s or to fail it; 2 and 4 in flight are not decided: to be shown to hold, each needs about \d+ takes; add --set repeats=\d+$/,
    );
  });

  it('a load of several limits must hold all of them, and fails by one', () => {
    const hold = { p50Ms: 2000, errors: 0.05 };
    expect(said({ 4: fast, 8: broken }, { hold })).toMatch(/holds p50 <= 2 s and errors <= 5 % at 4 .* fails it at 8/);
  });

  const HELD = 'standard holds p95 <= 2 s at 4 in flight and fails it at';
  it.each<[loads: Readonly<Record<number, Told>>, verdict: string, answer: string]>([
    [{ 4: fast, 6: fast, 8: slow }, 'pass', 'standard holds p95 <= 2 s at 6 in flight and fails it at 8 in flight.'],
    [{ 4: fast, 6: slow, 8: slow }, 'fail', `${HELD} 6 in flight; the gate asks for 6 in flight.`],
    [
      { 4: slow, 6: late(0.07), 8: slow },
      'fail',
      'standard fails p95 <= 2 s at 4 in flight, the lowest load tried; the gate asks for 6 in flight.',
    ],
    [
      { 4: fast, 6: late(0.07), 8: slow },
      'inconclusive',
      `${HELD} 8 in flight; the gate asks for 6 in flight, which is not decided.`,
    ],
    [
      { 4: slow, 6: fast, 8: slow },
      'inconclusive',
      'no single answer; the gate asks for 6 in flight, which is not decided.',
    ],
    [
      { 4: late(0.07), 6: late(0.07), 8: late(0.07) },
      'inconclusive',
      'the gate asks for 6 in flight, which is not decided.',
    ],
  ])('a rule that asks for 6 in flight is decided by what the loads show (%#)', (loads, verdict, answer) => {
    const stored = gated(record(loads), [gateRule('capacity', { is: 'min', value: 6 })]);
    const { analysed, comparisons, verdict: decided } = assess(stored, metricsOfRecord(stored));
    expect(answerOf({ ...analysed, comparisons, verdict: decided }).answer).toContain(answer);
    expect(decided.rules.map((rule) => rule.verdict)).toEqual([verdict]);
    // Loads that show nothing were measured all the same.
    expect(decided.rules.map(({ code }) => code)).not.toContain('nothing_to_count');
  });
});
