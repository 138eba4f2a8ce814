import type { Warning } from '../../analysis/warning-codes/coded-warning.ts';
import type { RuleResult, Verdict } from '../../compare/gate/verdict.ts';
import { listedInShort } from '../../text/wording.ts';
import { isOfDurations } from './verdict-statement.ts';

/** Where too many takes were timestamped late; null where every rule decides the same without them. */
export function voidVerdictSentence({ rules }: Pick<Verdict, 'rules'>, warnings: readonly Warning[]): string | null {
  const late = new Set(
    warnings.flatMap((warning) =>
      warning.code === 'too_many_late_stamps' ? warning.variants.map(({ variant }) => variant) : [],
    ),
  );
  const isVoid = ({ rule, variant, against, verdict, withoutFlagged }: RuleResult): boolean =>
    (verdict === 'pass' || verdict === 'fail') &&
    isOfDurations(rule) &&
    (late.has(variant) || (against !== null && late.has(against))) &&
    withoutFlagged !== null &&
    withoutFlagged.verdict !== verdict;
  const variants = [...new Set(rules.filter(isVoid).map(({ variant }) => variant))];
  return variants.length === 0
    ? null
    : `Do not rely on rules for latency of ${listedInShort(variants)}: without the takes that were timestamped late they are not decided`;
}
