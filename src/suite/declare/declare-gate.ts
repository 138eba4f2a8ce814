import { type Document, sourceAt } from '../../kit/document.ts';
import { boundsIn, type WrittenRule } from '../format/gate-schema.ts';
import type { SuiteFile } from '../format/schema.ts';
import type { Bound, GateRule } from '../rule.ts';
import type { DeclaredRule } from '../suite.ts';

export function declareGate(
  document: Document,
  { gate, on_inconclusive: ofSuite }: Pick<SuiteFile, 'gate' | 'on_inconclusive'>,
): readonly DeclaredRule[] {
  return gate.map((written, index) => {
    const keys = Object.entries(written).flatMap(([key, value]) => (value === undefined ? [] : [key]));
    const [given] = boundsIn(written);
    if (given === undefined) throw new Error('a rule without a bound passed its schema');
    return {
      rule: declareRule(written, given.bound, written.on_inconclusive ?? ofSuite ?? 'inconclusive'),
      sources: {
        '': sourceAt(document, ['gate', index]),
        ...Object.fromEntries(keys.map((key) => [key, sourceAt(document, ['gate', index, key], 'key')])),
      },
      writtenAs: given.writtenAs,
    };
  });
}

function declareRule(written: WrittenRule, bound: Bound, onInconclusive: GateRule['onInconclusive']): GateRule {
  return {
    metric: written.metric,
    statistic: written.statistic ?? null,
    overMs: written.over ?? null,
    variants: written.variants ?? null,
    kinds: written.kinds ?? null,
    prompts: written.prompts ?? null,
    tags: written.tags ?? null,
    scope: written.scope,
    against: written.against,
    bound,
    onInconclusive,
  };
}
