import { groupBy } from '../../analysis/grouping.ts';
import type { NumberOfRun } from '../../compare/baseline/sequential.ts';
import { tellsMost } from '../../compare/baseline/stability-of-variants.ts';
import type { SequentialRate, TwoRuns } from '../../compare/baseline/two-runs.ts';
import { count, plural, share, shareInterval } from '../../text/wording.ts';
import { missingBetween, sequentialSentences } from './baseline-statement.ts';
import { stabilitySentences } from './stability-statement.ts';

export function twoRunsSentences({ before, after, latency, rates, stability, missing }: TwoRuns): readonly string[] {
  // What only one of them has is said below.
  const byVariant = groupBy(
    stability.filter(({ common }) => common > 0),
    ({ variant }) => variant,
  );
  return [
    `${after} against ${before}`,
    ...latency.flatMap((each) => sequentialSentences(each, 'before')),
    ...rates.filter(isWorthSaying).map(rateSentence),
    ...stabilitySentences([...byVariant.values()].flatMap(tellsMost), 'run'),
    ...missingBetween(missing, { run: after, baseline: before }),
  ];
}

/** A rate of 0 in both runs says nothing new. */
function isWorthSaying({ before, after }: SequentialRate): boolean {
  return (before.value ?? 0) > 0 || (after.value ?? 0) > 0;
}

const RATE_NOUNS = { error_rate: 'errors', block_rate: 'blocked' } as const;

/** `fast: errors 8.3 % [1.7 – 22.5 %] of 36 takes, before 0 % [0 – 9.8 %] of 36`. */
function rateSentence({ variant, metric, before, after }: SequentialRate): string {
  const now = `${rateWords(after)} of ${plural(after.n, 'take')}`;
  return `${variant}: ${RATE_NOUNS[metric]} ${now}, before ${rateWords(before)} of ${count(before.n)}`;
}

function rateWords({ value, ciLow, ciHigh }: NumberOfRun): string {
  if (value === null) return 'not known';
  return ciLow === null || ciHigh === null ? share(value) : `${share(value)} [${shareInterval(ciLow, ciHigh)}]`;
}
