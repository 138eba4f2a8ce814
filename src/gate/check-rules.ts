import { reachOfRuns } from '../analysis/decide-runs.ts';
import { cellsOfRun, comparableDigest, comparableRuns } from '../analysis/earlier-runs.ts';
import type { MadeOf, Metric, Ungated } from '../analysis/metric.ts';
import { STABILITY_METRICS } from '../analysis/stability.ts';
import { suggest } from '../kit/nearest.ts';
import { declaredWords } from '../kit/value-words.ts';
import { duration, listedInShort, oneOf } from '../kit/wording.ts';
import { isMeasured, type Plan } from '../plan/plan.ts';
import { isTwin, twinOf } from '../record/compared-variants.ts';
import type { HistoryLine } from '../record/kept-run.ts';
import type { Run, RunPlan, RunVariant } from '../record/run.ts';
import { isClaim } from '../suite/gate.ts';
import type { GateRule, WrittenAs } from '../suite/rule.ts';
import { sweepSteps } from '../suite/sweep.ts';
import { kindOf } from './bounds.ts';
import {
  gatedOf,
  type KeyedFault,
  notOfStability,
  type PlannedFault,
  type RuleFault,
  unknownStatistic,
} from './deciding/rule-statistic.ts';
import { alphasOf, ERROR_RATE, type PlacedTrial, type PlannedCase, type PlannedGate } from './planned-reach.ts';
import { comparesTwins, type GatedSuite, type GatedVariant, type RuleCase } from './rule-case.ts';
import { countComparisons, isAbout, isOfPair, ruleCases } from './rule-cases.ts';

/** Faults of rules that show before any take, by rule, then by key. */
export function checkRules(suite: GatedSuite): readonly RuleFault[] {
  return suite.rules.flatMap((rule, index) =>
    faultsOf(rule, suite, suite.writtenAs?.[index] ?? null).map((fault): RuleFault => ({ index, ...fault })),
  );
}

function faultsOf(rule: GateRule, suite: GatedSuite, writtenAs: WrittenAs | null): readonly KeyedFault[] {
  const metric = suite.metrics.find(({ name }) => name === rule.metric);
  if (metric === undefined && !STABILITY_METRICS.has(rule.metric)) {
    if (OF_PROBES.includes(rule.metric)) {
      const cause = `the metric ${rule.metric} was removed: a rule cannot use what a probe finds`;
      return [
        { key: 'metric', cause, remedy: 'use determinism.pixel, or read it in the report (probes of analysis.json)' },
      ];
    }
    const known = [...suite.metrics.map(({ name }) => name), ...STABILITY_METRICS.keys()];
    const cause = `there is no metric "${rule.metric}"`;
    return [{ key: 'metric', cause, remedy: suggest(rule.metric, known) }];
  }
  const named = unknownNames(rule, suite);
  if (named.length > 0) return named;
  const against = againstFaults(rule, suite);
  if (against.length > 0) return against;
  const claimed = isClaim({ rule }) ? kindOf(rule).faults(rule, suite) : [];
  if (claimed.length > 0) return claimed;
  if (ruleCases([rule], suite.variants, suite.prompts, suite.metrics).every((ruleCase) => isEmpty(ruleCase, suite))) {
    const remedy =
      'widen its variants, kinds, prompts or tags; a comparison needs a variant beside the baseline variant';
    return [{ key: '', cause: 'the rule is about no take of this suite', remedy, ofWhole: true }];
  }
  const asked = metric === undefined ? overFaults(rule, suite) : metricFaults(rule, metric, suite);
  if (asked.length > 0) return asked;
  if (rule.atFirst !== undefined && rule.against !== 'history') return [NO_AT_FIRST];
  const kind = kindOf(rule);
  const isMisread = metric !== undefined && writtenAs !== null && !fitsUnit(metric, writtenAs);
  return [
    ...(isMisread ? [wrongUnit(rule.bound.is, metric)] : kind.faults(rule, suite)),
    ...(isMisread ? [] : loadFaults(rule, metric, suite)),
  ];
}

const WITHOUT_GATE = 'to measure without the gate, add --set "gate=[]"';

/** Suites may still name them. */
const OF_PROBES: readonly string[] = ['seed.effect', 'seed.omitted', 'cache.effect', 'load.effect'];

const NO_AT_FIRST: KeyedFault = {
  key: 'at_first',
  cause: 'at_first needs against: history',
  remedy: 'remove it, or write against: history',
};

