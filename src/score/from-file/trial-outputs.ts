import { isMeasured } from '../../plan/plan.ts';
import type { OutputFact } from '../../record/fact.ts';
import type { RunPrompt } from '../../record/run.ts';
import { scoredDigest } from '../../record/score-key.ts';
import type { StoredRun } from '../../record/stored-run.ts';

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
