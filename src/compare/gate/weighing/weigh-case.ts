import { CONFIDENCE } from '../../../analysis/confidence.ts';
import type { Metric } from '../../../analysis/measures/metric.ts';
import type { EventReading, TakeReading, ValueReading } from '../../../analysis/measures/take-reading.ts';
import { clopperPearsonUpper } from '../../../statistics/rates/clopper-pearson.ts';
import { riseUpper } from '../../../statistics/rates/rise-test.ts';
import { median } from '../../../statistics/samples/quantile.ts';
import { sortSample } from '../../../statistics/samples/sorted-sample.ts';
import { STABILITY_METRICS } from '../../baseline/stability.ts';
import { pairedEffect } from '../../effects/paired-effect.ts';
import { promptEffect } from '../../effects/prompt-effect-of.ts';
import { countRateBlocks, rateEffect, riseTestOf } from '../../effects/rate-effect.ts';
import type { BlockPair } from '../../pairs/block-pair.ts';
import { unitKindOf } from '../../pairs/comparable.ts';
import { type UnitKind, unitsOf } from '../../pairs/units.ts';
import type { RuleCase } from '../rule-cases.ts';
import { statisticOf } from '../rule-statistic.ts';
import { lastedMs, shortestLoadMs } from '../shortest-load.ts';
import type { Decision, WorstPlace } from '../verdict.ts';
import { type BoundedValue, decideBound, decideNone } from './bound.ts';
import { boundedValue } from './bounded-value.ts';
import { countEvents } from './event-count.ts';
import { blocksOf, type Grounds, subjectOf, type TakesKept, takesOfCase } from './grounds.ts';
import { decideIncrease, type IncreaseRule, weighIncrease } from './increase.ts';
import { lookPartOf } from './look-part.ts';
import { decideRise, weighRise } from './rise.ts';
import { weighHistory } from './weigh-history.ts';
import { weighStability } from './weigh-stability.ts';
import { UNTESTED, type WeighedCase } from './weighed-case.ts';
import { promptsBeyond } from './worst-places.ts';

/** Weighs one case; without flagged blocks where `kept` says so. `alpha` is that of its tests and one-sided bounds. */
export function weighCase(ruleCase: RuleCase, grounds: Grounds, kept: TakesKept, alpha: number): WeighedCase {
  const { rule } = ruleCase;
  const level = STABILITY_METRICS.get(rule.metric);
  if (level !== undefined) return weighStability(ruleCase, level, grounds.against, 1 - alpha);
  const metric = metricOf(ruleCase, grounds);
  const { bound } = rule;
  switch (bound.is) {
    case 'max_increase':
    case 'max_decrease': {
      const reading = readingOf(metric, rule);
      if (reading === undefined || reading.effect === 'rate') return lacking(metric, 'a value of each take');
      if (rule.against === 'history') {
        if (grounds.history === null) throw new Error('a rule against earlier runs needs them');
        return weighHistory(ruleCase, metric, reading, grounds.history, takesOfCase(ruleCase, grounds, kept));
      }
      return weighChange(ruleCase, metric, reading, grounds, kept, alpha);
    }
    case 'max_rise': {
      const reading = readingOf(metric, rule);
      if (reading?.effect !== 'rate') return lacking(metric, 'an event of each take');
      return weighRate(ruleCase, metric, reading, bound.share, grounds, kept, alpha);
    }
    case 'max':
    case 'min': {
      if (isUntestable(ruleCase, metric, grounds)) return NOT_TESTABLE;
      const confidence = lookPartOf(rule, grounds.metrics) === 'each_look' ? 1 - alpha : CONFIDENCE;
      const valueIn = (each: RuleCase) => boundedValue(metric, rule, subjectOf(each, grounds, kept), confidence);
      const worst = worstPrompts(ruleCase, grounds, kept, (each) => valueIn(each).value, bound);
      const weighed = weighBound(valueIn(ruleCase), bound, metric);
      const shortestMs = shortestLoadMs(rule, metric, grounds.load);
      const takes = () => takesOfCase(ruleCase, grounds, kept).map(({ sample }) => sample);
      if (shortestMs === null || lastedMs(takes()) >= shortestMs) return { ...weighed, worst };
      const decide = (p: number | null): Decision => {
        const decision = weighed.decide(p);
        return decision.verdict === 'pass' ? { verdict: 'inconclusive', code: 'short_load' } : decision;
      };
      return { ...weighed, decide, worst };
    }
    case 'none': {
      if (isUntestable(ruleCase, metric, grounds)) return NOT_TESTABLE;
      const statistic = statisticOf(rule, metric);
      const weighed = (each: RuleCase) => weighNone(countEvents(metric, statistic, subjectOf(each, grounds, kept)));
      const noneAllowed = { is: 'max', value: 0 } as const;
      const worst = worstPrompts(ruleCase, grounds, kept, (each) => weighed(each).estimate, noneAllowed);
      return { ...weighed(ruleCase), worst };
    }
  }
}

