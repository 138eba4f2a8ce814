import type { Fact } from '../model/fact.ts';

/**
 * Each output and each pair once, in the order they were found. Where one shard had no decoder for an output, the fact
 * of another that had one is taken.
 *
 * @param kept the digests of the outputs that the merged run holds
 */
export function mergeFacts(shards: readonly (readonly Fact[])[], kept: ReadonlySet<string>): readonly Fact[] {
  const facts = new Map<string, Fact>();
  for (const fact of shards.flat()) {
    if (!digestsOf(fact).every((sha256) => kept.has(sha256))) continue;
    const key = digestsOf(fact).join(' ');
    const known = facts.get(key);
    if (known === undefined || (!isFound(known) && isFound(fact))) facts.set(key, fact);
  }
  return [...facts.values()];
}

function digestsOf(fact: Fact): readonly string[] {
  return fact.fact === 'output' ? [fact.sha256] : [fact.a, fact.b];
}

function isFound(fact: Fact): boolean {
  return fact.fact === 'output' ? fact.decodes !== null : fact.compared;
}
