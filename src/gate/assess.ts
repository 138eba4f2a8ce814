import { type AnalysedRun, analyse } from '../analysis/analyse.ts';
import { compareRun } from '../analysis/compare.ts';
import type { Comparison } from '../analysis/comparison.ts';
import type { Metric } from '../analysis/metric.ts';
import { type AgainstBaseline, againstBaseline } from '../analysis/stability.ts';
import { unfitLatencies } from '../analysis/warnings.ts';
import { caseSeedsOf, trialsInAll } from '../plan/plan.ts';
import type { PlannedLooks } from '../plan/recorded-plan.ts';
import type { Baseline, HistoryLine, StoredRun } from '../record/kept-run.ts';
import { asSent, recordAtLook } from '../record/trial-histories.ts';
import { decideGate, endOf, isOpen, settleLooks } from './deciding/decide-gate.ts';
import { alphaAt, alphasOf, ERROR_RATE } from './planned-reach.ts';
import type { Verdict, VerdictLooks } from './verdict.ts';

/** A record with everything that follows from it. */
export interface Assessment {
  readonly analysed: AnalysedRun;
  readonly comparisons: readonly Comparison[];
  readonly verdict: Verdict;
  readonly against: AgainstBaseline | null;
  /** Whether further parts of the plan could decide a rule; false for a gate that is decided once. */
  readonly open: boolean;
}

/** Analyses a record, compares its variants, decides its gate at each look. `history`: lines of the suite's runs. */
export function assess(
  record: StoredRun,
  metrics: readonly Metric[],
  baseline: Baseline | null = null,
  history: readonly HistoryLine[] = [],
): Assessment {
  const { looks } = record.run.plan;
  const assessed = (record: StoredRun, look: number) =>
    assessOnce(record, metrics, baseline, history, alphaAt(looks, look));
  if (looks === null) return { ...assessed(record, 1), open: false };
  const { kind } = looks;
  // Claims decide by themselves; the gate has no other rule.
  if (kind === 'claim') {
    const decided = assessOnce(asSent(record), metrics, baseline, history, ERROR_RATE);
    return { ...decided, open: decided.analysed.analysis.claims?.some(({ isOver }) => !isOver) ?? false };
  }
  const made = madeLooks(record, { ...looks, kind });
  const now = assessed(asSent(record), made.made);
  // After an early decision the last look is there twice.
  const before = record.looks.map(({ look }) => assessed(recordAtLook(record, look), look).verdict);
  const settled = settleLooks(
    [...before, now.verdict].map(({ rules }) => rules),
    metrics,
  );
  const rules = settled.map(({ result, look }) => ({ ...result, look: Math.min(look, made.made) }));
  const { warnings } = now.analysed.analysis;
  return {
    ...now,
    verdict: { ...now.verdict, ...endOf(rules, now.verdict.complete, warnings, metrics), looks: made },
    open: isOpen(rules, kind, metrics),
  };
}

/** The looks that were made, and the takes sent until the last one. */
function madeLooks(
  { looks: events }: StoredRun,
  looks: PlannedLooks & { readonly kind: VerdictLooks['kind'] },
): VerdictLooks {
  const { kind, of, parts } = looks;
  const early = events.some(({ decided }) => decided);
  const sent = early ? parts.slice(0, events.length) : parts;
  return {
    kind,
    of,
    made: early ? events.length : events.length + 1,
    alphas: alphasOf(looks),
    early,
    caseSeeds: caseSeedsOf({ kind, parts: sent }),
    plannedCaseSeeds: caseSeedsOf({ kind, parts }),
    takes: trialsInAll(sent),
    plannedTakes: trialsInAll(parts),
  };
}

function assessOnce(
  record: StoredRun,
  metrics: readonly Metric[],
  baseline: Baseline | null,
  history: readonly HistoryLine[],
  alpha: number,
): Omit<Assessment, 'open'> {
  const { run } = record;
  const analysed = analyse(record, metrics);
  const { analysis, takes } = analysed;
  const { variants, prompts, measures, warnings } = analysis;
  const { load } = run.plan;
  const floorMs = analysis.run.calibration?.floorMs ?? null;
  const baselineRun = run.against?.run ?? null;
  const comparisons = compareRun({
    ...{ variants, prompts, load, takes, metrics, measures, floorMs, baselineRun },
    unfitLatencies: unfitLatencies(warnings),
  });
  // A shard has only some of the cell pairs that a rule needs.
  const rules = run.shard === null ? run.gate : [];
  const against = baseline === null ? null : againstBaseline(baseline, run, analysed, metrics);
  const { leftOut, against: sentAgain } = run;
  const verdict = decideGate({ rules, analysed, comparisons, leftOut, metrics, sentAgain, against, history, alpha });
  return { analysed, comparisons, verdict, against };
}
