import { expect, test } from 'vitest';
import { isMeasured } from '../../../src/plan/plan.ts';
import { beganMs } from '../../../src/record/codes.ts';
import { median, sortSample } from '../../../src/statistics/quantile.ts';
import { createTally } from '../../../src/view/progress/tally.ts';
import { ORDINARY, scriptedRun } from '../../fixtures/scripted-run.ts';
import { buildOk, buildTrial } from '../../fixtures/stored-run-builder.ts';

const { run, segments, samples } = scriptedRun(ORDINARY);
const [segment] = segments;
if (segment === undefined) throw new Error('a run has a segment');
const started = segment.started;

test('a tally counts what ended, failed and was delivered of each variant, and keeps the latest outputs only', () => {
  const tally = createTally(run);
  expect(tally.measuring()).toEqual({ state: 'waiting' });
  tally.add(started);
  for (const sample of samples) tally.add({ event: 'sample', sample });
  expect(tally.measuring()).toEqual({ state: 'measuring' });
  expect(tally.ended()).toBe(samples.length);
  for (const { name, takes, p50Ms } of tally.variants()) {
    const own = samples.filter(({ trial }) => trial.variant === name && isMeasured(trial));
    expect([name, takes.ended, takes.planned]).toEqual([
      name,
      own.length,
      run.variants.find((each) => each.name === name)?.plannedTrials,
    ]);
    const delivered = own.flatMap((sample) => (sample.outcome === 'ok' ? [sample.marks.doneMs - beganMs(sample)] : []));
    expect(p50Ms).toBe(median(sortSample(delivered)));
  }
  const delivered = samples.filter(({ outcome }) => outcome === 'ok');
  const latest = Array.from({ length: 24 }, (_, before) => delivered.length - before);
  expect(tally.latest().map(({ number }) => number)).toEqual(latest);
  const bad = samples.filter(({ outcome }) => !['ok', 'moderated', 'cancelled', 'dropped'].includes(outcome));
  expect(tally.failed()).toBe(bad.length);
  expect(bad.length).toBeGreaterThan(0);
});

test('a tally has in flight what was sent and has no sample yet, of this process', () => {
  const tally = createTally(run);
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
  const tally = createTally(run);
  const measured = samples.find(({ trial }) => isMeasured(trial));
  if (measured === undefined) throw new Error('a run measures');
  for (let times = 0; times < 2; times += 1) tally.add({ event: 'sample', sample: measured });
  expect(tally.ended()).toBe(1);
});

test('a tally adds up the costs, and how many requests have an unknown one', () => {
  const priced = run.variants.map((variant) => ({ ...variant, price: { usd: 0.02, per: 'output' as const } }));
  const tally = createTally({ ...run, variants: priced });
  for (const sample of samples) tally.add({ event: 'sample', sample });
  const delivered = samples.filter(({ outcome }) => outcome === 'ok' || outcome === 'invalid_media').length;
  expect(tally.spend()?.usd).toBeCloseTo(delivered * 0.02, 9);
  expect(tally.spend()?.unknownRequests).toBeGreaterThan(0);
});

test('a tally says how long the rest of a run takes, from its own calls, and nothing before it can', () => {
  const trials = Array.from({ length: 4 }, (_, at) => buildTrial({ variant: 'standard', repeat: at + 1 }));
  const pace = { mode: 'closed', concurrency: 1 } as const;
  const load = { ...pace, steps: null, order: 'paired', warmup: 0, onThrottle: 'wait', shuffle: 1 } as const;
  const [variant] = run.variants;
  if (variant === undefined) throw new Error('a run has variants');
  const variants = [{ ...variant, name: 'standard', plannedTrials: 4 }];
  const tally = createTally({ ...run, variants, plan: { ...run.plan, load, looks: null, requests: 4 } });
  const originMs = Date.parse('2026-11-20T15:45:00Z');
  expect(tally.left(originMs)).toBeNull();
  tally.add({ ...started, originAt: '2026-11-20T15:45:00Z' });
  const intend = (at: number) => {
    const trial = trials[at];
    if (trial !== undefined) tally.add({ event: 'intent', segment: 1, slice: at, trial, atMs: 1000 * at });
  };
  intend(0);
  expect(tally.left(originMs + 500)).toBeNull();
  const sample = buildOk(1000, 'a', { trial: { variant: 'standard', repeat: 1 } });
  tally.add({ event: 'sample', sample: { ...sample, slice: 0, endedMs: 1000 } });
  intend(1);
  expect(tally.left(originMs + 1500)?.ms).toBeCloseTo(2500, 6);
  tally.add({
    event: 'segment',
    state: 'ended',
    segment: 1,
    atMs: 1600,
    stop: { reason: 'finished' },
    orphans: 0,
    loopDelay: null,
  });
  expect(tally.left(originMs + 1600)).toBeNull();
});

