import { caseSeedOf, isMeasured } from '../../plan/plan.ts';
import type { Kind } from '../../suite/format/kind.ts';
import { comparedWith } from '../model/comparable.ts';
import type { RunPrompt } from '../model/run.ts';
import type { StoredRun } from '../model/stored-run.ts';
import { scoredDigest } from './scored-digest.ts';

export interface DeliveredOutput {
  readonly variant: string;
  /** The name of its file. */
  readonly sha256: string;
  /** By which lines of scores.jsonl name it. */
  readonly digest: string;
}

/** What two variants delivered for one prompt and seed. */
export interface DeliveredPair {
  readonly prompt: RunPrompt;
  readonly kind: Kind;
  readonly seed: number | null;
  readonly block: string;
  readonly candidate: DeliveredOutput;
  readonly baseline: DeliveredOutput;
  /** Whether both show the same: nobody needs to be asked. */
  readonly identical: boolean;
}

/**
 * One pair for each cell pair of a candidate and each variant that it is compared with: the first block of which both
 * delivered an output that decodes and is not blank. In the order of the variants, then of the blocks as they were
 * first sent.
 */
export function deliveredPairs({
  run,
  samples,
  facts,
}: Pick<StoredRun, 'run' | 'samples' | 'facts'>): readonly DeliveredPair[] {
  const prompts = new Map(run.prompts.map((prompt) => [prompt.id, prompt]));
  const factOf = new Map(facts.flatMap((fact) => (fact.fact === 'output' ? [[fact.sha256, fact] as const] : [])));
  const delivered = new Map<string, Map<string, DeliveredOutput>>();
  const blocks = new Map<
    string,
    { readonly cellPair: string; readonly prompt: string; readonly seed: number | null }
  >();
  for (const sample of samples) {
    const { trial } = sample;
    if (sample.outcome !== 'ok' || !isMeasured(trial)) continue;
    const { sha256 } = sample.outputs[0];
    const fact = factOf.get(sha256);
    if (fact?.decodes !== true || fact.shown.blank) continue;
    const own = delivered.get(trial.variant) ?? new Map<string, DeliveredOutput>();
    delivered.set(trial.variant, own);
    if (!own.has(trial.block)) own.set(trial.block, { variant: trial.variant, sha256, digest: scoredDigest(fact) });
    blocks.set(trial.block, { cellPair: caseSeedOf(trial), prompt: trial.prompt, seed: trial.seed });
  }
  return run.variants.flatMap((candidate) =>
    comparedWith(candidate, run.variants).flatMap((other) => {
      const own = delivered.get(candidate.name);
      const others = delivered.get(other.name);
      const paired = new Map<string, DeliveredPair>();
      for (const [block, { cellPair, prompt: id, seed }] of blocks) {
        const [one, two, prompt] = [own?.get(block), others?.get(block), prompts.get(id)];
        if (one === undefined || two === undefined || prompt === undefined || paired.has(cellPair)) continue;
        const identical = one.digest === two.digest;
        paired.set(cellPair, { prompt, kind: candidate.kind, seed, block, candidate: one, baseline: two, identical });
      }
      return [...paired.values()];
    }),
  );
}
