import { expect, test } from 'vitest';
import { isMeasured } from '../../../src/plan/trial.ts';
import { createTally } from '../../../src/view/progress/tally.ts';
import { ORDINARY, scriptedRun } from '../../fixtures/scripted-run.ts';

const { run, segments, samples } = scriptedRun(ORDINARY);
const [segment] = segments;
if (segment === undefined) throw new Error('a run has a segment');
const started = segment.started;

test('a tally counts what ended, failed and was delivered of each variant, and keeps the latest outputs only', () => {
  const tally = createTally(run, 3);
  expect(tally.measuring()).toEqual({ state: 'waiting' });
  tally.add(started);
  for (const sample of samples) tally.add({ event: 'sample', sample });
  expect(tally.measuring()).toEqual({ state: 'measuring' });
  expect(tally.ended()).toBe(samples.length);
  for (const { name, ended, planned, latenciesMs } of tally.variants()) {
    const own = samples.filter(({ trial }) => trial.variant === name && isMeasured(trial));
    expect([name, ended, planned]).toEqual([
      name,
      own.length,
      run.variants.find((each) => each.name === name)?.plannedTrials,
    ]);
    expect(latenciesMs).toHaveLength(own.filter(({ outcome }) => outcome === 'ok').length);
  }
  const delivered = samples.filter(({ outcome }) => outcome === 'ok');
  expect(tally.latest().map(({ number }) => number)).toEqual([-2, -1, 0].map((before) => delivered.length + before));
  const bad = samples.filter(({ outcome }) => !['ok', 'moderated', 'cancelled', 'dropped'].includes(outcome));
  expect(tally.failed()).toBe(bad.length);
  expect(bad.length).toBeGreaterThan(0);
});

test('a tally has in flight what was sent and has no sample yet, of this process', () => {
  const tally = createTally(run, 3);
  const [first, second] = samples;
  if (first === undefined || second === undefined) throw new Error('a run has samples');
  tally.add(started);
  for (const { trial } of [first, second]) tally.add({ event: 'intent', segment: 1, slice: 0, trial, atMs: 1 });
  expect(tally.inFlight()).toBe(2);
  tally.add({ event: 'sample', sample: first });
  expect(tally.inFlight()).toBe(1);
  tally.add({ ...started, segment: 2 });
  expect(tally.inFlight()).toBe(0);
});

test('a tally counts a trial once that was sent once more', () => {
  const tally = createTally(run, 3);
  const measured = samples.find(({ trial }) => isMeasured(trial));
  if (measured === undefined) throw new Error('a run measures');
  for (let times = 0; times < 2; times += 1) tally.add({ event: 'sample', sample: measured });
  expect([tally.ended(), tally.requests()]).toEqual([1, 2 * measured.attempts]);
});

test('a tally adds up the costs, and how many requests have an unknown one', () => {
  const priced = run.variants.map((variant) => ({ ...variant, price: { usd: 0.02, per: 'output' as const } }));
  const tally = createTally({ ...run, variants: priced }, 3);
  for (const sample of samples) tally.add({ event: 'sample', sample });
  const delivered = samples.filter(({ outcome }) => outcome === 'ok' || outcome === 'invalid_media').length;
  expect(tally.spend()?.usd).toBeCloseTo(delivered * 0.02, 9);
  expect(tally.spend()?.unknownRequests).toBeGreaterThan(0);
});
