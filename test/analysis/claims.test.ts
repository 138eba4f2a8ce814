import { describe, expect, it } from 'vitest';
import { type Claim, createLedger } from '../../src/analysis/claims.ts';
import type { Sample } from '../../src/record/journal.ts';
import type { Run } from '../../src/record/run.ts';
import { watchClaims } from '../../src/workflow/claim-watch.ts';
import { gateRule } from '../fixtures/scripted-run.ts';
import { buildFailure, buildOk, buildTrial } from '../fixtures/stored-run-builder.ts';

const CLAIM: Claim = { index: 0, of: 'fast', against: 'standard', about: 'takes', most: 0.5, pairs: 40 };
const FAILS: Claim = { ...CLAIM, about: 'fails', most: 0.1 };

/** What came of a take: its milliseconds, or an outcome without a result. */
type Came = number | 'error' | 'moderated' | 'cancelled';

function take(variant: string, pair: number, came: Came, { slice = 2 * pair, repeat = 1 } = {}): Sample {
  const parts = { trial: buildTrial({ variant, seed: pair, repeat }), slice };
  return typeof came === 'number' ? buildOk(came, 'png', parts) : buildFailure(came, parts);
}

/** Pair after pair, each in two slices: what came of fast and of standard. */
function pairs(count: number, came: (pair: number) => readonly [fast: Came, standard: Came]): readonly Sample[] {
  return Array.from({ length: count }, (_, pair) => {
    const [fast, standard] = came(pair);
    const first = pair % 2;
    return [
      take('fast', pair, fast, { slice: 2 * pair + first }),
      take('standard', pair, standard, { slice: 2 * pair + 1 - first }),
    ];
  }).flat();
}

function stateOf(samples: readonly Sample[], claim = CLAIM) {
  const ledger = createLedger([claim]);
  ledger.add(samples);
  const [state] = ledger.states();
  if (state === undefined) throw new Error('a claim without a state');
  return state;
}

