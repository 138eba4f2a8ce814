import type { Analysis, FailureGroup } from '../../analysis/analysis.ts';
import { groupBy } from '../../analysis/grouping.ts';
import { clipped } from '../../text/text-width.ts';
import { count, plural, share } from '../../text/wording.ts';
import { failureMessage } from '../words/outputs/decode-reason.ts';
import { OUTCOME_WORDS } from '../words/outputs/outcome-words.ts';
import { variantNames } from '../words/run/variant-names.ts';

/** Columns; a longer message is cut. */
const MOST_WIDTH = 160;

/** One cause of failures over all variants. Code and message are the server's words. */
export interface FailureCause {
  /** The variants it affects: `fast, fast-lcm`, or `20 of 40 variants`. */
  readonly who: string;
  /** `40 of 240 takes (16.7 %)`, of the takes of these variants. */
  readonly takes: string;
  readonly outcome: string;
  /** `content_policy, HTTP 422`; a code that contains the status stands alone: `http_503`. */
  readonly code: string;
  /** The first message, cut; empty where there is none. */
  readonly message: string;
  /** Uncut: it may name the remedy. */
  readonly wholeMessage: string;
}

export function failureCauses({
  failures,
  variants,
}: Pick<Analysis, 'failures' | 'variants'>): readonly FailureCause[] {
  const sent = new Map(variants.map((variant) => [variant.name, variant.plannedTrials - variant.missing]));
  const causes = groupBy(failures, ({ outcome, code, httpStatus }) => JSON.stringify([outcome, code, httpStatus]));
  return [...causes.values()]
    .toSorted((a, b) => failedIn(b) - failedIn(a))
    .flatMap((groups): FailureCause[] => {
      const [first] = groups;
      if (first === undefined) return [];
      const names = [...new Set(groups.map(({ variant }) => variant))];
      const failed = failedIn(groups);
      const message = failureMessage(first);
      const takes = names.reduce((sum, name) => sum + (sent.get(name) ?? 0), 0);
      return [
        {
          who: variantNames(names, variants.length),
          takes: `${count(failed)} of ${plural(takes, 'take')}${takes > 0 ? ` (${share(failed / takes)})` : ''}`,
          outcome: OUTCOME_WORDS[first.outcome],
          code: codeWords(first),
          message: clipped(message, MOST_WIDTH),
          wholeMessage: message,
        },
      ];
    });
}

function codeWords({ code, httpStatus }: FailureGroup): string {
  return httpStatus === null || code === `http_${httpStatus}` ? code : `${code}, HTTP ${httpStatus}`;
}

function failedIn(groups: readonly FailureGroup[]): number {
  return groups.reduce((sum, group) => sum + group.count, 0);
}
