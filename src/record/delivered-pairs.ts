import { caseSeedOf, isMeasured } from '../plan/plan.ts';
import type { Kind } from '../suite/kind.ts';
import { comparedWith } from './compared-variants.ts';
import type { Fact } from './fact.ts';
import type { StoredRun } from './kept-run.ts';
import { factsByDigest, shownImages } from './output-pairs.ts';
import type { RunPrompt } from './run.ts';
import type { Ballot, VoteLine } from './score.ts';
import { scoredDigest } from './score-key.ts';

export interface DeliveredOutput {
  readonly variant: string;
  /** Digest of the file. */
  readonly sha256: string;
  /** Digest by which scores.jsonl names it. */
  readonly digest: string;
}

/** The outputs of two variants for one prompt and seed. */
export interface DeliveredPair {
  readonly prompt: RunPrompt;
  readonly kind: Kind;
  readonly seed: number | null;
  readonly block: string;
  readonly candidate: DeliveredOutput;
  readonly baseline: DeliveredOutput;
  /** Whether their pixels are equal: no judge is asked. */
  readonly identical: boolean;
}

/**
 * For each cell pair of a candidate and a variant it is compared with, the first block with two outputs that decode and
 * are not blank. Ordered by variants, then by blocks as first sent.
 */
export function deliveredPairs({
  run,
  samples,
  facts,
}: Pick<StoredRun, 'run' | 'samples' | 'facts'>): readonly DeliveredPair[] {
  const prompts = new Map(run.prompts.map((prompt) => [prompt.id, prompt]));
  const factOf = factsByDigest(facts);
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
    const outputs = delivered.get(trial.variant) ?? new Map<string, DeliveredOutput>();
    delivered.set(trial.variant, outputs);
    if (!outputs.has(trial.block))
      outputs.set(trial.block, { variant: trial.variant, sha256, digest: scoredDigest(fact) });
    blocks.set(trial.block, { cellPair: caseSeedOf(trial), prompt: trial.prompt, seed: trial.seed });
  }
  return run.variants.flatMap((candidate) =>
    comparedWith(candidate, run.variants).flatMap((other) => {
      const outputs = delivered.get(candidate.name);
      const others = delivered.get(other.name);
      const paired = new Map<string, DeliveredPair>();
      for (const [block, { cellPair, prompt: id, seed }] of blocks) {
        const [one, two, prompt] = [outputs?.get(block), others?.get(block), prompts.get(id)];
        if (one === undefined || two === undefined || prompt === undefined || paired.has(cellPair)) continue;
        const identical = one.digest === two.digest;
        paired.set(cellPair, { prompt, kind: candidate.kind, seed, block, candidate: one, baseline: two, identical });
      }
      return [...paired.values()];
    }),
  );
}

/** Ballots in voting order. Equal pixels are a tie without voting. */
export function shownBallots(votes: readonly VoteLine[], facts: readonly Fact[]): readonly Ballot[] {
  const { imageOf } = shownImages(facts);
  const shown = (sha256: string) => imageOf(sha256) ?? sha256;
  return votes.flatMap((line) =>
    line.line === 'ballot' && shown(line.left.sha256) !== shown(line.right.sha256) ? [line] : [],
  );
}
