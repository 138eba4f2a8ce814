import type { Fault } from '../../kit/diagnostic.ts';
import { suggest } from '../../kit/nearest.ts';
import { SCORE_LABEL, SCORE_PREFIX, scoreMetricName } from '../../suite/score-label.ts';
import type { DeclaredScorer, GivenValue } from '../../suite/scorer.ts';

export type FileScorer = Extract<DeclaredScorer, { readonly use: 'file' }>;

/** A value of a scorer, as a file names it. */
export interface NamedValue {
  /** `score.hps`. */
  readonly metric: string;
  /** The name of the scorer. */
  readonly scorer: string;
  /** The name of its value. */
  readonly value: string;
  /** As the suite says; null if it does not. */
  readonly declared: { readonly scorer: FileScorer; readonly given: GivenValue } | null;
}

const LONGEST_NAME = 64;

/**
 * Finds what the column `metric` names. Where the suite declares scorers of files, it is one of theirs; else any name is
 * a scorer with one value.
 */
export function valueFinder(declared: readonly DeclaredScorer[]): (name: string) => NamedValue | Fault {
  const values = declared.flatMap((scorer) => (scorer.use === 'file' ? valuesOf(scorer) : []));
  const byMetric = new Map(values.map((value) => [value.metric, value]));
  return (name) => {
    const own = name.startsWith(SCORE_PREFIX) ? name.slice(SCORE_PREFIX.length) : name;
    const metric = `${SCORE_PREFIX}${own}`;
    const known = byMetric.get(metric);
    if (known !== undefined) return known;
    const maker = declared.find((scorer) => scorer.name === own || own.startsWith(`${scorer.name}.`));
    if (maker !== undefined && maker.use !== 'file') {
      return { cause: `the scorer "${maker.name}" of the suite gives ${metric} already`, remedy: 'use another name' };
    }
    if (byMetric.size > 0) {
      const names = values.map((value) => value.metric.slice(SCORE_PREFIX.length));
      return { cause: `the suite declares no metric "${own}"`, remedy: suggest(own, names) };
    }
    if (own.length > LONGEST_NAME || !own.split('.').every((label) => SCORE_LABEL.test(label))) {
      return { cause: `"${own}" is not a valid name of a metric`, remedy: NAME_REMEDY };
    }
    return { metric, scorer: own, value: own, declared: null };
  };
}

const NAME_REMEDY = `use a-z, 0-9, "_", "-" and ".", a letter first, at most ${LONGEST_NAME} characters`;

function valuesOf(scorer: FileScorer): readonly NamedValue[] {
  return scorer.gives.map((given) => ({
    metric: scoreMetricName(scorer, given.value),
    scorer: scorer.name,
    value: given.value,
    declared: { scorer, given },
  }));
}
