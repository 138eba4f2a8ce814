import { type Document, sourceAt } from '../document/document.ts';
import type { WrittenRule } from '../format/gate-schema.ts';
import type { Bound, GateRule } from '../format/rule.ts';
import type { SuiteFile } from '../format/schema.ts';
import type { DeclaredRule } from '../format/suite.ts';

export function declareGate(
  document: Document,
  { gate, on_inconclusive: ofSuite }: Pick<SuiteFile, 'gate' | 'on_inconclusive'>,
): readonly DeclaredRule[] {
  return gate.map((written, index) => {
    const keys = Object.entries(written).flatMap(([key, value]) => (value === undefined ? [] : [key]));
    return {
      rule: declareRule(written, written.on_inconclusive ?? ofSuite ?? 'inconclusive'),
      sources: {
        '': sourceAt(document, ['gate', index]),
        ...Object.fromEntries(keys.map((key) => [key, sourceAt(document, ['gate', index, key], 'key')])),
      },
      writtenAs:
        [written.max, written.min, written.max_increase, written.max_decrease].find(Boolean)?.writtenAs ?? null,
    };
  });
}

function declareRule(written: WrittenRule, onInconclusive: GateRule['onInconclusive']): GateRule {
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
    bound: boundOf(written),
    onInconclusive,
  };
}

function boundOf({ max, min, max_increase, max_decrease, max_rise, none }: WrittenRule): Bound {
  if (max !== undefined) return { is: 'max', value: max.limit };
  if (min !== undefined) return { is: 'min', value: min.limit };
  if (max_increase !== undefined) return changeOf('max_increase', max_increase);
  if (max_decrease !== undefined) return changeOf('max_decrease', max_decrease);
  if (max_rise !== undefined) return { is: 'max_rise', share: max_rise };
  if (none !== undefined) return { is: 'none', event: none };
  throw new Error('a rule without a bound passed its schema');
}

function changeOf(is: 'max_increase' | 'max_decrease', change: NonNullable<WrittenRule['max_increase']>): Bound {
  return 'share' in change ? { is, share: change.share } : { is, amount: change.amount };
}
