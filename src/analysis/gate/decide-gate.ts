import type { HistoryLine } from '../../record/kept-run.ts';
import type { LeftOut, Missing, RunAgainst } from '../../record/run.ts';
import type { GateRule } from '../../suite/rule.ts';
import type { AnalysedRun } from '../analyse.ts';
import type { Comparison } from '../comparison.ts';
import type { Metric } from '../metric.ts';
import { comparesTwins, comparesVariants, isAbout } from '../rule-cases.ts';
import type { AgainstBaseline } from '../stability.ts';
import type { RuleResult, Verdict } from '../verdict.ts';
import type { Warning } from '../warnings.ts';
import { decideRules, resultOf } from './decide-rules.ts';
import { statisticOf } from './rule-statistic.ts';
import { markUnfitRules } from './unfit-machine.ts';
import { groundsOf } from './weighing/grounds.ts';
import { undecidedCase } from './weighing/weighed-case.ts';
import { worstPlaces } from './weighing/worst-places.ts';

export interface GateSource {
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
  const decided = decideRules({
    ...groundsOf(analysed, metrics, against, history),
    rules,
    variants: analysis.variants,
    prompts: analysis.prompts,
    floorMs: analysis.run.calibration?.floorMs ?? null,
    alpha,
  });
  const tests = decided.filter(({ rule }) => comparesVariants(rule)).length;
  const measured = decided.map(({ ruleCase, weighed, ...result }): RuleResult => {
    const { rule } = ruleCase;
    const metric = metrics.find(({ name }) => name === rule.metric);
    const places =
      metric === undefined || !comparesVariants(rule)
        ? []
        : worstPlaces(ruleCase, statisticOf(rule, metric), comparisons);
    return {
      ...result,
      detectable: weighed.detectableAt(alpha / Math.max(1, tests)),
      promptEffect: weighed.promptEffect?.() ?? null,
      worst: weighed.worst ?? places,
      look: null,
      unfit: false,
    };
  });
  const results = [...measured, ...leftOut.flatMap((variant) => leftOutResults(rules, variant, leftOut))].sort(
    (a, b) => a.index - b.index,
  );
  const complete = analysis.run.complete && leftOut.every(({ optional }) => optional);
  return {
    format: 1,
    run: analysis.run.id,
    baselineRun: against?.baseline.run ?? sentAgain?.run ?? null,
    ...endOf(results, complete, analysis.warnings, metrics),
    missing: distinctMissing([
      ...leftOut.map(({ variant }): Missing => ({ what: 'variant', id: variant, side: 'run' })),
      ...(sentAgain?.missing ?? []),
      ...(against?.missing ?? []),
    ]),
    looks: null,
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

/** One fail fails; then one undecided rule that may not be let pass leaves the gate undecided. */
function verdictOf(results: readonly RuleResult[]): Verdict['verdict'] {
  const counted = results.filter(({ verdict }) => verdict !== 'not_applicable');
  if (counted.some(({ verdict }) => verdict === 'fail')) return 'fail';
  if (counted.some(({ verdict, letPass }) => verdict === 'inconclusive' && !letPass)) return 'inconclusive';
  if (counted.some(({ unfit }) => unfit)) return 'pass_unfit';
  return counted.length === 0 ? 'none' : 'pass';
}

/** Results of rules on variants that this machine could not measure. */
function leftOutResults(
  rules: readonly GateRule[],
  { variant: absent, twinOf, kind, optional }: LeftOut,
  leftOut: readonly LeftOut[],
): readonly RuleResult[] {
  // If the twin is left out too, its variant reports both.
  if (leftOut.some(({ variant }) => variant === twinOf)) return [];
  const variant = twinOf ?? absent;
  return rules.flatMap((rule, index): RuleResult[] => {
    if (!isAbout(rule, { name: variant, kind }) || (twinOf !== null && !comparesTwins(rule))) return [];
    const decision = optional
      ? ({ verdict: 'not_applicable', code: 'optional_left_out' } as const)
      : ({ verdict: 'inconclusive', code: 'left_out' } as const);
    const baseline = twinOf === null ? null : { name: absent };
    const result = resultOf({ index, rule, variant: { name: variant, kind }, baseline }, decision, NOT_WEIGHED);
    return [{ ...result, detectable: null, promptEffect: null, worst: [], look: null, unfit: false }];
  });
}

const NOT_WEIGHED = undecidedCase('left_out');
