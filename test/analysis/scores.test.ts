import { describe, expect, it } from 'vitest';
import type { Analysis } from '../../src/analysis/analysis.ts';
import { metricsOf, metricsOfRecord } from '../../src/analysis/metrics.ts';
import { assess } from '../../src/gate/assess.ts';
import { kindOf } from '../../src/gate/bounds.ts';
import { checkRules } from '../../src/gate/check-rules.ts';
import type { Sample } from '../../src/record/journal.ts';
import type { StoredRun } from '../../src/record/kept-run.ts';
import type { ClosedLoad } from '../../src/suite/load.ts';
import type { Bound, GateRule } from '../../src/suite/rule.ts';
import type { ValueScorer } from '../../src/suite/scorer.ts';
import { commandScorer, fileScorer, scored } from '../fixtures/scored-run.ts';
import { chance, gateRule } from '../fixtures/scripted-run.ts';
import { buildFailure, buildOk, buildStoredRun } from '../fixtures/stored-run-builder.ts';

const PROMPTS = ['fox', 'cat', 'owl', 'elk'];
const SEEDS = [1, 2, 3];
const HPS = fileScorer('hps', { range: [0, 1] });
const AT_MOST_2 = gateRule('score.hps', { is: 'max_decrease', amount: 0.02 }, { variants: ['fast'] });

type Fate = 'ok' | 'lost' | 'unscored';

interface Told {
  readonly load?: Partial<ClosedLoad>;
  /** How much lower the scores of fast are. */
  readonly drop?: number;
  readonly scorer?: ValueScorer;
  /** Of each prompt and seed of fast. */
  readonly fate?: (prompt: string, seed: number) => Fate;
  readonly rules?: readonly GateRule[];
  readonly flags?: readonly string[];
  /** How much scores vary by themselves. */
  readonly noise?: number;
}

/** Two takes of each prompt and seed with equal bytes, scored about 0.6. */
function runOf({
  load = {},
  drop = 0,
  scorer = HPS,
  fate = () => 'ok',
  rules = [],
  flags = [],
  noise = 0.01,
}: Told): StoredRun {
  let at = 0;
  const samples = ['standard', 'fast'].flatMap((variant, slice) =>
    PROMPTS.flatMap((prompt) =>
      SEEDS.flatMap((seed) =>
        [1, 2].map((repeat): Sample => {
          at += 1000;
          const parts = { trial: { variant, prompt, seed, repeat }, slice, startedMs: at, flags };
          return variant === 'fast' && fate(prompt, seed) === 'lost'
            ? buildFailure('error', parts)
            : buildOk(500, `${variant} ${prompt} ${seed}`, parts);
        }),
      ),
    ),
  );
  const record = buildStoredRun({
    variants: [
      { name: 'standard', baseline: true, plannedTrials: 24 },
      { name: 'fast', baseline: false, plannedTrials: 24 },
    ],
    prompts: PROMPTS,
    seeds: SEEDS,
    repeats: 2,
    load,
    gate: rules,
    samples,
  });
  const [own] = scorer.gives;
  return scored(record, scorer, ({ trial: { variant, prompt, seed } }) => {
    if (own === undefined || (variant === 'fast' && fate(prompt, Number(seed)) === 'unscored')) return 'unscored';
    return { [own.value]: 0.6 + noise * chance(variant, prompt, Number(seed)) - (variant === 'fast' ? drop : 0) };
  });
}

function meanOf({ measures }: Analysis) {
  return measures.find((each) => each.metric === 'score.hps' && each.variant === 'fast' && each.prompt === null);
}

function assessed(told: Told) {
  const record = runOf(told);
  const { analysed, comparisons, verdict } = assess(record, metricsOfRecord(record));
  const whole = comparisons.find(({ metric, scope }) => metric.startsWith('score.') && scope.of === 'cells');
  return { record, analysis: analysed.analysis, comparisons, whole, rules: verdict.rules };
}

const ruled = (told: Told, bound: Bound, more: Partial<GateRule> = {}) =>
  assessed({ ...told, rules: [{ ...AT_MOST_2, bound, ...more }] }).rules.map(
    ({ verdict, code }) => `${verdict} ${code}`,
  );

const LOADS: Readonly<Record<string, Partial<ClosedLoad>>> = {
  'concurrency 1': {},
  'concurrency 4': { concurrency: 4 },
  'sequential order': { order: 'sequential' },
  'sequential order at concurrency 4': { order: 'sequential', concurrency: 4 },
};

