import { expect, it } from 'vitest';
import type { Sample } from '../../src/record/journal.ts';
import type { Bound, GateRule } from '../../src/suite/rule.ts';
import { takes, verdictOn } from '../fixtures/gate-of-pair.ts';
import { eachSample, gateRule } from '../fixtures/scripted-run.ts';

/* Rules on latencies that are not to be used, or that leave something out. */

const AT_MOST_20_S: Bound = { is: 'max', value: 20_000 };
const OF_FAST: Partial<GateRule> = { variants: ['fast'] };

/** Takes that waited for a rate limit. */
const throttled = (waited: (sample: Sample) => boolean) =>
  eachSample((sample) => (waited(sample) ? { ...sample, throttleWaitMs: 90_000 } : sample));

it.each([
  ['latency.total', 'coarse_polls', true],
  ['latency.generation', 'coarse_polls', true],
  ['latency.ttfb', 'coarse_polls', true],
  ['latency.queue', 'coarse_polls', true],
  ['latency.run', 'coarse_polls', true],
  ['latency.detect', 'coarse_polls', true],
  ['latency.submit', 'within_limit', true],
  ['latency.download', 'within_limit', true],
  ['latency.server', 'within_limit', false],
  ['stage.diffusion', 'within_limit', false],
] as const)('%s of coarse polls: is %s; of late marks: unfit is %s', (metric, ofCoarse, ofLate) => {
  const polled = (ready: number, flags: readonly string[]) =>
    eachSample((sample) => {
      if (sample.outcome !== 'ok') return sample;
      const { startedMs, doneMs } = sample.marks;
      const at = (share: number) => startedMs + share * (doneMs - startedMs);
      const waited = { acceptedMs: at(0.1), runningMs: at(0.2), lastPendingMs: at(0.5) };
      const done = { readyMs: at(ready), firstByteMs: at(ready + 0.01) };
      const reported = { ...sample.reported, stages: { diffusion: 500 } };
      return { ...sample, flags, polls: 5, marks: { ...sample.marks, ...waited, ...done }, reported };
    });
  const rules = [gateRule(metric, AT_MOST_20_S)];
  expect(verdictOn(rules, takes(1), polled(0.9, [])).rules[0]?.code).toBe(ofCoarse);
  expect(verdictOn(rules, takes(1), polled(0.55, ['harness_lag'])).rules[0]).toMatchObject({
    verdict: 'pass',
    unfit: ofLate ? [{ code: 'not_kept_up' }] : [],
  });
});

it.each([
  ['latency.total', AT_MOST_20_S, true],
  ['latency.total', { is: 'max_increase', share: 0.5 }, true],
  ['latency.generation', AT_MOST_20_S, true],
  ['latency.submit', AT_MOST_20_S, true],
  ['latency.ttfb', AT_MOST_20_S, true],
  ['slow_rate', { is: 'max', value: 0.2 }, true],
  ['goodput', { is: 'min', value: 0.001 }, true],
  ['latency.download', AT_MOST_20_S, false],
  ['latency.server', AT_MOST_20_S, false],
  ['error_rate', { is: 'max', value: 0.2 }, false],
  ['throughput', { is: 'min', value: 0.001 }, false],
] as const)(
  '%s of takes that waited for a rate limit, %o: passes, marked as unfit is %s',
  (metric, bound, isMarked) => {
    const waiting = (of: string) => throttled(({ trial }) => trial.variant === of && trial.repeat === 1);
    const overMs = metric === 'slow_rate' || metric === 'goodput' ? 5000 : null;
    const rules = [gateRule(metric, bound, { ...OF_FAST, overMs })];
    const { verdict, exitCode, rules: results } = verdictOn(rules, takes(1), waiting('fast'));
    const unfit = isMarked ? [{ code: 'rate_limited', takes: 12, ofTakes: 36 }] : [];
    expect({ verdict, exitCode }).toEqual({ verdict: isMarked ? 'pass_unfit' : 'pass', exitCode: 0 });
    expect(results).toMatchObject([{ verdict: 'pass', unfit }]);
    expect(verdictOn(rules, takes(1), waiting('standard')).verdict).toBe('pass');
  },
);

it('open load whose takes waited for a rate limit: counts them from their due time in slow_rate, not in latency.total', () => {
  const waiting = eachSample((sample) =>
    sample.outcome === 'ok'
      ? { ...sample, throttleWaitMs: 500, marks: { ...sample.marks, scheduledMs: sample.marks.startedMs - 500 } }
      : sample,
  );
  const rules = [
    gateRule('slow_rate', { is: 'max', value: 0.2 }, { overMs: 5000 }),
    gateRule('latency.total', { is: 'max', value: 5000 }),
  ];
  const ofFast = verdictOn(rules, takes(1), waiting).rules.filter(({ variant }) => variant === 'fast');
  expect(ofFast.map(({ verdict, unfit }) => [verdict, unfit.length])).toEqual([
    ['pass', 0],
    ['pass', 1],
  ]);
});

it('a rule that fails on takes that waited for a rate limit: is not marked, as the waits would only add', () => {
  const rules = [gateRule('latency.total', { is: 'max', value: 10 })];
  expect(
    verdictOn(
      rules,
      takes(1),
      throttled(() => true),
    ).rules[0],
  ).toMatchObject({ verdict: 'fail', unfit: [] });
});
