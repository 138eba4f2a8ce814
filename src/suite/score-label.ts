/** Lower-case, so that `score.<scorer>.<value>` is read like every other metric. */
export const SCORE_LABEL = /^[a-z][a-z0-9_-]{0,63}$/;

/** What `score.votes` is of: no scorer has this name. */
export const VOTES = 'votes';

/** `score`: printed as the number it is. `1`: a share, printed as a percentage. */
export const SCORE_UNITS = ['score', '1'] as const;
export type ScoreUnit = (typeof SCORE_UNITS)[number];

/** No score is further from 0: sums and squares of scores stay finite. */
export const LARGEST_SCORE = 1e15;

/** More metrics of scores than anybody reads: analysis compares each between all variants. */
export const MOST_METRICS = 100;

/** What names of metrics begin with whose values a scorer gives. */
export const SCORE_PREFIX = 'score.';

interface GivingScorer {
  readonly name: string;
  /** Its values. */
  readonly gives: readonly unknown[];
}

/** `score.<scorer>`, and `score.<scorer>.<value>` of one that gives several. */
export function scoreMetricName({ name, gives }: GivingScorer, value: string): string {
  return `${SCORE_PREFIX}${gives.length === 1 ? name : `${name}.${value}`}`;
}