/** Whether repeats of the variant come from a cache, so that what they are says nothing of the model. */
function isUntestable({ variant }: RuleCase, { whenCached }: Metric, { subjects }: Grounds): boolean {
  return whenCached === 'untestable' && subjects.ofTakes(variant, () => false).probes?.cache?.code === 'cached';
}

const NOT_TESTABLE: WeighedCase = {
  ...UNTESTED,
  decide: () => ({ verdict: 'inconclusive', code: 'not_testable' }),
  effect: 'value',
  unit: '1',
  estimate: null,
  upperBound: null,
  n: 0,
  worst: [],
};

function metricOf({ rule }: RuleCase, { metrics }: Grounds): Metric {
  const metric = metrics.find(({ name }) => name === rule.metric);
  if (metric === undefined) throw new Error(`no metric ${rule.metric}: the suite should have been refused`);
  return metric;
}

function lacking(metric: Metric, what: string): never {
  throw new Error(`${metric.name} does not read ${what}: the suite should have been refused`);
}

function readingOf(metric: Metric, rule: RuleCase['rule']): TakeReading | undefined {
  const statistic = statisticOf(rule, metric);
  return metric.takes?.find((reading) => reading.statistic === statistic);
}

/** Ratio or difference of two variants. */
function weighChange(
  ruleCase: RuleCase,
  metric: Metric,
  reading: ValueReading,
  grounds: Grounds,
  kept: TakesKept,
  alpha: number,
): WeighedCase {
  const { rule } = ruleCase;
  const { bound } = rule;
  if (bound.is !== 'max_increase' && bound.is !== 'max_decrease') throw new Error(`${bound.is} is no change`);
  const units: UnitKind = rule.scope === 'prompts' ? 'prompts' : unitKindOf(grounds.load);
  const { effect } = reading;
  const worse = bound.is === 'max_increase' ? 'increase' : 'decrease';
  const increase: IncreaseRule = { effect, units, worse, limit: 'share' in bound ? bound.share : bound.amount };
  const blocks = blocksOf(ruleCase, metric, reading.read, grounds, kept);
  const evidence = weighIncrease(blocks, increase, alpha);
  const differences = unitsOf(blocks, { kind: units, effect }).units;
  const found = pairedEffect(differences, CONFIDENCE);
  const shown = (difference: number | null) => shownAs(effect, difference);
  const { upperBound } = evidence.test;
  const farEnd = upperBound === null || worse === 'increase' ? upperBound : -upperBound;
  return {
    p: evidence.test.p,
    decide: (pAdjusted) => decideIncrease(evidence, pAdjusted, alpha),
    effect,
    unit: effect === 'ratio' ? '1' : metric.unit,
    estimate: shown(found.estimate),
    ciLow: shown(found.interval?.low ?? null),
    ciHigh: shown(found.interval?.high ?? null),
    upperBound: shown(farEnd),
    boundLevel: 1 - alpha,
    n: found.n,
    units,
    missingPairs: evidence.units.missing,
    differences: differences.map(({ difference }) => difference),
    differenceMs:
      metric.unit === 'ms' && evidence.units.censored === 0 ? differenceMs(effect, found.estimate, blocks) : null,
    promptEffect: () => promptEffect(blocks, { effect, units }),
    worst: null,
  };
}

