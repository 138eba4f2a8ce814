import type { OutputFact } from '../record/model/fact.ts';
import type { StoredRun } from '../record/model/stored-run.ts';
import { pairsOf } from './pairs.ts';

/** Distinct outputs without a fact, or whose decoder package was missing or broken, and pairs not yet compared. */
export function unexamined({ samples, facts }: Pick<StoredRun, 'samples' | 'facts'>): number {
  const known = new Map(facts.flatMap((fact) => (fact.fact === 'output' ? [[fact.sha256, fact] as const] : [])));
  const outputs = new Set(
    samples.flatMap((sample) => ('outputs' in sample ? sample.outputs.map(({ sha256 }) => sha256) : [])),
  );
  const open = [...outputs].filter((sha256) => !isFinal(known.get(sha256)));
  return open.length + pairsOf(samples, facts).length;
}

/** No version of a package decodes it; otherwise decoding is tried again once the package is there. */
function isFinal(fact: OutputFact | undefined): boolean {
  if (fact === undefined) return false;
  return fact.decodes !== null || !(fact.reason.code === 'package_missing' || fact.reason.code === 'package_broken');
}
