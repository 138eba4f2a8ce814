import type { Fault } from '../../kit/diagnostic.ts';
import { suggest } from '../../kit/nearest.ts';
import { isMeasured } from '../../plan/plan.ts';
import type { OutputFact } from '../../record/fact.ts';
import type { StoredRun } from '../../record/kept-run.ts';
import type { RunPrompt } from '../../record/run.ts';
import { scoredDigest } from '../../record/score-key.ts';
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

/** What a value belongs to: an output of a prompt, by the digest that names it in scores.jsonl. */
export interface TrialOutput {
  readonly prompt: RunPrompt;
  readonly digest: string;
  readonly variant: string;
  /** Whether it counts in a score: it is of a measured trial, decodes and is not blank. */
  readonly counts: boolean;
}

/** By the id of its trial; the outcome of a trial without an output. */
export type OutputsByTrial = ReadonlyMap<string, TrialOutput | string>;

/** Of all trials that have a result, warm-ups and probes included. */
export function outputsByTrial({ run, samples, facts }: Pick<StoredRun, 'run' | 'samples' | 'facts'>): OutputsByTrial {
  const prompts = new Map(run.prompts.map((prompt) => [prompt.id, prompt]));
  const known = new Map<string, OutputFact>();
  for (const fact of facts) if (fact.fact === 'output') known.set(fact.sha256, fact);
  return new Map(
    samples.flatMap((sample): (readonly [string, TrialOutput | string])[] => {
      const { trial, outcome } = sample;
      if (!('outputs' in sample)) return [[trial.id, outcome]];
      const prompt = prompts.get(trial.prompt);
      if (prompt === undefined) return [];
      const [{ sha256 }] = sample.outputs;
      const fact = known.get(sha256);
      const shown = fact?.decodes === true ? fact.shown : null;
      const isShown = fact?.decodes !== false && shown?.blank !== true;
      const counts = outcome === 'ok' && isMeasured(trial) && isShown;
      return [[trial.id, { prompt, digest: scoredDigest({ sha256, shown }), variant: trial.variant, counts }]];
    }),
  );
}
