import type { Warning } from '../../analysis/analysis.ts';
import type { Verdict } from '../../compare/gate/verdict.ts';
import { voidLatencies } from '../words/warnings/harness-warning-words.ts';

/** What a verdict on latencies is worth where these are not to be used; null where they may be, or no rule is about them. */
export function voidVerdictSentence({ rules }: Pick<Verdict, 'rules'>, warnings: readonly Warning[]): string | null {
  const restsOnLatencies = rules.some(
    ({ rule, verdict }) => verdict !== 'not_applicable' && rule.metric.startsWith('latency.'),
  );
  return restsOnLatencies && warnings.some(voidLatencies)
    ? 'Do not rely on rules for latency: this machine could not keep up'
    : null;
}