function metricFaults(rule: GateRule, metric: Metric, suite: GatedSuite): readonly KeyedFault[] {
  const { name, gate } = metric;
  if ('never' in gate) {
    const cause = `${name} ${NEVER[gate.never]}, so no rule can be decided by it`;
    return [{ key: 'metric', cause, remedy: 'remove the rule' }];
  }
  const checks = [needFaults, limitFaults, statisticFaults, narrowedFaults];
  return checks.map((faults) => faults(rule, metric, suite)).find((faults) => faults.length > 0) ?? [];
}

const NEVER: Readonly<Record<Ungated['never'], string>> = {
  one_call: 'is one value without an interval',
  without_hold: 'is what load.hold asks for, and the suite has none',
};

/** A bound is written in the unit of its metric, so that 500 is never read as seconds. */
function fitsUnit(metric: Metric, writtenAs: WrittenAs): boolean {
  const wanted = formOf(metric);
  return writtenAs === wanted || (wanted === 'percentage' && writtenAs === 'number');
}

function formOf({ unit, gate }: Metric): WrittenAs {
  if ('writtenAs' in gate) return gate.writtenAs;
  return unit === 'ms' ? 'duration' : unit === '1' ? 'percentage' : 'number';
}

function wrongUnit(key: string, metric: Metric): KeyedFault {
  const { is, remedy } = FORMS[formOf(metric)];
  return { key, cause: `${metric.name} is ${is}`, remedy };
}

const FORMS: Readonly<Record<WrittenAs, { readonly is: string; readonly remedy: string }>> = {
  duration: { is: 'a time, and the limit has no unit of time', remedy: 'write 500ms, 20s or 10m' },
  percentage: { is: 'a share', remedy: 'write a percentage, such as 5%' },
  rate: { is: 'a rate of arrivals', remedy: 'write 2/s or 30/min' },
  number: { is: 'a plain number', remedy: 'write it without a unit, such as 0.05' },
};

/** Stability needs the stored baseline alone; other metrics need its variants sent again in this run. */
function againstFaults(rule: GateRule, { variants, metrics }: GatedSuite): readonly KeyedFault[] {
  const { metric, against, bound } = rule;
  const isStability = STABILITY_METRICS.has(metric);
  if (against !== 'baseline') {
    const cause = `${metric} compares a run with the stored baseline`;
    return isStability ? [{ key: 'metric', cause, remedy: 'add against: baseline' }] : [];
  }
  if (isStability) return kindOf(rule).comparesVariants ? [notOfStability(bound.is, metric)] : [];
  if (!isOfPair(rule, metrics)) {
    const cause = `${bound.is} does not compare, so it takes no stored baseline`;
    return [{ key: 'against', cause, remedy: 'remove against, or use max_increase, max_decrease or max_rise' }];
  }
  if (!variants.some(isTwin)) {
    const cause = `the rule compares ${metric} with the stored baseline, which must be sent again in the same run`;
    const remedy = `add --against results/SUITE/baseline.json; ${WITHOUT_GATE}`;
    return [{ key: 'against', cause, remedy, ofWhole: true }];
  }
  const about = variants.filter((variant) => isAbout(rule, variant, metrics));
  if (about.length === 0 || about.some((variant) => twinOf(variant, variants) !== null)) return [];
  const cause = `the stored baseline lacks ${listedInShort(about.map(({ name }) => name))}`;
  const remedy = 'name other variants, or keep a new stored baseline with retake baseline';
  return [{ key: 'against', cause, remedy, ofWhole: true }];
}

function isEmpty(
  { variant, prompts }: { readonly variant: GatedVariant; readonly prompts: ReadonlySet<string> | null },
  suite: GatedSuite,
): boolean {
  return !suite.prompts.some(({ id, kinds }) => kinds.includes(variant.kind) && (prompts === null || prompts.has(id)));
}

