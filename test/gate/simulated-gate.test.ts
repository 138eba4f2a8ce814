import { describe, expect, it } from 'vitest';
import { only } from '../fixtures/only.ts';
import { NIGHTLY } from '../test-options.ts';
import { CLAIM_SETTINGS, simulateClaim } from '../tools/simulation/claims.ts';
import { QUEUE_SETTINGS, simulateQueue } from '../tools/simulation/dependence.ts';
import { SETTINGS } from '../tools/simulation/settings.ts';
import { simulateSetting, type Tally } from '../tools/simulation/simulate-setting.ts';

/*
 * A sample of `npm run simulate`: seeded, so that it gives the same on every machine. Bounds are generous:
 * shares of so few runs vary.
 */

/**
 * A short sample tells gates apart that are far from their bounds; a long one is nearer to the tables of `npm run
 * simulate`.
 */
const RUNS = NIGHTLY ? 600 : 36;

/** Shares of the runs of a setting. */
function simulated(id: string, runs = RUNS): Tally {
  const setting = SETTINGS.find((each) => each.id === id);
  if (setting === undefined) throw new Error(`no setting ${id}`);
  const { fail, pass, inconclusive, controlFailed, covered, sent, sentSquared } = simulateSetting(setting, 0, runs);
  return {
    runs: 1,
    fail: fail / runs,
    pass: pass / runs,
    inconclusive: inconclusive / runs,
    controlFailed: controlFailed / runs,
    covered: covered / runs,
    sent: sent / runs,
    sentSquared: sentSquared / runs,
  };
}

