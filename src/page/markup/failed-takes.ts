import type { EffectiveSample, TimedSample } from '../../analysis/effective-sample.ts';
import type { Cell } from '../../analysis/summaries.ts';
import { groupBy } from '../../kit/grouping.ts';
import { isMeasured } from '../../plan/plan.ts';
import type { ReportSource } from '../../report/reporter.ts';

/** More are left to samples.csv; the first of each group is always there. */
const MOST_SHOWN = 100;

/** Links that lead from a failure to its request. */
export interface FailedTakes {
  /** In the order of the groups; of each group in the order they were sent. */
  readonly shown: readonly TimedSample[];
  readonly all: number;
  /** Null of a take that delivered, or is not shown. Anchors are numbers, since ids come from the record. */
  readonly anchorOf: (trial: string) => string | null;
}

export function failedTakes({ analysis, samples }: Pick<ReportSource, 'analysis' | 'samples'>): FailedTakes {
  const failed = samples.filter(
    ({ sample, outcome }) => outcome !== 'ok' && outcome !== 'dropped' && isMeasured(sample.trial),
  );
  const members = groupBy(failed, keyOf);
  const groups = analysis.failures.map(
    ({ variant, outcome, code, httpStatus }) => members.get(JSON.stringify([variant, outcome, code, httpStatus])) ?? [],
  );
  const each = Math.max(1, Math.floor(MOST_SHOWN / Math.max(1, groups.length)));
  const shown = groups.flatMap((group) => group.slice(0, each));
  const anchors = new Map(shown.map(({ sample }, at) => [sample.trial.id, `failed-${at}`]));
  return { shown, all: failed.length, anchorOf: (trial) => anchors.get(trial) ?? null };
}

/** Anchor of the first take of a cell that has one. */
export function failedAnchor({ takes }: Pick<Cell, 'takes'>, { anchorOf }: FailedTakes): string | null {
  return takes.map(({ trial }) => anchorOf(trial)).find((anchor) => anchor !== null) ?? null;
}

function keyOf({ sample, outcome, error }: EffectiveSample): string {
  return JSON.stringify([sample.trial.variant, outcome, error?.code ?? '', sample.httpStatus]);
}
