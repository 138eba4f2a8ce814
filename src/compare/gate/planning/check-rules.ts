import type { Metric } from '../../../analysis/measures/metric.ts';
import type { TakeReading } from '../../../analysis/measures/take-reading.ts';
import type { GateEvent } from '../../../suite/format/gate.ts';
import type { Kind } from '../../../suite/format/kind.ts';
import type { Load } from '../../../suite/format/load.ts';
import type { GateRule } from '../../../suite/format/rule.ts';
import type { ProbeKind, WrittenAs } from '../../../suite/format/suite.ts';
import { STABILITY_EVENT, STABILITY_METRICS } from '../../baseline/stability.ts';
import { isTwin, twinOf } from '../../pairs/comparable.ts';
import { driftsWithService } from '../drift.ts';
import { comparesTwins, type GatedVariant, isAbout, ruleCases } from '../rule-cases.ts';
import { gatedOf, statisticOf } from '../rule-statistic.ts';
import type { RuleFault, RuleFaultReason } from './rule-fault.ts';

/** What rules are held against before anything is sent. */
export interface GatedSuite {
  readonly rules: readonly GateRule[];
  /** Those that are left out on this machine among them. */
  readonly variants: readonly (GatedVariant & { readonly timeoutMs: number })[];
  readonly prompts: readonly {
    readonly id: string;
    readonly tags: readonly string[];
    readonly kinds: readonly Kind[];
  }[];
  readonly load: Load;
  readonly repeats: number;
  readonly probes: readonly ProbeKind[];
  readonly metrics: readonly Metric[];
  /** How the bound of each rule was written; left out where that is not known. */
  readonly writtenAs?: readonly (WrittenAs | null)[];
}

/** Everything that is wrong with rules, whatever the takes will be; by the rules, then by their keys. */
export function checkRules(suite: GatedSuite): readonly RuleFault[] {
  return suite.rules.flatMap((rule, index) =>
    faultsOf(rule, suite, suite.writtenAs?.[index] ?? null).map(
      ([key, reason]): RuleFault => ({ index, key, ...reason }),
    ),
  );
}

type KeyedReason = readonly [key: string, reason: RuleFaultReason];

function faultsOf(rule: GateRule, suite: GatedSuite, writtenAs: WrittenAs | null): readonly KeyedReason[] {
  const metric = suite.metrics.find(({ name }) => name === rule.metric);
  if (metric === undefined && !STABILITY_METRICS.has(rule.metric)) {
    const known = [...suite.metrics.map(({ name }) => name), ...STABILITY_METRICS.keys()];
    return [['metric', { code: 'unknown_metric', metric: rule.metric, known }]];
  }
  const named = unknownNames(rule, suite);
  if (named.length > 0) return named;
  const against = againstFaults(rule, suite);
  if (against.length > 0) return against;
  if (ruleCases([rule], suite.variants, suite.prompts).every((each) => isEmpty(each, suite))) {
    return [['', { code: 'about_nothing' }]];
  }
  if (metric === undefined) return stabilityFaults(rule, suite);
  if ('never' in metric.gate)
    return [['metric', { code: 'never_decided', metric: metric.name, why: metric.gate.never }]];
  const needed = needFaults(metric, suite);
  if (needed.length > 0) return needed;
  const limit = limitFaults(rule, metric, suite);
  if (limit.length > 0) return limit;
  return [
    ...(writtenAs === null || fitsUnit(rule, metric, writtenAs)
      ? boundFaults(rule, metric, suite)
      : ([[rule.bound.is, { code: 'wrong_unit', metric: metric.name, wants: formOf(metric) }]] as const)),
    ...historyFaults(rule),
    ...scopeFaults(rule),
    ...loadFaults(rule, metric, suite),
  ];
}

/** A bound is written in the unit of its metric, so that 500 is never taken for seconds; a change may be a percentage of any. */
function fitsUnit({ bound }: GateRule, metric: Metric, writtenAs: WrittenAs): boolean {
  if (writtenAs === 'percentage' && bound.is !== 'max' && bound.is !== 'min') return true;
  const wanted = formOf(metric);
  return writtenAs === wanted || (wanted === 'percentage' && writtenAs === 'number');
}

/** How a value of a metric is written. */
function formOf({ unit }: Metric): WrittenAs {
  return unit === 'ms' ? 'duration' : unit === '1' ? 'percentage' : 'number';
}

