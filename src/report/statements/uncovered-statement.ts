import type { VariantSummary } from '../../analysis/analysis.ts';
import { groupBy } from '../../analysis/grouping.ts';
import type { RuleResult, Verdict } from '../../compare/gate/verdict.ts';
import { listed, listedInShort, MOST_WHOLE } from '../../text/wording.ts';
import { KIND_NAMES } from '../words/run/kind-name.ts';
import { variantNames } from '../words/run/variant-names.ts';
import { byKind } from './statement.ts';

/** Null without a gate too. A variant that another is compared with is covered: the rule rests on its takes. */
function uncoveredSentence(
  { verdict, rules }: Pick<Verdict, 'verdict' | 'rules'>,
  variants: readonly { readonly name: string }[],
): string | null {
  if (verdict === 'none') return null;
  const covered = coveredBy(rules);
  const names = variants.map(({ name }) => name).filter((name) => !covered.has(name));
  if (names.length === 0) return null;
  return `Without a rule: ${variantNames(names, variants.length)}`;
}

/** Without a full stop. Metrics that some variants have no rule for count only where the gate passed. */
export function uncoveredSentences(
  verdict: Pick<Verdict, 'verdict' | 'rules'>,
  variants: readonly Pick<VariantSummary, 'name' | 'kind' | 'twinOf'>[],
): readonly string[] {
  const sentence = uncoveredSentence(verdict, variants);
  return [
    ...(sentence === null ? [] : [sentence]),
    ...(verdict.verdict === 'pass' ? uncoveredMetrics(verdict.rules, variants) : []),
  ];
}

type Covering = Pick<RuleResult, 'rule' | 'variant' | 'against'>;

/** Variants with results, and those that they are compared with. */
function coveredBy(results: readonly Pick<Covering, 'variant' | 'against'>[]): ReadonlySet<string> {
  return new Set(results.flatMap(({ variant, against }) => [variant, ...(against === null ? [] : [against])]));
}

/** Without a full stop: `No rule for latency.total and error_rate of text to video`. */
export function uncoveredMetrics(
  results: readonly Covering[],
  variants: readonly Pick<VariantSummary, 'name' | 'kind' | 'twinOf'>[],
): readonly string[] {
  const covered = coveredBy(results);
  const own = variants.filter(({ name, twinOf }) => twinOf === null && covered.has(name));
  const left = [...groupBy(results, ({ rule }) => rule.metric)].map(([metric, about]) => {
    return { metric, names: whoWords(own, coveredBy(about)) };
  });
  return [
    ...groupBy(
      left.filter(({ names }) => names !== ''),
      ({ names }) => names,
    ),
  ].map(([names, metrics]) => `No rule for ${listed(metrics.map(({ metric }) => metric))} of ${names}`);
}

/** Names a kind where all its variants lack a rule. */
function whoWords(variants: readonly Pick<VariantSummary, 'name' | 'kind'>[], covered: ReadonlySet<string>): string {
  const left = variants.map(({ name }) => name).filter((name) => !covered.has(name));
  const names = byKind(variants).flatMap(([kind, all]) => {
    const own = all.map(({ name }) => name).filter((name) => !covered.has(name));
    return own.length === all.length && all.length > 1 ? [KIND_NAMES[kind].toLowerCase()] : own;
  });
  return names.length > MOST_WHOLE ? listedInShort(left) : listed(names);
}
