import { isTwin, twinOf } from '../../../record/comparable.ts';
import type { Run } from '../../../record/run.ts';
import type { GateRule } from '../../../suite/format/rule.ts';
import type { WrittenAs } from '../../../suite/format/suite.ts';
import { STABILITY_METRICS } from '../../baseline/stability.ts';
import type { Metric } from '../../measures/metric.ts';
import { kindOf } from '../bounds.ts';
import {
  comparesTwins,
  comparesVariants,
  type GatedSuite,
  type GatedVariant,
  isAbout,
  isOfPair,
  ruleCases,
} from '../rule-cases.ts';
import { gatedOf, readingOf } from '../rule-statistic.ts';
import type { KeyedReason, RuleFault } from './rule-fault.ts';

/** Everything that is wrong with rules, whatever the takes will be; by the rules, then by their keys. */
export function checkRules(suite: GatedSuite): readonly RuleFault[] {
  return suite.rules.flatMap((rule, index) =>
    faultsOf(rule, suite, suite.writtenAs?.[index] ?? null).map(
      ([key, reason]): RuleFault => ({ index, key, ...reason }),
    ),
  );
}

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
  if (ruleCases([rule], suite.variants, suite.prompts, suite.metrics).every((each) => isEmpty(each, suite))) {
    return [['', { code: 'about_nothing' }]];
  }
  const asked = metric === undefined ? overFaults(rule, suite) : metricFaults(rule, metric, suite);
  if (asked.length > 0) return asked;
  const kind = kindOf(rule);
  const isMisread = metric !== undefined && writtenAs !== null && !fitsUnit(rule, metric, writtenAs);
  return [
    ...(isMisread
      ? ([[rule.bound.is, { code: 'wrong_unit', metric: metric.name, wants: formOf(metric) }]] as const)
      : kind.faults(rule, suite)),
    ...(rule.scope === 'prompts' && !kind.takesScope ? ([['scope', { code: 'no_scope_of_bound' }]] as const) : []),
    ...loadFaults(rule, metric, suite),
  ];
}

/** The first thing that no bound may ask of a metric, or of this metric under this plan. */
function metricFaults(rule: GateRule, metric: Metric, suite: GatedSuite): readonly KeyedReason[] {
  const { name, gate } = metric;
  if ('never' in gate) return [['metric', { code: 'never_decided', metric: name, why: gate.never }]];
  const checks = [needFaults, limitFaults, statisticFaults, narrowedFaults];
  return checks.map((faults) => faults(rule, metric, suite)).find((found) => found.length > 0) ?? [];
}

/**
 * A bound is written in the unit of its metric, so that 500 is never taken for seconds; a change may be a percentage of
 * any.
 */
function fitsUnit({ bound }: GateRule, metric: Metric, writtenAs: WrittenAs): boolean {
  if (writtenAs === 'percentage' && !('value' in bound)) return true;
  const wanted = formOf(metric);
  return writtenAs === wanted || (wanted === 'percentage' && writtenAs === 'number');
}

function formOf({ unit }: Metric): WrittenAs {
  return unit === 'ms' ? 'duration' : unit === '1' ? 'percentage' : 'number';
}

/**
 * Of a stored baseline stability is known; all else is compared where its variants are sent again beside those of the
 * suite.
 */
