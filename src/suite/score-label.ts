/** Lower-case, so that `score.<scorer>.<value>` reads like every other metric. */
export const SCORE_LABEL = /^[a-z][a-z0-9_-]{0,63}$/;

/** Reserved for `score.votes`: no scorer has this name. */
export const VOTES = 'votes';

/** `score`: printed as a number. `1`: a share, printed as a percentage. */
export const SCORE_UNITS = ['score', '1'] as const;
export type ScoreUnit = (typeof SCORE_UNITS)[number];

/** Limit of scores in both directions: sums and squares stay finite. */
export const LARGEST_SCORE = 1e15;

/** More metrics of scores than anybody reads: analysis compares each between all variants. */
export const MOST_METRICS = 100;

export const SCORE_PREFIX = 'score.';

interface GivingScorer {
  readonly name: string;
  readonly gives: readonly unknown[];
}

/** `score.<scorer>`, or `score.<scorer>.<value>` if it gives several. */
export function scoreMetricName({ name, gives }: GivingScorer, value: string): string {
  return `${SCORE_PREFIX}${gives.length === 1 ? name : `${name}.${value}`}`;
}