describe('simulated gates', () => {
  it.each(['lognormal', 'slow_calls', 'by_prompt'])('35 cell pairs of equal variants (%s): pass', (service) => {
    const { fail, pass, covered } = simulated(`cells_35.${service}.0`);
    expect(fail).toBeLessThan(0.03);
    expect(pass).toBeGreaterThan(0.88);
    expect(covered).toBeGreaterThan(0.89);
  });

  it('35 cell pairs of a candidate at the limit: fail in about 1 of 20 runs', () => {
    const { fail } = simulated('cells_35.lognormal.5');
    expect(fail).toBeLessThan(0.12);
  });

  it('35 cell pairs of a candidate that takes 15 % longer: almost never pass', () => {
    expect(simulated('cells_35.slow_calls.15').pass).toBeLessThan(0.08);
  });

  it('35 cell pairs of a candidate that takes 20 % longer: fail', () => {
    expect(simulated('cells_35.slow_calls.20').fail).toBeGreaterThan(0.9);
  });

  it('12 cell pairs: pass equal variants and find 20 % in most runs', () => {
    const equal = simulated('cells_12.lognormal.0');
    expect(equal.fail).toBeLessThan(0.03);
    expect(equal.pass).toBeGreaterThan(0.82);
    expect(simulated('cells_12.lognormal.20').fail).toBeGreaterThan(0.93);
  });

  // A run of 1,920 takes: seconds, where the others take milliseconds.
  it.runIf(NIGHTLY)(
    'a sweep of equal variants whose passes vary by 5 %: rarely tells them apart at its step of concurrency 1',
    () => {
      expect(simulated('sweep_320x6.by_slice_5.0', 40).fail).toBeLessThan(0.2);
    },
  );

  it('slices that vary by 10 % at concurrency 4: are rounds, with an honest size and interval', () => {
    const { fail, covered } = simulated('rounds_15.by_slice_10.5');
    expect(fail).toBeLessThan(0.12);
    expect(covered).toBeGreaterThan(0.88);
  });

  it('scores of four steps at concurrency 4: fail in about 1 of 20 runs at the limit, by their mean over cell pairs', () => {
    const { fail, covered } = simulated('scores_35.steps_4.mean.10');
    expect(fail).toBeLessThan(0.12);
    expect(covered).toBeGreaterThan(0.88);
    expect(simulated('scores_35.steps_4.mean.30').fail).toBeGreaterThan(0.88);
    expect(simulated('scores_35.steps_4.mean.0').fail).toBeLessThan(0.03);
  });

  it.each(['one', 'two'])(
    'votes on 50 pairs (%s voting): fail in about 1 of 20 runs at the limit, find twice as much in most',
    (voters) => {
      const { fail, covered } = simulated(`votes_50.${voters}.gate.20`);
      expect(fail).toBeLessThan(0.15);
      expect(covered).toBeGreaterThan(0.85);
      expect(simulated(`votes_50.${voters}.gate.40`).fail).toBeGreaterThan(0.3);
      expect(simulated(`votes_50.${voters}.gate.0`).fail).toBeLessThan(0.03);
      expect(simulated(`votes_50.${voters}.told.40`).fail).toBeGreaterThan(0.75);
    },
  );

  it.each(['always_first', 'coin', 'always_neither'])(
    'a judge that cannot judge (%s): does not find worse copies, so that its rule decides nothing',
    (code) => {
      expect(simulated(`judges_20.${code}.gate.0`)).toMatchObject({ controlFailed: 1, inconclusive: 1 });
    },
  );

  it('a judge that is right of 95 % of copies: finds enough of them', () => {
    const { controlFailed, fail } = simulated('judges_20.good.gate.60');
    expect(controlFailed).toBeLessThan(0.05);
    expect(fail).toBeGreaterThan(0.5);
  });

  it('a judge of 20 pairs that answers 95 % of the questions: does not fail equal variants, with an honest interval', () => {
    const { fail, pass, covered } = simulated('judges_20.right_95.bias_0.refuses_5.gate.0');
    expect(fail).toBeLessThan(0.03);
    expect(pass).toBeGreaterThan(0.6);
    expect(covered).toBeGreaterThan(0.88);
  });

  it('a judge of 20 pairs with a bias to the first: finds a net loss of 40 points', () => {
    expect(simulated('judges_20.right_95.bias_1.refuses_0.told.40').fail).toBeGreaterThan(0.3);
  });

  it('a candidate with 30 % of its calls hanging: almost never passes', () => {
    const { fail, pass } = simulated('cells_35.hanging_30.0');
    expect(pass).toBeLessThan(0.08);
    expect(fail).toBeGreaterThan(0.5);
  });

  it('a service that becomes slower in mid-run: misleads the sequential order and not the paired one', () => {
    expect(simulated('cells_35.drift_step_paired.0').fail).toBeLessThan(0.03);
    expect(simulated('cells_35.drift_step_sequential.0').fail).toBeGreaterThan(0.2);
  });

  it.each(['blocks_105', 'rounds_15'])(
    'a rise of the error rate (%s): fails where it is large, passes where there is none',
    (units) => {
      expect(simulated(`${units}.rise_from_2.27`).fail).toBeGreaterThan(0.9);
      expect(simulated(`${units}.rise_from_2.7`).fail).toBeLessThan(0.12);
      expect(simulated(`${units}.rise_from_0.0`)).toMatchObject({ fail: 0, pass: 1 });
    },
  );

  it('a bound of the error rate: keeps its error rate at the bound', () => {
    const { fail, pass } = simulated('takes_36.max_20.20');
    expect(fail).toBeLessThan(0.12);
    expect(pass).toBeLessThan(0.12);
    expect(simulated('takes_36.max_20.50').fail).toBeGreaterThan(0.9);
  });

  it.each(['confirm', 'until_decided'])(
    '40 cell pairs looked at more than once (%s): keep the error rate of one look',
    (kind) => {
      expect(simulated(`looks.cells_40.${kind}.5`).fail).toBeLessThan(0.12);
      expect(simulated(`looks.cells_40.${kind}.15`).pass).toBeLessThan(0.08);
    },
  );

  it('40 cell pairs until decided: pass equal variants and find 20 % with less than half of the takes', () => {
    const equal = simulated('looks.cells_40.until_decided.0');
    expect(equal.pass).toBeGreaterThan(0.88);
    expect(equal.sent).toBeLessThan(0.5);
    const slower = simulated('looks.cells_40.until_decided.20');
    expect(slower.fail).toBeGreaterThan(0.9);
    expect(slower.sent).toBeLessThan(0.5);
  });

  it('12 cell pairs with a confirmation: decide what one look leaves open', () => {
    // One run in ten leaves anything open.
    const once = simulated('looks.cells_12.once.20', Math.max(RUNS, 100));
    const confirmed = simulated('looks.cells_12.confirm.20', Math.max(RUNS, 100));
    expect(confirmed.inconclusive).toBeLessThan(once.inconclusive);
    expect(confirmed.sent).toBeGreaterThan(1);
    expect(confirmed.sent).toBeLessThan(1.5);
  });
});

describe('simulated open load', () => {
  it('open load at which exactly 5 % of calls are slow is seldom said to hold', () => {
    const setting = QUEUE_SETTINGS.find(({ law, workers }) => law === 'exponential' && workers === 4);
    if (setting === undefined) throw new Error('no such setting');
    const { runs, saysShare, saysQuantile, time } = simulateQueue(setting, 600, NIGHTLY ? 200 : 8);
    // The lag-1 autocorrelation counts three calls as one there, and says so in a third of the runs.
    expect(time).toBeGreaterThan(15);
    expect(saysShare / runs).toBeLessThan(0.06);
    expect(saysQuantile / runs).toBeLessThan(0.06);
  });
});

describe('simulated claims', () => {
  it.each([
    ['a ratio of 0.4', 'supported', 0.95, 1],
    ['a ratio of 0.6', 'refuted', 0.95, 1],
    ['at the limit, calls vary by 15 %', 'supported', 0, 0.1],
    ['at the limit, a level that wanders (AR 0.6)', 'refuted', 0, 0.1],
  ] as const)('a claim about %s is %s as often as it may be', (what, is, atLeast, atMost) => {
    const at = CLAIM_SETTINGS.findIndex((setting) => setting.what === what);
    const share = simulateClaim(only(CLAIM_SETTINGS.slice(at, at + 1)), at, RUNS)[is] / RUNS;
    expect(share).toBeGreaterThanOrEqual(atLeast);
    expect(share).toBeLessThanOrEqual(atMost);
  });
});