/** Of a stored baseline stability is known; all else is compared where its variants are sent again beside those of the suite. */
function againstFaults(rule: GateRule, { variants }: GatedSuite): readonly KeyedReason[] {
  const { metric, against, bound } = rule;
  const isStability = STABILITY_METRICS.has(metric);
  if (against !== 'baseline') return isStability ? [['metric', { code: 'needs_stored_baseline', metric }]] : [];
  if (isStability) return comparesTwins(rule) ? [[bound.is, { code: 'not_of_stability', metric }]] : [];
  if (!comparesTwins(rule)) return [['against', { code: 'compares_nothing', bound: bound.is }]];
  if (!variants.some(isTwin)) return [['against', { code: 'not_against_baseline', metric }]];
  const about = variants.filter((variant) => isAbout(rule, variant));
  if (about.length === 0 || about.some((variant) => twinOf(variant, variants) !== null)) return [];
  return [['against', { code: 'not_in_baseline', variants: about.map(({ name }) => name) }]];
}

/** Of a rule about stability, which no run has a measure of. */
function stabilityFaults(rule: GateRule, { load, metrics }: GatedSuite): readonly KeyedReason[] {
  const { metric, statistic, bound, overMs } = rule;
  if (overMs !== null) return [['over', { code: 'takes_no_over', metric, known: metricsWithOver(metrics) }]];
  if (statistic !== null && statistic !== 'share') {
    return [['statistic', { code: 'unknown_statistic', metric, statistic, known: ['share'] }]];
  }
  if (load.mode === 'closed' && load.steps !== null) return [['', { code: 'sweep' }]];
  const scope = scopeFaults(rule);
  if (scope.length > 0) return scope;
  if (bound.is === 'none') return eventFaults(rule, bound.event, metrics);
  if (bound.is !== 'min') return [[bound.is, { code: 'not_of_stability', metric }]];
  return bound.value > 1 ? [['min', { code: 'above_all', metric }]] : [];
}

function isEmpty(
  { variant, prompts }: { readonly variant: GatedVariant; readonly prompts: ReadonlySet<string> | null },
  suite: GatedSuite,
): boolean {
  return !suite.prompts.some(({ id, kinds }) => kinds.includes(variant.kind) && (prompts === null || prompts.has(id)));
}

function unknownNames(rule: GateRule, { variants, prompts }: GatedSuite): readonly KeyedReason[] {
  const unknown = (
    key: string,
    what: 'variant' | 'prompt' | 'tag',
    ids: readonly string[] | null,
    known: readonly string[],
  ): readonly KeyedReason[] =>
    (ids ?? [])
      .filter((id) => !known.includes(id))
      .map((id) => [key, { code: 'unknown_name', what, id, known }] as const);
  return [
    ...unknown(
      'variants',
      'variant',
      rule.variants,
      variants.filter((variant) => !isTwin(variant)).map(({ name }) => name),
    ),
    ...unknown(
      'prompts',
      'prompt',
      rule.prompts,
      prompts.map(({ id }) => id),
    ),
    ...unknown('tags', 'tag', rule.tags, [...new Set(prompts.flatMap(({ tags }) => tags))]),
  ];
}

/** What a metric stands on, where the plan lacks it. */
function needFaults(metric: Metric, { load, repeats, probes }: GatedSuite): readonly KeyedReason[] {
  const { needs } = gatedOf(metric);
  switch (needs) {
    case undefined:
      return [];
    case 'open_load':
      return load.mode === 'open' ? [] : [['metric', { code: 'needs_open_load', metric: metric.name }]];
    case 'repeats':
      return repeats > 1 ? [] : [['metric', { code: 'needs_repeats', metric: metric.name }]];
    default:
      return probes.includes(needs) ? [] : [['metric', { code: 'needs_probe', metric: metric.name, probe: needs }]];
  }
}

function metricsWithOver(metrics: readonly Metric[]): readonly string[] {
  return metrics.flatMap(({ name, gate }) => ('over' in gate ? [name] : []));
}

function limitFaults(rule: GateRule, metric: Metric, { variants, metrics }: GatedSuite): readonly KeyedReason[] {
  const { overMs } = rule;
  const takesOver = gatedOf(metric).over !== undefined;
  if (overMs === null) return takesOver ? [['', { code: 'needs_over', metric: metric.name }]] : [];
  if (!takesOver) {
    return [['over', { code: 'takes_no_over', metric: metric.name, known: metricsWithOver(metrics) }]];
  }
  const compared = variants.filter((variant) => isAbout(rule, variant));
  const twins = comparesTwins(rule) ? compared.flatMap((variant) => twinOf(variant, variants) ?? []) : [];
  const short = [...compared, ...twins].find(({ timeoutMs }) => timeoutMs < overMs);
  if (short === undefined) return [];
  return [['over', { code: 'over_beyond_timeout', overMs, timeoutMs: short.timeoutMs, variant: short.name }]];
}