test('a tally says how long the probes of a run take, by the calls of the variants that have them', () => {
  const [variant] = run.variants;
  if (variant === undefined) throw new Error('a run has variants');
  const skipped = { probe: 'cache', variant: 'slow', whole: true, reason: { code: 'no_seed' } } as const;
  const probes = { kinds: ['cache'], trials: 5, nonce: 1, skippedProbes: [skipped] } as const;
  const load = { mode: 'closed', concurrency: 1, steps: null, order: 'paired', warmup: 0, onThrottle: 'wait' } as const;
  const tally = createTally({
    ...run,
    variants: ['fast', 'slow'].map((name) => ({ ...variant, name, plannedTrials: 1 })),
    plan: { ...run.plan, load: { ...load, shuffle: 1 }, probes, looks: null, requests: 7 },
  });
  const originMs = Date.parse('2026-11-20T15:45:00Z');
  tally.add({ ...started, originAt: '2026-11-20T15:45:00Z' });
  for (const [name, fromMs, toMs] of [
    ['fast', 0, 1000],
    ['slow', 1000, 11_000],
  ] as const) {
    const trial = buildTrial({ variant: name });
    tally.add({ event: 'intent', segment: 1, slice: 0, trial, atMs: fromMs });
    tally.add({ event: 'sample', sample: { ...buildOk(1, 'a', { trial }), endedMs: toMs } });
  }
  expect(tally.left(originMs + 11_000)).toEqual({ ms: 5000, mayEndEarly: false });
});

test('a tally says how long nothing was recorded, while a process measures', () => {
  const tally = createTally(run);
  const originMs = Date.parse('2026-11-20T15:45:00Z');
  const [sample] = samples;
  if (sample === undefined) throw new Error('a run has samples');
  expect(tally.quietMs(originMs)).toBeNull();
  tally.add({ ...started, originAt: '2026-11-20T15:45:00Z' });
  expect(tally.quietMs(originMs + 500)).toBe(500);
  tally.add({ event: 'intent', segment: 1, slice: 0, trial: sample.trial, atMs: 400 });
  expect(tally.quietMs(originMs + 500)).toBe(100);
  tally.add({ event: 'sample', sample });
  expect(tally.quietMs(originMs + sample.endedMs + 90_000)).toBeCloseTo(90_000, 3);
});

test('a tally says why no output came, the most frequent reason first, and what was said the last time', () => {
  const tally = createTally(run);
  const [failed] = samples.filter(({ outcome }) => outcome === 'error');
  const [blocked] = samples.filter(({ outcome }) => outcome === 'moderated');
  if (failed?.outcome !== 'error' || blocked === undefined) throw new Error('the run has both');
  const said = { ...failed, error: { code: 'busy', message: 'later' } };
  for (const sample of [blocked, said, { ...said, error: { code: 'busy', message: 'much later' } }]) {
    tally.add({ event: 'sample', sample });
  }
  expect(tally.undelivered().map(({ times, outcome, code, message }) => [times, outcome, code, message])).toEqual([
    [2, 'error', 'busy', 'much later'],
    [1, 'moderated', 'content_policy', 'Prompt was flagged'],
  ]);
});