describe('a claim', () => {
  it('a claim is supported after seven pairs that all say so, and counts no further one', () => {
    const state = stateOf(pairs(20, (pair) => [300 + pair, 1000]));
    expect(state).toMatchObject({ decided: 'supported', isOver: true, pairs: 7, changed: false });
    expect(state.estimate).toBeCloseTo(0.303, 10);
    expect(state.steps.map((step) => step.pairs)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(state.steps.at(-1)?.support).toBeCloseTo(30.2546, 4);
  });

  it('a claim is refuted where its pairs say the opposite, and stays open after its last pair', () => {
    expect(stateOf(pairs(20, () => [600, 1000]))).toMatchObject({ decided: 'refuted', pairs: 7 });
    const open = stateOf(pairs(60, (pair) => [pair % 2 === 0 ? 300 : 600, 1000]));
    expect(open).toMatchObject({ decided: null, isOver: true, pairs: 40 });
  });

  it('a claim is not helped by takes that its variant loses, and not refuted by them', () => {
    const lost = stateOf(pairs(40, () => ['error', 1000]));
    expect(lost).toMatchObject({ decided: null, pairs: 40 });
    expect(lost.steps.at(-1)?.support).toBeLessThan(0.1);
    expect(lost.steps.at(-1)?.refute).toBe(1);
    const blocked = stateOf(pairs(40, () => ['moderated', 1000]));
    expect(blocked.steps.at(-1)?.support).toBeLessThan(0.1);
    const theirs = stateOf(pairs(40, () => [300, 'error']));
    expect(theirs.steps.at(-1)).toMatchObject({ support: 1 });
  });

  it('a claim leaves out pairs that were not answered, repeats, and takes that are not of its variants', () => {
    const repeats = pairs(5, () => [300, 1000]).map((sample) => ({ ...sample, trial: { ...sample.trial, repeat: 2 } }));
    const others = pairs(5, () => [300, 1000]).map((sample) => ({
      ...sample,
      trial: { ...sample.trial, variant: 'x' },
    }));
    const cut = pairs(9, (pair) => [pair < 3 ? 'cancelled' : 300, 1000]);
    expect(stateOf([...cut, ...repeats, ...others])).toMatchObject({ decided: null, pairs: 6 });
  });

  it('a claim counts the pairs of a group that was sent together as one, by their mean', () => {
    const grouped = pairs(16, (pair) => [pair % 4 === 0 ? 600 : 300, 1000]).map((sample) => ({
      ...sample,
      slice: 2 * Math.floor((sample.trial.seed ?? 0) / 4) + (sample.trial.variant === 'fast' ? 0 : 1),
    }));
    const { steps } = stateOf(grouped);
    expect(steps.map((step) => step.pairs)).toEqual([4, 8, 12, 16]);
    // Stakes of 0.05 to 0.95 on a mean of (3 - 1) / 4.
    expect(steps[0]?.support).toBeCloseTo(1.25, 12);
  });

  it('a claim of failures is supported where both never fail, and refuted where its variant fails more', () => {
    expect(
      stateOf(
        pairs(200, () => [300, 300]),
        { ...FAILS, pairs: 200 },
      ),
    ).toMatchObject({ decided: 'supported', estimate: 0 });
    const worse = stateOf(
      pairs(40, (pair) => [pair % 2 === 0 ? 'error' : 300, 300]),
      FAILS,
    );
    expect(worse).toMatchObject({ decided: 'refuted' });
    expect(worse.estimate).toBeGreaterThan(0.4);
  });

  it('a claim whose ratio changes during the run says so', () => {
    const half = pairs(80, (pair) => [(pair % 2 === 0 ? 300 : 501) + (pair < 40 ? 0 : 199), 1000]);
    expect(stateOf(half, { ...CLAIM, pairs: 80 })).toMatchObject({ decided: null, changed: true });
    expect(stateOf(pairs(40, (pair) => [pair % 2 === 0 ? 490 : 510, 1000])).changed).toBe(false);
  });

  it('a claim beside another one needs twice the evidence, until that is decided', () => {
    const ledger = createLedger([CLAIM, { ...CLAIM, index: 1, most: 0.35 }]);
    // The second claim has both signs, so that it stays open.
    for (let pair = 0; pair < 20; pair += 1)
      ledger.add([take('fast', pair, pair % 2 === 0 ? 300 : 400), take('standard', pair, 1000)]);
    const [first, second] = ledger.states();
    expect(first).toMatchObject({ decided: 'supported', pairs: 8 });
    expect(second).toMatchObject({ decided: null, pairs: 20 });
    expect(ledger.isOver()).toBe(false);
  });
});

describe('a run with claims', () => {
  const looks = (parts: number): NonNullable<Run['plan']['looks']> => ({
    kind: 'claim',
    of: parts,
    unit: 'blocks',
    units: [],
    parts: Array.from({ length: parts }, (_, at) => ({ lastSlice: 2 * at + 1, caseSeeds: 1, trials: {} })),
  });
  const { about, most, pairs: last, against } = CLAIM;
  const gate = [gateRule('latency.total', { is: 'claim', about, against, most, pairs: last }, { variants: ['fast'] })];
  const runOf = (parts: number) => ({ gate, plan: { looks: looks(parts) } as Run['plan'] });

  it('a run with claims ends once they are decided, also where two processes measured the takes of one pair', () => {
    const all = pairs(10, () => [300, 1000]).toSorted((a, b) => a.slice - b.slice);
    // The first process ended between the two takes of the fifth pair.
    const [earlier, later] = [all.slice(0, 9), all.slice(9)];
    const watch = watchClaims(runOf(10), earlier);
    expect(watch.look(4)).toBe('go_on');
    for (const sample of later.slice(0, 4)) watch.observe({ event: 'ended', sample });
    expect(watch.look(6)).toBe('go_on');
    watch.observe({ event: 'ended', sample: later[4] ?? (all[0] as Sample) });
    expect(watch.look(7)).toBe('decided');
  });
});
