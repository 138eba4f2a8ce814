import { asJson, type FoundDifference, firstDifference } from '../../kit/first-difference.ts';
import type { Fact } from '../../record/fact.ts';
import { wordsOfDifference } from './follow-end.ts';

/** What facts.jsonl and another examination say of the same media. */
export interface ComparedFacts {
  /** As a clause; null: they agree. */
  readonly differs: string | null;
  /** Whether this machine cannot decode what the other could, or the other way round. */
  readonly ofMachine: boolean;
  /** Those of the file that differ only in their last digits. */
  readonly near: readonly Fact[];
}

/** Native code of two processors rounds differently. A share of a number. */
const LAST_DIGITS = 1e-6;

/** What is about a machine, and not about an output. */
const OF_MACHINE: ReadonlySet<string> = new Set([
  'package_missing',
  'package_broken',
  'not_supported',
  'decoder_died',
  'timed_out',
  'media_missing',
  'failed',
]);

/** The last of several facts about one thing counts. @param known facts of this machine */
export function compareFacts(recorded: readonly Fact[], known: readonly Fact[]): ComparedFacts {
  const again = new Map(known.map((fact) => [keyOf(fact), fact]));
  const near: Fact[] = [];
  for (const [key, fact] of new Map(recorded.map((one) => [keyOf(one), one]))) {
    const own = again.get(key);
    // No number depends on it: the outputs were usual while the run went on, or are of the stored baseline.
    if (own === undefined) continue;
    const [one, other] = [asJson(fact), asJson(own)];
    if (firstDifference(one, other) === null) continue;
    const found = firstDifference(one, other, LAST_DIGITS);
    if (found !== null)
      return { differs: factWords(fact, found), ofMachine: isOfMachine(fact) || isOfMachine(own), near };
    near.push(fact);
  }
  return { differs: null, ofMachine: false, near };
}

function keyOf(fact: Fact): string {
  switch (fact.fact) {
    case 'output':
      return fact.sha256;
    case 'pair':
      return `${fact.a} ${fact.b}`;
    case 'outside':
      return `${fact.input} ${fact.mask} ${fact.output}`;
  }
}

function factWords(fact: Fact, found: FoundDifference): string {
  const of = keyOf(fact).replace(/([0-9a-f]{12})[0-9a-f]+/g, '$1');
  return wordsOfDifference(`facts.jsonl, ${fact.fact} ${of}`, found);
}

function isOfMachine(fact: Fact): boolean {
  return 'reason' in fact && OF_MACHINE.has(fact.reason.code);
}