/** A rate of two variants. */
function weighRate(
  ruleCase: RuleCase,
  metric: Metric,
  reading: EventReading,
  limit: number,
  grounds: Grounds,
  kept: TakesKept,
  alpha: number,
): WeighedCase {
  const units = unitKindOf(grounds.load);
  const blocks = blocksOf(ruleCase, metric, reading.read, grounds, kept);
  const evidence = weighRise(blocks, { units, limit }, alpha);
  const counted = countRateBlocks(blocks);
  const found = rateEffect(counted, units, CONFIDENCE);
  const test = riseTestOf(counted, units);
  return {
    p: evidence.p,
    decide: (pAdjusted) => decideRise(evidence, pAdjusted, alpha),
    effect: 'difference',
    unit: metric.unit,
    estimate: found.difference,
    ciLow: found.interval?.low ?? null,
    ciHigh: found.interval?.high ?? null,
    upperBound: test === null ? null : riseUpper(test, 1 - alpha),
    boundLevel: 1 - alpha,
    n: found.n,
    units: units === 'rounds' ? 'rounds' : 'blocks',
    missingPairs: evidence.missing,
    differences: [],
    differenceMs: null,
    promptEffect: null,
    worst: null,
  };
}

/** The prompts of a case that are beyond its bound by themselves. */
function worstPrompts(
  ruleCase: RuleCase,
  grounds: Grounds,
  kept: TakesKept,
  valueIn: (ofPrompt: RuleCase) => number | null,
  bound: { readonly is: 'max' | 'min'; readonly value: number },
): readonly WorstPlace[] {
  const prompts = new Set(takesOfCase(ruleCase, grounds, kept).map(({ sample }) => sample.trial.prompt));
  return promptsBeyond([...prompts], (prompt) => valueIn({ ...ruleCase, prompts: new Set([prompt]) }), bound);
}

function weighBound(
  found: BoundedValue,
  bound: { readonly is: 'max' | 'min'; readonly value: number },
  { unit }: Metric,
): WeighedCase {
  const { value, n, range, level } = found;
  const isBracket = value === null && range !== null;
  return {
    ...UNTESTED,
    decide: () => decideBound(found, bound),
    effect: 'value',
    unit,
    estimate: value,
    ciLow: isBracket ? range.low : null,
    ciHigh: isBracket ? range.high : null,
    upperBound: level === null ? null : finite((bound.is === 'max' ? range?.high : range?.low) ?? null),
    boundLevel: level,
    n,
  };
}

function weighNone({ events, n }: { readonly events: number; readonly n: number }): WeighedCase {
  return {
    ...UNTESTED,
    decide: () => decideNone({ events, n }),
    effect: 'value',
    unit: '1',
    estimate: n === 0 ? null : events / n,
    upperBound: n === 0 ? null : clopperPearsonUpper(events, n, CONFIDENCE),
    n,
  };
}

/** An estimated change in milliseconds: of a ratio, of the baseline's median. */
function differenceMs(
  effect: 'ratio' | 'difference',
  estimate: number | null,
  blocks: readonly BlockPair<number>[],
): number | null {
  if (estimate === null || !Number.isFinite(estimate)) return null;
  if (effect === 'difference') return estimate;
  const middle = median(sortSample(blocks.flatMap(({ baseline }) => baseline ?? [])));
  return middle === null ? null : Math.expm1(estimate) * middle;
}

function shownAs(effect: 'ratio' | 'difference', difference: number | null): number | null {
  if (difference === null || !Number.isFinite(difference)) return null;
  return effect === 'ratio' ? Math.exp(difference) : difference;
}

function finite(value: number | null): number | null {
  return value !== null && Number.isFinite(value) ? value : null;
}
