import type { AnalysedRun } from '../../analysis/analyse.ts';
import type { Comparison } from '../../analysis/comparison.ts';
import { LATE } from '../../analysis/effective-sample.ts';
import type { Metric } from '../../analysis/metric.ts';
import { hasNote } from '../../analysis/note.ts';
import { coarsePolls, MOST_TO_DECIDE } from '../../analysis/sample-times.ts';
import type { AgainstBaseline } from '../../analysis/stability.ts';
import type { VariantSummary } from '../../analysis/summaries.ts';
import type { Warning } from '../../analysis/warning.ts';
import type { HistoryLine } from '../../record/kept-run.ts';
import type { LeftOut, Missing, RunAgainst, RunPrompt } from '../../record/run.ts';
import { holm } from '../../statistics/multiple-tests.ts';
import { isClaim } from '../../suite/gate.ts';
import type { GateRule } from '../../suite/rule.ts';
import { isBeyond } from '../allowed-range.ts';
import { kindOf } from '../bounds.ts';
import { ERROR_RATE } from '../planned-reach.ts';
import { comparesTwins, type RuleCase } from '../rule-case.ts';
import { countComparisons, isAbout, ruleCases } from '../rule-cases.ts';
import { verdictOf } from '../run-state.ts';
import type { Decision, InconclusiveCode, RuleNumbers, RuleResult, Verdict, VerdictLooks } from '../verdict.ts';
import { gatedOf, isOfOutputs, statisticOf } from './rule-statistic.ts';
import { markUnfitRules, waitsIn } from './unfit.ts';
import {
  comparisonsOf,
  type Grounds,
  groundsOf,
  type TakesKept,
  undecidedCase,
  type WeighedCase,
  worstPlaces,
} from './weighing.ts';

interface GateInput extends Grounds {
  readonly rules: readonly GateRule[];
  readonly variants: readonly VariantSummary[];
  readonly prompts: readonly RunPrompt[];
  /** Level of every test and one-sided bound: 0.05, less with several looks, 0 at a look with too few units. */
  readonly alpha: number;
}

type DecidedNumbers = Omit<RuleNumbers, 'detectable' | 'worst' | 'look' | 'unfit'> & Decision;

export type DecidedRule = DecidedNumbers & { readonly ruleCase: RuleCase; readonly weighed: WeighedCase };

/**
 * All tests form one family, adjusted by Holm; m counts every comparison, also those without a test. A rule whose
 * decision without flagged blocks contradicts the first is undecided.
 */
export function decideRules(input: GateInput): readonly DecidedRule[] {
  const cases = ruleCases(input.rules, input.variants, input.prompts, input.metrics);
  const all = decideCases(cases, input, 'all');
  const someFlagged = cases.some(({ variant, baseline }) =>
    [variant, baseline].some(
      (side) => side !== null && input.takesOf(side.name).some((take) => input.isFlagged(take, variant.name)),
    ),
  );
  const unflagged = someFlagged ? decideCases(cases, input, 'unflagged') : null;
  return cases.map((ruleCase, at): DecidedRule => {
    const decided = all[at];
    if (decided === undefined) throw new Error('a case without a decision');
    // Evidence of a claim is what it was when the run ended.
    const isWhole = isOfOutputs(ruleCase.rule, input.metrics) || isClaim(ruleCase);
    const without = isWhole ? null : (unflagged?.[at] ?? null);
    const decision = hindranceOf(ruleCase, input) ?? settle(ruleCase, decided, without);
    const { weighed } = decided;
    const result = resultOf(ruleCase, decision, weighed, {
      pAdjusted: decided.pAdjusted,
      withoutFlagged:
        without === null ? null : { verdict: without.decision.verdict, estimate: without.weighed.estimate },
    });
    return { ...result, ruleCase, weighed };
  });
}

type Tested = Pick<RuleNumbers, 'pAdjusted' | 'withoutFlagged'>;