function boundFaults(rule: GateRule, metric: Metric, { metrics }: GatedSuite): readonly KeyedReason[] {
  const { bound } = rule;
  const known = gatedOf(metric).statistics.map(({ statistic }) => statistic);
  const statistic = statisticOf(rule, metric);
  if (!known.includes(statistic) || (rule.overMs !== null && rule.statistic !== null)) {
    return [['statistic', { code: 'unknown_statistic', metric: metric.name, statistic: rule.statistic ?? '', known }]];
  }
  const reading = metric.takes?.find((each) => each.statistic === statistic);
  switch (bound.is) {
    case 'max_increase':
    case 'max_decrease':
      return changeFaults(rule, metric, reading);
    case 'max_rise':
      if (reading?.effect !== 'rate') return [['metric', { code: 'not_a_rate', metric: metric.name }]];
      return bound.share === 0 ? [['max_rise', { code: 'zero_limit' }]] : [];
    case 'max':
    case 'min':
      return valueFaults(metric, bound);
    case 'none':
      return eventFaults(rule, bound.event, metrics);
  }
}

function changeFaults(
  { bound, statistic }: GateRule,
  metric: Metric,
  reading: TakeReading | undefined,
): readonly KeyedReason[] {
  if (bound.is !== 'max_increase' && bound.is !== 'max_decrease') return [];
  if (reading === undefined && statistic !== null && metric.takes !== undefined) {
    return [['statistic', { code: 'not_by_block', metric: metric.name, statistic }]];
  }
  if (reading === undefined) return [['metric', { code: 'not_comparable', metric: metric.name }]];
  // What counts events has points, not per cent of itself.
  if (reading.effect === 'rate') return [[bound.is, { code: 'not_a_ratio', metric: metric.name }]];
  const { better } = metric;
  const wrong = bound.is === 'max_increase' ? better === 'higher' : better === 'lower';
  if (wrong && better !== null) return [[bound.is, { code: 'wrong_direction', metric: metric.name, better }]];
  if ('share' in bound !== (reading.effect === 'ratio')) {
    const code = reading.effect === 'ratio' ? 'not_a_difference' : 'not_a_ratio';
    return [[bound.is, { code, metric: metric.name }]];
  }
  return ('share' in bound ? bound.share : bound.amount) > 0 ? [] : [[bound.is, { code: 'zero_limit' }]];
}

function valueFaults(
  metric: Metric,
  bound: { readonly is: 'max' | 'min'; readonly value: number },
): readonly KeyedReason[] {
  // A share is never above 1: such a rule could not fail.
  return metric.unit === '1' && bound.value > 1 ? [[bound.is, { code: 'above_all', metric: metric.name }]] : [];
}

function eventFaults({ metric }: GateRule, event: GateEvent, metrics: readonly Metric[]): readonly KeyedReason[] {
  const counting = event === STABILITY_EVENT ? [...STABILITY_METRICS.keys()] : metricsThatCount(event, metrics);
  return counting.includes(metric) ? [] : [['none', { code: 'wrong_event', event, metrics: counting }]];
}

function metricsThatCount(event: GateEvent, metrics: readonly Metric[]): readonly string[] {
  return metrics.flatMap(({ name, gate }) => ('event' in gate && gate.event === event ? [name] : []));
}

/** An amount is what is wrong with metrics that are not compared by ratio: then the bound is at fault or right. */
function historyFaults({ against, bound, scope }: GateRule): readonly KeyedReason[] {
  if (against !== 'history') return [];
  if (bound.is === 'max_rise') return [['max_rise', { code: 'no_rate_in_history' }]];
  const isRatio = (bound.is === 'max_increase' || bound.is === 'max_decrease') && 'share' in bound;
  if (!isRatio) return [['against', { code: 'no_ratio_in_history' }]];
  return scope === 'prompts' ? [['scope', { code: 'no_scope_in_history' }]] : [];
}

function loadFaults(rule: GateRule, metric: Metric, { load }: GatedSuite): readonly KeyedReason[] {
  if (load.mode === 'open') return [];
  if (load.steps !== null) return [['', { code: 'sweep' }]];
  const { madeOf } = gatedOf(metric);
  if (madeOf !== undefined && load.order === 'mixed') return [['metric', { code: 'mixed_order', madeOf }]];
  if (load.order === 'sequential' && driftsWithService(rule, metric)) return [['metric', { code: 'sequential_order' }]];
  return rule.scope === 'prompts' && load.concurrency > 1 ? [['scope', { code: 'prompts_above_one' }]] : [];
}

/** Only a change of values is taken over prompts. */
function scopeFaults({ scope, bound: { is } }: GateRule): readonly KeyedReason[] {
  return scope === 'prompts' && is !== 'max_increase' && is !== 'max_decrease'
    ? [['scope', { code: 'no_scope_of_bound' }]]
    : [];
}
