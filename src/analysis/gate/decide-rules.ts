import type { RunPrompt } from '../../record/run.ts';
import { holm } from '../../statistics/multiple-tests.ts';
import type { GateRule } from '../../suite/rule.ts';
import { kindOf } from '../bounds.ts';
import { ERROR_RATE } from '../planned-case.ts';
import { comparesVariants, type RuleCase, ruleCases } from '../rule-cases.ts';
import { pollGapOf } from '../samples/poll-gap.ts';
import type { VariantSummary } from '../summaries.ts';
import type { Decision, RuleNumbers } from '../verdict.ts';
import { gatedOf, isOfOutputs } from './rule-statistic.ts';
import type { Grounds, TakesKept } from './weighing/grounds.ts';
import type { WeighedCase } from './weighing/weighed-case.ts';

export interface GateInput extends Grounds {
  readonly rules: readonly GateRule[];
  readonly variants: readonly VariantSummary[];
  readonly prompts: readonly RunPrompt[];
  /** In milliseconds; null without calibration. */
  readonly floorMs: number | null;
  /** Level of every test and one-sided bound: 0.05, less with several looks, 0 at a look with too few units. */
  readonly alpha: number;
}

type DecidedNumbers = Omit<RuleNumbers, 'detectable' | 'promptEffect' | 'worst' | 'look' | 'unfit'> & Decision;

export type DecidedRule = DecidedNumbers & { readonly ruleCase: RuleCase; readonly weighed: WeighedCase };

/**
 * All tests form one family, adjusted by Holm; m counts every comparison, also those without a test. A rule whose
 * decision without flagged blocks contradicts the first is undecided.
 */
export function decideRules(input: GateInput): readonly DecidedRule[] {
  const cases = ruleCases(input.rules, input.variants, input.prompts, input.metrics);
  const all = decideCases(cases, input, 'all');
  const bent = cases.some(({ variant, baseline }) =>
    [variant, baseline].some(
      (side) => side !== null && input.takesOf(side.name).some((take) => input.isBent(take, variant.name)),
    ),
  );
  const unflagged = bent ? decideCases(cases, input, 'unflagged') : null;
  return cases.map((ruleCase, at): DecidedRule => {
    const decided = all[at];
    if (decided === undefined) throw new Error('a case without a decision');
    const without = isOfOutputs(ruleCase.rule, input.metrics) ? null : (unflagged?.[at] ?? null);
    const decision = hindranceOf(ruleCase, input) ?? settle(ruleCase, decided, without);
    const { weighed } = decided;
    const { differenceMs } = weighed;
    const result = resultOf(ruleCase, decision, weighed, {
      pAdjusted: decided.pAdjusted,
      belowNoiseFloor: input.floorMs !== null && differenceMs !== null && Math.abs(differenceMs) < input.floorMs,
      withoutFlagged:
        without === null ? null : { verdict: without.decision.verdict, estimate: without.weighed.estimate },
    });
    return { ...result, ruleCase, weighed };
  });
}

type Tested = Pick<RuleNumbers, 'pAdjusted' | 'belowNoiseFloor' | 'withoutFlagged'>;

/** Untested by default. The keys are in the order of verdict.json. */
export function resultOf(
  { index, rule, variant, baseline }: ResultOf,
  decision: Decision,
  weighed: WeighedCase,
  { pAdjusted, ...tested }: Tested = { pAdjusted: null, belowNoiseFloor: false, withoutFlagged: null },
): DecidedNumbers {
  return {
    index,
    rule,
    variant: variant.name,
    kind: variant.kind,
    against: baseline?.name ?? null,
    ...decision,
    letPass: decision.verdict === 'inconclusive' && rule.onInconclusive === 'pass',
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
    ...tested,
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
    kindOf(ruleCase.rule).weigh(ruleCase, input, isOfOutputs(ruleCase.rule, input.metrics) ? 'all' : kept, alpha),
  );
  const comparisons = cases.filter(({ rule }) => comparesVariants(rule)).length;
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

/** Why nothing can be decided, whatever the takes show. */
function hindranceOf({ rule, variant, baseline }: RuleCase, input: GateInput): Decision | null {
  const { load, metrics } = input;
  const kind = kindOf(rule);
  if (input.alpha === 0 && kind.lookPart(rule, metrics) === 'each_look')
    return { verdict: 'inconclusive', code: 'too_few_units' };
  const abandoned = variant.abandoned !== null || (baseline !== null && baseline.abandoned !== null);
  if (abandoned) return { verdict: 'inconclusive', code: 'left_out' };
  const metric = metrics.find(({ name }) => name === rule.metric);
  if (metric === undefined) return null;
  for (const side of baseline === null ? [variant] : [variant, baseline]) {
    const code = metric.hindrance?.(input.takesOf(side.name)) ?? null;
    if (code !== null) return { verdict: 'inconclusive', code };
  }
  if (load.mode === 'closed' && load.order === 'sequential' && kind.drifts(metric)) {
    return { verdict: 'inconclusive', code: 'sequential_order' };
  }
  const { madeOf } = gatedOf(metric);
  if (madeOf === undefined) return null;
  if (load.mode === 'closed' && load.order === 'mixed') return { verdict: 'inconclusive', code: 'mixed_order' };
  if (madeOf !== 'latencies') return null;
  const coarse = [variant, ...(baseline === null ? [] : [baseline])].some((side) => {
    const gap = pollGapOf(input.takesOf(side.name));
    return gap !== null && gap.gapMs > COARSE_GAP * gap.medianMs;
  });
  return coarse ? { verdict: 'inconclusive', code: 'coarse_polls' } : null;
}

/** A poll gap above this share of the median latency is too coarse. */
const COARSE_GAP = 0.2;

function settle({ rule }: RuleCase, decided: DecidedCase, without: DecidedCase | null): Decision {
  const disagree =
    without !== null && decided.decision.verdict !== without.decision.verdict && contradict(rule, decided, without);
  return disagree ? { verdict: 'inconclusive', code: 'flagged_disagree' } : decided.decision;
}

function contradict(rule: GateRule, a: DecidedCase, b: DecidedCase): boolean {
  const verdicts = [a.decision.verdict, b.decision.verdict];
  if (verdicts.includes('fail') && verdicts.includes('pass')) return true;
  if (a.weighed.estimate === null || b.weighed.estimate === null) return false;
  const { isBeyond } = kindOf(rule);
  return isBeyond(rule.bound, a.weighed.estimate) !== isBeyond(rule.bound, b.weighed.estimate);
}