/** Untested by default. The keys are in the order of verdict.json. */
function resultOf(
  { index, rule, variant, baseline }: ResultOf,
  decision: Decision,
  weighed: WeighedCase,
  { pAdjusted, withoutFlagged }: Tested = { pAdjusted: null, withoutFlagged: null },
): DecidedNumbers {
  return {
    index,
    rule,
    variant: variant.name,
    kind: variant.kind,
    against: baseline?.name ?? null,
    ...decision,
    letPass: decision.verdict === 'inconclusive' && rule.onInconclusive === 'pass',
    ...(weighed.lastRun && { lastRun: weighed.lastRun }),
    ...(weighed.evidence && { evidence: weighed.evidence }),
    effect: weighed.effect,
    unit: weighed.unit,
    estimate: weighed.estimate,
    ciLow: weighed.ciLow,
    ciHigh: weighed.ciHigh,
    upperBound: weighed.upperBound,
    boundLevel: weighed.boundLevel,
    p: weighed.p,
    pAdjusted,
    n: weighed.n,
    needs: weighed.needs,
    units: weighed.units,
    missingPairs: weighed.missingPairs,
    belowNoiseFloor: false,
    withoutFlagged,
  };
}

interface ResultOf extends Pick<RuleCase, 'index' | 'rule'> {
  readonly variant: Pick<VariantSummary, 'name' | 'kind'>;
  readonly baseline: Pick<VariantSummary, 'name'> | null;
}

interface DecidedCase {
  readonly weighed: WeighedCase;
  readonly pAdjusted: number | null;
  readonly decision: Decision;
}

function decideCases(cases: readonly RuleCase[], input: GateInput, kept: TakesKept): readonly DecidedCase[] {
  // Before anything can be decided, the numbers use the level of a single look.
  const alpha = input.alpha === 0 ? ERROR_RATE : input.alpha;
  const weighed = cases.map((ruleCase) =>
    kindOf(ruleCase.rule).weigh(
      ruleCase,
      groundsFor(ruleCase, input),
      isOfOutputs(ruleCase.rule, input.metrics) ? 'all' : kept,
      alpha,
    ),
  );
  const comparisons = countComparisons(cases);
  const tested = weighed.flatMap(({ p }, at) => (p === null ? [] : [{ p, at }]));
  const adjusted = holm(
    tested.map(({ p }) => p),
    comparisons,
  );
  const byCase = new Map(tested.map(({ at }, index) => [at, adjusted[index] ?? 1]));
  return weighed.map((caseWeighed, at) => {
    const pAdjusted = byCase.get(at) ?? null;
    return { weighed: caseWeighed, pAdjusted, decision: caseWeighed.decide(pAdjusted) };
  });
}

/** A late mark is no flag of what the server itself reports. */
function groundsFor({ rule }: RuleCase, input: GateInput): Grounds {
  const gate = input.metrics.find(({ name }) => name === rule.metric)?.gate;
  if (gate === undefined || !('madeOf' in gate) || gate.madeOf !== 'reports') return input;
  const isFlagged: Grounds['isFlagged'] = (take, candidate) =>
    input.isFlagged({ ...take, flags: take.flags.filter((flag) => flag !== LATE) }, candidate);
  return { ...input, isFlagged };
}

/** Why nothing can be decided, whatever the takes show. */
function hindranceOf({ rule, variant, baseline }: RuleCase, input: GateInput): Decision | null {
  const { load, metrics } = input;
  const kind = kindOf(rule);
  if (input.alpha === 0 && kind.lookPart(rule, metrics) === 'each_look')
    return { verdict: 'inconclusive', code: 'too_few_units' };
  const sides = [variant, ...(baseline === null ? [] : [baseline])];
  if (sides.some(({ abandoned }) => abandoned !== null)) return { verdict: 'inconclusive', code: 'left_out' };
  const metric = metrics.find(({ name }) => name === rule.metric);
  if (metric === undefined) return null;
  for (const side of sides) {
    const code = metric.hindrance?.(input.takesOf(side.name)) ?? null;
    if (code !== null) return { verdict: 'inconclusive', code };
  }
  if (load.mode === 'closed' && load.order === 'sequential' && kind.drifts(metric)) {
    return { verdict: 'inconclusive', code: 'sequential_order' };
  }
  const { madeOf } = gatedOf(metric);
  if (madeOf === undefined) return null;
  if (load.mode === 'closed' && load.order === 'mixed') return { verdict: 'inconclusive', code: 'mixed_order' };
  if (madeOf !== 'polls') return null;
  const isCoarse = sides.some(({ name }) => coarsePolls(input.takesOf(name), MOST_TO_DECIDE) !== null);
  return isCoarse ? { verdict: 'inconclusive', code: 'coarse_polls' } : null;
}