function againstFaults(rule: GateRule, { variants, metrics }: GatedSuite): readonly KeyedReason[] {
  const { metric, against, bound } = rule;
  const isStability = STABILITY_METRICS.has(metric);
  if (against !== 'baseline') return isStability ? [['metric', { code: 'needs_stored_baseline', metric }]] : [];
  if (isStability) return comparesVariants(rule) ? [[bound.is, { code: 'not_of_stability', metric }]] : [];
  if (!isOfPair(rule, metrics)) return [['against', { code: 'compares_nothing', bound: bound.is }]];
  if (!variants.some(isTwin)) return [['against', { code: 'not_against_baseline', metric }]];
  const about = variants.filter((variant) => isAbout(rule, variant));
  if (about.length === 0 || about.some((variant) => twinOf(variant, variants) !== null)) return [];
  return [['against', { code: 'not_in_baseline', variants: about.map(({ name }) => name) }]];
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

/** What a metric needs and the plan lacks. */
function needFaults(
  _rule: GateRule,
  metric: Metric,
  { load, seeds, repeats, probes }: GatedSuite,
): readonly KeyedReason[] {
  const { needs } = gatedOf(metric);
  if (typeof needs === 'object') {
    // Open load may go on with further seeds.
    const isEnough = load.mode === 'open' || seeds.length >= needs.seeds;
    return isEnough ? [] : [['metric', { code: 'needs_seeds', metric: metric.name, fewest: needs.seeds }]];
  }
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

/** A limit for a metric that takes none. */
function overFaults({ overMs, metric }: GateRule, { metrics }: GatedSuite): readonly KeyedReason[] {
  if (overMs === null) return [];
  const known = metrics.flatMap(({ name, gate }) => ('over' in gate ? [name] : []));
  return [['over', { code: 'takes_no_over', metric, known }]];
}

function limitFaults(rule: GateRule, metric: Metric, suite: GatedSuite): readonly KeyedReason[] {
  const { overMs } = rule;
  const { variants } = suite;
  if (gatedOf(metric).over === undefined) return overFaults(rule, suite);
  if (overMs === null) return [['', { code: 'needs_over', metric: metric.name }]];
  const compared = variants.filter((variant) => isAbout(rule, variant));
  const twins = comparesTwins(rule) ? compared.flatMap((variant) => twinOf(variant, variants) ?? []) : [];
  const short = [...compared, ...twins].find(({ timeoutMs }) => timeoutMs < overMs);
  if (short === undefined) return [];
  return [['over', { code: 'over_beyond_timeout', overMs, timeoutMs: short.timeoutMs, variant: short.name }]];
}

/** A statistic that the metric does not have. A rule with a limit may name it. */
function statisticFaults(rule: GateRule, metric: Metric): readonly KeyedReason[] {
  const { statistics, over } = gatedOf(metric);
  const known = over === undefined ? statistics.map(({ statistic }) => statistic) : [over.statistic];
  const { statistic } = rule;
  if (statistic === null || known.includes(statistic)) return [];
  return [['statistic', { code: 'unknown_statistic', metric: metric.name, statistic, known }]];
}

function narrowedFaults({ prompts, tags }: GateRule, metric: Metric): readonly KeyedReason[] {
  if (gatedOf(metric).ofVariant !== true || (prompts === null && tags === null)) return [];
  return [[prompts === null ? 'tags' : 'prompts', { code: 'of_variant', metric: metric.name }]];
}

function loadFaults(rule: GateRule, metric: Metric | undefined, { load }: GatedSuite): readonly KeyedReason[] {
  if (load.mode === 'open') return [];
  if (load.steps !== null) return [['', { code: 'sweep' }]];
  if (metric === undefined) return [];
  const { madeOf } = gatedOf(metric);
  if (madeOf !== undefined && load.order === 'mixed') return [['metric', { code: 'mixed_order', madeOf }]];
  if (load.order === 'sequential' && kindOf(rule).drifts(metric)) return [['metric', { code: 'sequential_order' }]];
  if (rule.scope !== 'prompts' || load.concurrency === 1 || readingOf(rule, metric)?.outputUnits !== undefined)
    return [];
  return [['scope', { code: 'prompts_above_one' }]];
}

/**
 * Retake refuses a suite with such rules before it sends anything, so only a run.json that was changed later has
 * faults.
 */
export function checkRecordedRules(
  { gate, variants, leftOut, prompts, plan }: Run,
  metrics: readonly Metric[],
): readonly RuleFault[] {
  const absent = leftOut.map(({ variant, twinOf, kind }) => ({
    name: variant,
    twinOf,
    kind,
    baseline: twinOf === null && !variants.some((each) => each.kind === kind && each.baseline),
    timeoutMs: Infinity,
  }));
  const { load, seeds, repeats } = plan;
  const probes = plan.probes?.kinds ?? [];
  return checkRules({
    rules: gate,
    variants: [...variants, ...absent],
    prompts,
    load,
    seeds,
    repeats,
    probes,
    metrics,
  });
}
