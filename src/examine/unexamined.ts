import type { OutputFact } from '../record/model/fact.ts';
import type { StoredRun } from '../record/model/stored-run.ts';
import { pairsOf } from './pairs.ts';

/**
 * How much of a run its media are still needed for: distinct outputs without a fact, or that only a missing or broken package kept
 * from being decoded, and pairs of images that were not compared. 0 where the facts are whole.
 */
export function unexamined({ samples, facts }: Pick<StoredRun, 'samples' | 'facts'>): number {
  const known = new Map(facts.flatMap((fact) => (fact.fact === 'output' ? [[fact.sha256, fact] as const] : [])));
  const outputs = new Set(
    samples.flatMap((sample) => ('outputs' in sample ? sample.outputs.map(({ sha256 }) => sha256) : [])),
  );
  const open = [...outputs].filter((sha256) => !isFinal(known.get(sha256)));
  return open.length + pairsOf(samples, facts).length;
}

/** What no decoder of this version reads stays so; what a package is missing for is decoded once it is there. */
function isFinal(fact: OutputFact | undefined): boolean {
  if (fact === undefined) return false;
  return fact.decodes !== null || !(fact.reason.code === 'package_missing' || fact.reason.code === 'package_broken');
}