function settle({ rule }: RuleCase, decided: DecidedCase, without: DecidedCase | null): Decision {
  const disagree =
    without !== null && decided.decision.verdict !== without.decision.verdict && contradict(rule, decided, without);
  return disagree ? { verdict: 'inconclusive', code: 'flagged_disagree' } : decided.decision;
}

function contradict(rule: GateRule, a: DecidedCase, b: DecidedCase): boolean {
  const verdicts = [a.decision.verdict, b.decision.verdict];
  if (verdicts.includes('fail') && verdicts.includes('pass')) return true;
  if (a.weighed.estimate === null || b.weighed.estimate === null) return false;
  const { usesEstimate, allows } = kindOf(rule);
  return usesEstimate && isBeyond(allows, a.weighed.estimate) !== isBeyond(allows, b.weighed.estimate);
}

interface GateSource {
  readonly rules: readonly GateRule[];
  readonly analysed: AnalysedRun;
  readonly comparisons: readonly Comparison[];
  readonly leftOut: readonly LeftOut[];
  readonly metrics: readonly Metric[];
  /** Null without a stored baseline, or if no rule asks for it. */
  readonly against: AgainstBaseline | null;
  /** Null if no stored baseline was sent again. */
  readonly sentAgain: RunAgainst | null;
  readonly history: readonly HistoryLine[];
  /** Level of every test and one-sided bound: 0.05, less with several looks, 0 at a look with too few units. */
  readonly alpha: number;
}

/** The verdict of one look; `none` without rules. */
export function decideGate(source: GateSource): Verdict {
  const { rules, analysed, comparisons, leftOut, metrics, against, sentAgain, history, alpha } = source;
  const { analysis } = analysed;
  const grounds = groundsOf(analysed, metrics, against, history);
  const decided = decideRules({
    ...grounds,
    rules,
    variants: analysis.variants,
    prompts: analysis.prompts,
    alpha,
  });
  const tests = countComparisons(decided);
  const measured = decided.map(({ ruleCase, weighed, ...result }): RuleResult => {
    const { rule } = ruleCase;
    const { comparesVariants, allows } = kindOf(rule);
    const metric = metrics.find(({ name }) => name === rule.metric);
    const ofCase =
      metric === undefined || !comparesVariants ? [] : comparisonsOf(ruleCase, statisticOf(rule, metric), comparisons);
    return {
      ...result,
      belowNoiseFloor: ofCase.some(
        ({ scope, notes }) =>
          ruleCase.prompts === null && scope.of === weighed.units && hasNote(notes, 'below_noise_floor'),
      ),
      detectable: weighed.detectableAt(alpha / Math.max(1, tests)),
      worst: weighed.worst ?? worstPlaces(ruleCase, allows, ofCase),
      look: null,
      unfit: result.verdict === 'pass' ? waitsIn(ruleCase, metric, grounds) : [],
    };
  });
  const results = [...measured, ...leftOut.flatMap((variant) => leftOutResults(rules, variant, leftOut, metrics))].sort(
    (a, b) => a.index - b.index,
  );
  const complete = analysis.run.complete && leftOut.every(({ optional }) => optional);
  return {
    format: 1,
    run: analysis.run.id,
    baselineRun: against?.baseline.run ?? sentAgain?.run ?? null,
    ...(against?.baseline.label === undefined ? {} : { baselineLabel: against.baseline.label }),
    ...endOf(results, complete, analysis.warnings, metrics),
    missing: distinctMissing([
      ...leftOut.map(({ variant }): Missing => ({ what: 'variant', id: variant, side: 'run' })),
      ...(sentAgain?.missing ?? []),
      ...(against?.missing ?? []),
    ]),
    looks: null,
    warnings: analysis.warnings,
  };
}

function distinctMissing(missing: readonly Missing[]): readonly Missing[] {
  return [...new Map(missing.map((entry) => [JSON.stringify([entry.what, entry.id, entry.side]), entry])).values()];
}

