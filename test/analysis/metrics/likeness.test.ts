import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analyse } from '../../../src/analysis/analyse.ts';
import { METRICS } from '../../../src/analysis/metrics.ts';
import { pairsOf } from '../../../src/examine/pairs.ts';
import { assess } from '../../../src/gate/assess.ts';
import type { RuleResult } from '../../../src/gate/verdict.ts';
import type { Difference } from '../../../src/media/difference.ts';
import type { Fact } from '../../../src/record/fact.ts';
import type { Sample } from '../../../src/record/journal.ts';
import type { RunVariant } from '../../../src/record/run.ts';
import type { Bound } from '../../../src/suite/rule.ts';
import { measureIn } from '../../fixtures/measure-query.ts';
import { gated, gateRule } from '../../fixtures/scripted-run.ts';
import {
  buildDifference,
  buildFailure,
  buildOk,
  buildPair,
  buildShown,
  buildStoredRun,
  digestOf,
} from '../../fixtures/stored-run-builder.ts';

const PROMPTS = ['fox', 'cat', 'owl', 'elk'];
const SEEDS = [1, 2, 3];
const STANDARD = { name: 'standard', baseline: true } as const;
const FAST = { name: 'fast', baseline: false } as const;

const SIMILAR = buildDifference(0.98, 2);
const CHANGED = buildDifference(0.8, 36);
const ANOTHER = buildDifference(0.4, 128);

/** The content of a take: the variant's own for each prompt and seed, and the same in each repeat. */
const content = (variant: string, prompt: string, seed: number, repeat = 1, varies = false) =>
  [variant, prompt, seed, ...(varies ? [repeat] : [])].join(' ');

interface Told {
  /** Of cell 0, 1, ...: how its output lies apart from the baseline's, or what became of it. */
  readonly fast: (cell: number) => Difference | 'blocked' | 'baseline_blocked' | 'not_compared';
  readonly varies?: 'standard' | 'fast';
  readonly variants?: readonly Partial<RunVariant>[];
  readonly sharpness?: number;
}

const CELLS = PROMPTS.flatMap((prompt) => SEEDS.map((seed) => ({ prompt, seed })));

function runOf({ fast, varies, variants = [STANDARD, FAST], sharpness = 100 }: Told) {
  const samples: Sample[] = [];
  const facts: Fact[] = [];
  for (const [at, { prompt, seed }] of CELLS.entries()) {
    const told = fast(at);
    for (const repeat of [1, 2]) {
      for (const variant of ['standard', 'fast']) {
        const trial = { variant, prompt, seed, repeat };
        const isBlocked = told === (variant === 'fast' ? 'blocked' : 'baseline_blocked');
        const bytes = content(variant, prompt, seed, repeat, varies === variant);
        samples.push(isBlocked ? buildFailure('moderated', { trial }) : buildOk(100, bytes, { trial }));
      }
    }
    const of = (variant: string, repeat = 1) => content(variant, prompt, seed, repeat, varies === variant);
    if (typeof told === 'object') facts.push(buildPair(of('standard'), of('fast'), told));
    if (varies !== undefined) facts.push(buildPair(of(varies, 1), of(varies, 2), CHANGED));
    const next = SEEDS[(SEEDS.indexOf(seed) + 1) % SEEDS.length] ?? 1;
    facts.push(buildPair(of('standard'), content('standard', prompt, next), buildDifference(0.42, 126)));
  }
  const record = buildStoredRun({ variants, prompts: PROMPTS, seeds: SEEDS, repeats: 2, samples });
  const outputs = record.facts.map((fact): Fact => {
    if (fact.fact !== 'output' || fact.decodes !== true) return fact;
    const isFast = samples.some(
      (sample) =>
        sample.outcome === 'ok' && sample.trial.variant === 'fast' && sample.outputs[0].sha256 === fact.sha256,
    );
    const shown = buildShown(fact.sha256);
    return { ...fact, shown: { ...shown, first: { ...shown.first, sharpness: isFast ? sharpness : 100 } } };
  });
  return { ...record, facts: [...outputs, ...facts] };
}

const likenessIn = (record: ReturnType<typeof runOf>) => analyse(record, METRICS).analysis.likeness;
const measure = (record: ReturnType<typeof runOf>, statistic: string) =>
  measureIn(record, { metric: 'likeness', statistic, variant: 'fast' });