describe('a score, compared', () => {
  it.each(Object.entries(LOADS))('a score under %s has its interval over all cell pairs, by their mean', (_, load) => {
    const { whole, comparisons } = assessed({ load, drop: 0.05 });
    expect(whole).toMatchObject({
      finding: 'lower',
      nUnits: 12,
      units: 'cells',
      method: 'student',
      effect: 'difference',
    });
    expect(whole).toMatchObject({ cellPairsWorse: 12, better: 'higher', unit: 'score', valueUnflagged: null });
    expect(whole?.notes).toEqual([]);
    expect(whole?.ciLow).toBeLessThan(-0.05 + 0.005);
    expect(whole?.ciHigh).toBeLessThan(-0.04);
    const scopes = comparisons.flatMap(({ metric, scope }) => (metric === 'score.hps' ? [scope.of] : []));
    expect(scopes).toEqual(['cells', 'prompt', 'prompt', 'prompt', 'prompt']);
  });

  it('flags of times say nothing of a score: neither of its comparison nor of its rule', () => {
    const flagged = assessed({ flags: ['harness_lag'], rules: [AT_MOST_2] });
    const plain = assessed({ rules: [AT_MOST_2] });
    expect(flagged.whole).toEqual(plain.whole);
    expect(flagged.rules).toEqual(plain.rules);
    expect(flagged.rules).toMatchObject([{ verdict: 'pass', withoutFlagged: null }]);
  });

  it('the measure of a score is the mean over prompts and seeds, each the mean of its takes', () => {
    const { analysis } = assessed({ drop: 0.1 });
    const found = meanOf(analysis);
    const values = PROMPTS.flatMap((prompt) => SEEDS.map((seed) => 0.5 + 0.01 * chance('fast', prompt, seed)));
    expect(found?.value).toBeCloseTo(values.reduce((a, b) => a + b, 0) / 12, 12);
    expect(found).toMatchObject({ n: 12, method: 'student', unit: 'score', better: 'higher', notes: [] });
    expect(found?.ciLow).toBeLessThan(found?.value ?? 0);
  });
});

/** The first `most` cells of fast have no value. */
const unscored =
  (most: number) =>
  (prompt: string, seed: number): Fate =>
    PROMPTS.indexOf(prompt) * 3 + seed <= most ? 'unscored' : 'ok';
const oneLost = (prompt: string, seed: number): Fate => (prompt === 'fox' && seed === 1 ? 'lost' : 'ok');

const UNRANGED = fileScorer('hps');
const UNDIRECTED = fileScorer('hps', { better: null });
const fallBy = (amount: number): Bound => ({ is: 'max_decrease', amount });
const riseBy = (amount: number): Bound => ({ is: 'max_increase', amount });
const least = (value: number): Bound => ({ is: 'min', value });

describe('a rule on a score', () => {
  it.each<[name: string, Told, Bound, result: string, Partial<GateRule>?]>([
    ['a fall beyond the limit', { drop: 0.05 }, fallBy(0.02), 'fail beyond_limit'],
    ['no fall', { drop: 0 }, fallBy(0.02), 'pass within_limit'],
    ['a wide spread', { drop: 0.02, noise: 0.4 }, fallBy(0.02), 'inconclusive limit_not_excluded'],
    ['a mean above the least', {}, least(0.5), 'pass within_limit'],
    ['a mean below the least', {}, least(0.9), 'fail beyond_limit'],
    ['an interval of the mean around the least', { noise: 0.3 }, least(0.75), 'inconclusive spans_limit'],
    ['a fall without a direction', { scorer: UNDIRECTED, drop: 0.05 }, fallBy(0.02), 'fail beyond_limit'],
    ['a rise without a direction', { scorer: UNDIRECTED, drop: -0.05 }, riseBy(0.02), 'fail beyond_limit'],
    ['equal scores in a range', { noise: 0 }, fallBy(0.1), 'pass within_limit'],
    ['equal scores without one', { noise: 0, scorer: UNRANGED }, fallBy(0.1), 'inconclusive too_few_units'],
    // A lost take counts as the worst of the range; without a range nobody knows how bad it could be.
    ['a lost take, small limit', { fate: oneLost }, fallBy(0.02), 'inconclusive lost_blocks'],
    ['a lost take, large limit', { fate: oneLost }, fallBy(0.1), 'pass within_limit'],
    ['a lost take without a range', { fate: oneLost, scorer: UNRANGED }, fallBy(0.1), 'inconclusive lost_blocks'],
    ['an output without a value', { fate: unscored(1) }, fallBy(0.02), 'inconclusive lost_blocks'],
    ['too many without a value', { fate: unscored(3) }, fallBy(0.5), 'inconclusive too_many_missing'],
    ['none with a value', { fate: unscored(12) }, fallBy(0.02), 'inconclusive not_scored'],
  ])('a rule on a score decides of %s', (_, told, bound, result, more) => {
    expect(ruled(told, bound, more)).toEqual([result]);
  });

  it('outputs without a value are counted in the measure and of the scorer', () => {
    const { analysis } = assessed({ fate: unscored(3) });
    expect(meanOf(analysis)).toMatchObject({ n: 9, notes: [{ code: 'unscored', value: 6 }] });
    expect(analysis.scorers).toMatchObject([
      {
        scorer: 'hps',
        metrics: ['score.hps'],
        variants: [
          { variant: 'standard', scored: 24, unscored: [], waiting: 0 },
          { variant: 'fast', scored: 18, unscored: [{ why: { code: 'died' }, takes: 6 }], waiting: 0 },
        ],
      },
    ]);
  });
});