/** The verdict of all results, each marked if it uses latencies of a machine that could not keep up. */
export function endOf(
  results: readonly RuleResult[],
  complete: boolean,
  warnings: readonly Warning[],
  metrics: readonly Metric[],
): Pick<Verdict, 'verdict' | 'exitCode' | 'complete' | 'rules'> {
  const rules = markUnfitRules(results, warnings, metrics);
  const verdict = verdictOf(rules);
  return { verdict, exitCode: complete ? EXIT_CODES[verdict] : 3, complete, rules };
}

const EXIT_CODES = { pass: 0, pass_unfit: 0, none: 0, fail: 1, inconclusive: 4 } as const;

/** Results of rules on variants that this machine could not measure. */
function leftOutResults(
  rules: readonly GateRule[],
  { variant: absent, twinOf, kind, optional }: LeftOut,
  leftOut: readonly LeftOut[],
  metrics: readonly Metric[],
): readonly RuleResult[] {
  // If the variant of a twin is left out too, its result is that of both.
  if (leftOut.some(({ variant }) => variant === twinOf)) return [];
  const variant = twinOf ?? absent;
  return rules.flatMap((rule, index): RuleResult[] => {
    if (!isAbout(rule, { name: variant, kind }, metrics) || (twinOf !== null && !comparesTwins(rule))) return [];
    const decision = optional
      ? ({ verdict: 'not_applicable', code: 'optional_left_out' } as const)
      : ({ verdict: 'inconclusive', code: 'left_out' } as const);
    const baseline = twinOf === null ? null : { name: absent };
    const result = resultOf({ index, rule, variant: { name: variant, kind }, baseline }, decision, NOT_WEIGHED);
    return [{ ...result, detectable: null, worst: [], look: null, unfit: [] }];
  });
}

const NOT_WEIGHED = undecidedCase('left_out');

/*
 * At each look every test and one-sided bound takes a part of the error rate (`alphasOf`), for fails and passes alike,
 * so that all looks together keep the error rate of one. Holm's m stays that of the plan. A rule keeps its first
 * decision.
 */

type LookedRule = Pick<RuleNumbers, 'index' | 'rule' | 'variant'> & Decision;

/** A rule decided at each look keeps its first fail or pass; others keep their last result. `looks`: in order. */
export function settleLooks<R extends LookedRule>(
  looks: readonly (readonly R[])[],
  metrics: readonly Metric[],
): readonly { readonly result: R; readonly look: number }[] {
  return (looks.at(-1) ?? []).map((last) => {
    const isLooked = kindOf(last.rule).lookPart(last.rule, metrics) === 'each_look';
    const atLooks = looks.map((results) => results.find((result) => isSame(result, last)) ?? last);
    const first = isLooked ? atLooks.findIndex(({ verdict }) => verdict === 'fail' || verdict === 'pass') : -1;
    const at = first < 0 ? atLooks.length - 1 : first;
    return { result: atLooks[at] ?? last, look: at + 1 };
  });
}

function isSame(a: LookedRule, b: LookedRule): boolean {
  return a.index === b.index && a.variant === b.variant;
}

/** False after a fail, or once all rules pass; undecided rules are awaited. `results`: from `settleLooks`. */
export function isOpen(
  results: readonly LookedRule[],
  kind: VerdictLooks['kind'],
  metrics: readonly Metric[],
): boolean {
  const parts = results.map((result) => ({ result, part: kindOf(result.rule).lookPart(result.rule, metrics) }));
  if (parts.some(({ result, part }) => part !== 'whole' && result.verdict === 'fail')) return false;
  return parts.some(({ result, part }) =>
    part === 'whole'
      ? // It needs all cells, which only a confirmation has from its first part on.
        kind === 'until_decided'
      : result.verdict === 'inconclusive' && !BEYOND_TAKES.has(result.code),
  );
}

/** Codes that no further take changes. */
const BEYOND_TAKES: ReadonlySet<InconclusiveCode> = new Set([
  'not_testable',
  'coarse_polls',
  'mixed_order',
  'sequential_order',
  'left_out',
  'no_baseline',
  'no_media',
]);