const of =
  (...told: readonly ReturnType<Told['fast']>[]): Told['fast'] =>
  (at) =>
    told[at] ?? SIMILAR;

describe('likeness', () => {
  it('likeness counts the cell pairs that stay similar and those that became another picture', () => {
    const record = runOf({ fast: of(ANOTHER, CHANGED, CHANGED), sharpness: 90 });
    expect(likenessIn(record).map(({ word }) => word)).toEqual([
      ...['another', 'changed', 'changed'],
      ...Array(9).fill('similar'),
    ]);
    expect(measure(record, 'similar')).toMatchObject({ value: 0.75, n: 12, method: 'clopper_pearson', note: '' });
    expect(measure(record, 'another')).toMatchObject({ value: 1 / 12, n: 12 });
    expect(measure(record, 'ssim')).toMatchObject({ value: 0.98, n: 12, ciHigh: 0.98 });
    expect(measure(record, 'sharpness')).toMatchObject({ value: 0.9, better: null });
  });

  it('likeness says nothing of the baseline variant, or of a kind without one', () => {
    expect(likenessIn(runOf({ fast: of() })).every(({ variant }) => variant === 'fast')).toBe(true);
    const alone = runOf({ fast: of(), variants: [{ ...STANDARD, baseline: false }, FAST] });
    expect(likenessIn(alone)).toEqual([]);
  });

  it('likeness shows both ends of its scale: repeats of the baseline, and another seed', () => {
    const [first] = likenessIn(runOf({ fast: of(CHANGED) }));
    expect(first).toMatchObject({ repeatSsim: 1, otherSeed: { ssim: 0.42, pdqDistance: 126 } });
  });

  it('likeness is similar, with SSIM 1, if pixels are equal', () => {
    const record = runOf({ fast: of() });
    const digest = (variant: string, { prompt, seed }: (typeof CELLS)[number]) =>
      digestOf(content(variant, prompt, seed));
    const same = new Map(CELLS.map((cell) => [digest('fast', cell), buildShown(digest('standard', cell))]));
    const facts = record.facts.flatMap((fact): Fact[] => {
      if (fact.fact !== 'output') return [];
      const shown = same.get(fact.sha256);
      return [fact.decodes === true && shown !== undefined ? { ...fact, shown } : fact];
    });
    for (const statistic of ['similar', 'ssim'])
      expect(measure({ ...record, facts }, statistic)).toMatchObject({ value: 1, n: 12 });
  });

  it('likeness leaves out what cannot be compared, and counts it by its reason', () => {
    const note = 'likeness_candidate_missing=1;likeness_baseline_missing=1;likeness_not_compared=1';
    const record = runOf({ fast: of('blocked', 'baseline_blocked', 'not_compared') });
    expect(measure(record, 'similar')).toMatchObject({ value: 1, n: 9, note });
  });

  it.each<[whom: string, told: Partial<Told>, why: string]>([
    ['nobody where repeats of standard differ', { varies: 'standard' }, 'baseline_varies'],
    ['nobody where repeats of fast differ', { varies: 'fast' }, 'candidate_varies'],
    ['no service that is not sent the seed', { variants: [STANDARD, { ...FAST, sendsSeed: false }] }, 'seed_unused'],
  ])('likeness accuses %s', (_, told, why) => {
    const record = runOf({ fast: of(ANOTHER), ...told });
    for (const statistic of ['another', 'similar']) {
      const note = `no_likeness;likeness_${why}=12`;
      expect(measure(record, statistic)).toMatchObject({ value: null, n: 0, note });
    }
  });

  it('likeness needs no pair that examination does not compare', () => {
    const take = fc.record({
      variant: fc.constantFrom('standard', 'fast', 'fast@baseline'),
      prompt: fc.constantFrom(...PROMPTS.slice(0, 2)),
      seed: fc.constantFrom(...SEEDS),
      repeat: fc.integer({ min: 1, max: 3 }),
      content: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      isOk: fc.boolean(),
    });
    const takes = fc.uniqueArray(take, {
      selector: ({ variant, prompt, seed, repeat }) => [variant, prompt, seed, repeat].join(),
    });
    fc.assert(
      fc.property(takes, (told) => {
        const samples = told.map(({ content: bytes, isOk, ...trial }, at) =>
          isOk ? buildOk(100, bytes, { trial, startedMs: at }) : buildFailure('error', { trial, startedMs: at }),
        );
        const twin = { ...FAST, name: 'fast@baseline', twinOf: 'fast' };
        const built = buildStoredRun({ variants: [STANDARD, FAST, twin], prompts: PROMPTS, seeds: SEEDS, samples });
        const compared = pairsOf(built).map(
          ([a, b]): Fact => ({ fact: 'pair', a, b, compared: true, difference: SIMILAR }),
        );
        const { likeness } = analyse({ ...built, facts: [...built.facts, ...compared] }, METRICS).analysis;
        expect(likeness.filter((pair) => pair.word === 'unknown' && pair.why === 'not_compared')).toEqual([]);
      }),
    );
  });
});