describe('a rule on a score, before a run', () => {
  const suite = (rule: GateRule, load: Partial<ClosedLoad> = {}) => {
    const { run } = runOf({ load });
    const { variants, prompts, plan } = run;
    return {
      rules: [rule],
      variants,
      prompts,
      load: plan.load,
      seeds: SEEDS,
      repeats: 2,
      probes: [],
      metrics: metricsOf([rule], [HPS]),
    };
  };

  it('a rule on a score is decided once where the gate is looked at more than once', () => {
    const metrics = metricsOf([], [HPS]);
    for (const bound of [AT_MOST_2.bound, { is: 'min', value: 0.5 } as const]) {
      const rule = { ...AT_MOST_2, bound };
      expect(kindOf(rule).lookPart(rule, metrics)).toBe('whole');
    }
  });

  it('a rule on a score against earlier runs is refused, as is a percentage', () => {
    expect(checkRules(suite({ ...AT_MOST_2, against: 'history' }))).toMatchObject([
      { cause: expect.stringMatching('ratio') },
    ]);
    expect(checkRules(suite({ ...AT_MOST_2, bound: { is: 'max_decrease', share: 0.02 } }))).toMatchObject([
      { cause: expect.stringMatching('may be 0'), remedy: expect.stringMatching('without a unit, such as 0.02') },
    ]);
    expect(checkRules(suite({ ...AT_MOST_2, bound: { is: 'max_increase', amount: 0.02 } }))).toMatchObject([
      { remedy: 'use max_decrease' },
    ]);
    expect(checkRules(suite({ ...AT_MOST_2, metric: 'score.hsp' }))).toMatchObject([
      { cause: 'there is no metric "score.hsp"' },
    ]);
  });
});

describe('controls of a command', () => {
  const scorer = commandScorer('hps', { range: [0, 1] });
  const record = runOf({ scorer, rules: [AT_MOST_2] });
  const found = (count: number, of = 16) => Array.from({ length: of }, (_, at) => at < count);
  const decided = (controls: Parameters<typeof scored>[3], own = scorer, base = record) => {
    const controlled = scored(
      { ...base, scores: [] },
      own,
      ({ trial }) => ({ hps: 0.6 + 0.01 * chance(trial.variant, trial.prompt, Number(trial.seed)) }),
      controls,
    );
    return assess(controlled, metricsOfRecord(controlled)).verdict.rules.map(
      ({ verdict, code }) => `${verdict} ${code}`,
    );
  };

  it('a scorer that finds 14 of 16 copies of one kind decides rules', () => {
    expect(
      decided([
        { control: 'blurred', found: found(3) },
        { control: 'jpeg', found: found(14) },
      ]),
    ).toEqual(['pass within_limit']);
  });

  it('a scorer that finds 13 of 16, or was not tried on 16, decides none', () => {
    expect(decided([{ control: 'blurred', found: found(13) }])).toEqual(['inconclusive control_failed']);
    expect(decided([{ control: 'blurred', found: found(12, 12) }])).toEqual(['inconclusive too_few_for_control']);
    expect(decided([])).toEqual(['inconclusive too_few_for_control']);
  });

  it('a scorer without a direction needs no control', () => {
    expect(decided([], commandScorer('hps', { better: null, range: [0, 1] }))).toEqual(['pass within_limit']);
  });

  it('outputs that a command was not asked about leave the rule undecided', () => {
    const partly = scored(
      { ...record, scores: [] },
      scorer,
      ({ trial }) => (trial.prompt === 'fox' && trial.seed === 1 ? null : { hps: 0.6 }),
      [{ control: 'blurred', found: found(16) }],
    );
    const { verdict, analysed } = assess(partly, metricsOfRecord(partly));
    expect(verdict.rules).toMatchObject([{ verdict: 'inconclusive', code: 'not_scored' }]);
    expect(analysed.analysis.scorers).toMatchObject([{ variants: [{ waiting: 2 }, { waiting: 2 }] }]);
  });
});