function unknownNames(rule: GateRule, { variants, prompts }: GatedSuite): readonly KeyedFault[] {
  const unknown = (
    key: string,
    what: 'variant' | 'prompt' | 'tag',
    ids: readonly string[] | null,
    known: readonly string[],
  ): readonly KeyedFault[] =>
    (ids ?? [])
      .filter((id) => !known.includes(id))
      .map((id) => ({ key, cause: `there is no ${what} "${id}"`, remedy: suggest(id, known), ofWhole: true }));
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

function needFaults(_rule: GateRule, metric: Metric, { load, repeats }: GatedSuite): readonly KeyedFault[] {
  const { name } = metric;
  const { needs } = gatedOf(metric);
  const refuse = (cause: string, remedy: string) => [{ key: 'metric', cause: `${name} ${cause}`, remedy }];
  if (needs === 'open_load' && load.mode === 'closed')
    return refuse('is measured under open load only', 'declare open load (load.rate), or use latency.total');
  if (needs === 'repeats' && repeats < 2)
    return refuse('compares takes of one prompt and seed, and each has one take only', 'set repeats to 2 or more');
  return [];
}

function overFaults({ overMs, metric }: GateRule, { metrics }: GatedSuite): readonly KeyedFault[] {
  if (overMs === null) return [];
  const known = metrics.flatMap(({ name, gate }) => ('over' in gate ? [name] : []));
  return [{ key: 'over', cause: `over has no meaning for ${metric}`, remedy: `remove it, or use ${oneOf(known)}` }];
}

function limitFaults(rule: GateRule, metric: Metric, suite: GatedSuite): readonly KeyedFault[] {
  const { overMs } = rule;
  const { variants } = suite;
  if (gatedOf(metric).over === undefined) return overFaults(rule, suite);
  if (overMs === null) {
    const cause = `${metric.name} needs a latency that separates slow from fast`;
    return [{ key: '', cause, remedy: 'add over, such as over: 10s' }];
  }
  const compared = variants.filter((variant) => isAbout(rule, variant, suite.metrics));
  const twins = comparesTwins(rule) ? compared.flatMap((variant) => twinOf(variant, variants) ?? []) : [];
  const short = [...compared, ...twins].find(({ timeoutMs }) => timeoutMs < overMs);
  if (short === undefined) return [];
  const timeout = `the timeout of ${short.name} (${duration(short.timeoutMs)})`;
  const cause = `over (${duration(overMs)}) is above ${timeout}, so that no take could be slow`;
  return [{ key: 'over', cause, remedy: 'lower over or raise limits.timeout' }];
}

/** A rule with a limit may name the limit's statistic. */
function statisticFaults({ statistic }: GateRule, metric: Metric): readonly KeyedFault[] {
  const { statistics, over } = gatedOf(metric);
  const known = over === undefined ? statistics.map((entry) => entry.statistic) : [over.statistic];
  return statistic === null || known.includes(statistic) ? [] : [unknownStatistic(metric.name, statistic, known)];
}

function narrowedFaults({ prompts, tags }: GateRule, metric: Metric): readonly KeyedFault[] {
  if (gatedOf(metric).ofVariant !== true || (prompts === null && tags === null)) return [];
  const cause = `${metric.name} is of all requests of a variant, so a rule cannot narrow it to prompts or tags`;
  return [{ key: prompts === null ? 'tags' : 'prompts', cause, remedy: 'remove prompts and tags' }];
}

function loadFaults(rule: GateRule, metric: Metric | undefined, { load }: GatedSuite): readonly KeyedFault[] {
  const steps = sweepSteps(load);
  if (steps !== null) return sweepFaults(rule, metric, steps);
  if (metric === undefined || load.mode === 'open') return [];
  const { madeOf } = gatedOf(metric);
  if (madeOf !== undefined && load.order === 'mixed') return [{ ...WRONG_ORDER, cause: MIXED[madeOf] }];
  return load.order === 'sequential' && kindOf(rule).drifts(metric) ? [{ ...WRONG_ORDER, cause: SEQUENTIAL }] : [];
}

const SWEEP: KeyedFault = {
  key: '',
  cause: 'the load is a sweep, and there a rule can ask for capacity only',
  remedy: `write metric: capacity with min, or set load.concurrency to one number; ${WITHOUT_GATE}`,
};

/** The bound is one of the loads: of others nothing is shown. */
function sweepFaults({ bound }: GateRule, metric: Metric | undefined, steps: readonly number[]): readonly KeyedFault[] {
  if (metric === undefined || gatedOf(metric).ofSweep !== true) return [SWEEP];
  if (bound.is !== 'min')
    return [{ key: bound.is, cause: `${metric.name} is a load that must be held`, remedy: 'use min' }];
  if (steps.includes(bound.value)) return [];
  const loads = oneOf(steps.map((step) => declaredWords(step, metric.unit).replaceAll(' ', '')));
  return [
    { key: 'min', cause: `the sweep has no load ${declaredWords(bound.value, metric.unit)}`, remedy: `write ${loads}` },
  ];
}

const WRONG_ORDER = { key: 'metric', remedy: 'set load.order to paired' } as const;

const LATENCIES = 'latencies of variants in flight together cannot be compared';

const MIXED: Readonly<Record<MadeOf, string>> = {
  polls: LATENCIES,
  marks: LATENCIES,
  reports: LATENCIES,
  completions: 'variants in flight together have no throughput of their own',
} as const;

const SEQUENTIAL =
  'variants that are sent one after the other cannot be compared: the difference includes drift of the service';

/** Faults of recorded rules: only a changed run.json has any, since a suite with such rules is refused. */
export function checkRecordedRules(
  { gate, variants, leftOut, prompts, plan }: Run,
  metrics: readonly Metric[],
): readonly RuleFault[] {
  const absent = leftOut.map(({ variant, twinOf, kind }) => ({
    name: variant,
    twinOf,
    kind,
    baseline: twinOf === null && !variants.some((other) => other.kind === kind && other.baseline),
    timeoutMs: Infinity,
  }));
  const { load, repeats } = plan;
  return checkRules({ rules: gate, variants: [...variants, ...absent], prompts, load, repeats, metrics });
}

/** What each rule can decide of each variant, and rules that this plan can never pass or never fail. */
export function planGate(gate: PlannedGate): {
  readonly cases: readonly PlannedCase[];
  readonly faults: readonly RuleFault[];
} {
  const cases = ruleCases(gate.rules, gate.variants, gate.prompts, gate.metrics);
  const comparisons = countComparisons(cases);
  // The last look stands on all units.
  const alpha = alphasOf(gate.plan.looks).at(-1) ?? ERROR_RATE;
  const planned = cases.map((ruleCase) => {
    const { rule } = ruleCase;
    const takes = takesOf(ruleCase, gate.plan);
    const { fault = null, ...reach } = kindOf(rule).plan({ ruleCase, takes, gate, alpha, comparisons });
    const unit = gate.metrics.find(({ name }) => name === rule.metric)?.unit ?? '1';
    return { planned: { ruleCase, unit, ...reach }, fault };
  });
  return {
    cases: planned.map((entry) => entry.planned),
    faults: distinctFaults(
      planned.flatMap(({ planned: { ruleCase }, fault }) =>
        fault === null ? [] : [{ index: ruleCase.index, key: ruleCase.rule.bound.is, ...fault }],
      ),
    ),
  };
}

function takesOf({ variant, prompts }: RuleCase<GatedVariant>, { slices }: Plan): readonly PlacedTrial[] {
  return slices.flatMap(({ index, trials }) =>
    trials
      .filter((trial) => isMeasured(trial) && trial.variant === variant.name)
      .filter(({ prompt }) => prompts === null || prompts.has(prompt))
      .map((trial) => ({ trial, slice: index })),
  );
}

function distinctFaults(faults: readonly (RuleFault & PlannedFault)[]): readonly RuleFault[] {
  const distinct = faults.filter(
    ({ index, code }, at) => faults.findIndex((other) => other.index === index && other.code === code) === at,
  );
  return distinct.map((fault, at) =>
    at < distinct.length - 1 ? fault : { ...fault, remedy: `${fault.remedy}; ${WITHOUT_GATE}` },
  );
}

export interface PlannedRun {
  readonly plan: Pick<RunPlan, 'digest' | 'load' | 'looks'>;
  readonly variants: readonly Pick<RunVariant, 'name' | 'baseUrl'>[];
  readonly vantage: string | null;
}

export function withEarlierRuns(
  cases: readonly PlannedCase[],
  { plan, variants, vantage }: PlannedRun,
  lines: readonly HistoryLine[],
): readonly PlannedCase[] {
  return cases.map((planned): PlannedCase => {
    const { rule, variant, prompts } = planned.ruleCase;
    const recorded = variants.find(({ name }) => name === variant.name);
    if (planned.reach.can !== 'decide_runs' || recorded === undefined) return planned;
    const digest = comparableDigest(plan, recorded, vantage);
    const runs = comparableRuns(lines, { variant: variant.name, digest }).map(({ of }) =>
      cellsOfRun(of, rule.metric, prompts),
    );
    return {
      ...planned,
      n: runs.length,
      reach: { ...planned.reach, earlier: reachOfRuns(runs, planned.reach.limit) },
    };
  });
}