const binomial = (n: number, k: number): number => (k === 0 ? 1 : (binomial(n, k - 1) * (n - k + 1)) / k);

describe('a rule about likeness', () => {
  const verdict = (statistic: string, bound: Bound, fast: Told['fast'], varies?: Told['varies']) => {
    const record = runOf({ fast, ...(varies !== undefined && { varies }) });
    const rule = gateRule('likeness', bound, { statistic });
    return assess(gated(record, [rule]), METRICS).verdict.rules;
  };
  const min: Bound = { is: 'min', value: 0.75 };

  const max: Bound = { is: 'max', value: 0.25 };
  const all = () => ANOTHER;
  const passed = { variant: 'fast', against: 'standard', verdict: 'pass', n: 12, estimate: 1 } as const;
  const undecided = { verdict: 'inconclusive', code: 'spans_limit' } as const;
  const uncounted = { verdict: 'inconclusive', code: 'nothing_to_count' } as const;

  it.each<[what: string, parameters: Parameters<typeof verdict>, expected: Partial<RuleResult>]>([
    ['passes where all are similar', ['similar', min, of()], passed],
    ['fails where none is', ['similar', min, all], { verdict: 'fail', estimate: 0 }],
    ['is undecided by one that is not', ['similar', min, of(CHANGED)], undecided],
    ['passes where none is another picture', ['another', max, of(CHANGED)], { verdict: 'pass' }],
    ['fails where all are', ['another', max, all], { verdict: 'fail' }],
    ['counts nothing where the baseline varies', ['similar', min, all, 'standard'], uncounted],
  ])('a rule about likeness %s, by one-sided bounds of the share of cell pairs', (_, parameters, expected) => {
    expect(verdict(...parameters)).toMatchObject([expected]);
  });

  it('a rule about likeness fails, passes and stays undecided as often as its table says', () => {
    const decided = Array.from(
      { length: 13 },
      (_, similar) => verdict('similar', min, (cell) => (cell < similar ? SIMILAR : CHANGED))[0]?.verdict,
    );
    expect(decided).toEqual([...Array(6).fill('fail'), ...Array(6).fill('inconclusive'), 'pass']);
    const chance = (chosen: string, share: number) => {
      const of = (similar: number) => binomial(12, similar) * share ** similar * (1 - share) ** (12 - similar);
      return decided.reduce((sum, each, similar) => sum + (each === chosen ? of(similar) : 0), 0);
    };
    const table = readFileSync('src/analysis/README.md', 'utf8').split('\n');
    const head = table.findIndex((line) => line.startsWith('| outputs that stay similar'));
    for (const row of table.slice(head + 2, head + 9)) {
      const [share = '', ...told] = row
        .split('|')
        .slice(1)
        .map((cell) => cell.trim());
      const found = ['fail', 'pass', 'inconclusive'].map((each) =>
        (100 * chance(each, Number.parseFloat(share) / 100)).toFixed(1),
      );
      expect([share, ...told.slice(0, 3)]).toEqual([share, ...found]);
    }
  });

  it('a rule about likeness names the prompts that changed most', () => {
    const [rule] = verdict('similar', min, (cell) => (cell < 3 ? ANOTHER : SIMILAR));
    expect(rule?.worst[0]).toMatchObject({ prompt: 'fox', value: 0 });
  });
});
