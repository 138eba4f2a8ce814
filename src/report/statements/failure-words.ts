import { STABILITY_METRICS } from '../../analysis/stability.ts';
import { changedPictures } from '../../gate/changed-words.ts';
import { comparesTwins } from '../../gate/rule-case.ts';
import type { RuleResult } from '../../gate/verdict.ts';
import { eventsWords } from '../../gate/verdict-lines.ts';
import { againstWords, allowance, estimateWords, metricWords } from '../../gate/verdict-statement.ts';
import { outputNoun, pictureOf } from '../../kit/names.ts';
import { ratioInterval, timesBeside } from '../../kit/value-words.ts';
import { count, plural } from '../../kit/wording.ts';

/**
 * A rule that failed, by what it is about, without a full stop: `fast takes 1.20x as long as standard [1.12, 1.29],
 * allowed at most 1.05x`. Holds hostile text.
 *
 * @param since name of the stored baseline's run; null if unknown
 */
export function failureWords(result: RuleResult, since: string | null): string {
  return `${foundWords(result, since)}${isChange(result) ? '' : `, ${allowance(result)}`}`;
}

/** A result names no more prompts. */
const MOST_WORST = 3;

/** A changed picture needs no limit: none may change. */
function isChange({ rule }: RuleResult): boolean {
  return STABILITY_METRICS.has(rule.metric) && rule.metric !== 'stability.model' && rule.bound.is === 'none';
}

function foundWords(result: RuleResult, since: string | null): string {
  const { rule, variant, against, kind, effect, estimate, n, worst } = result;
  const { metric, prompts, tags, bound } = rule;
  const isWhole = prompts === null && tags === null;
  if (isChange(result)) {
    const changed = worst.flatMap((place) => ('prompt' in place ? [place.prompt] : []));
    const cells = `${count(Math.round((estimate ?? 0) * n))} of ${plural(n, 'prompt x seed')}`;
    return `${changedPictures(changed, pictureOf(outputNoun(kind)), since, changed.length < MOST_WORST)} (${cells})`;
  }
  if (metric.startsWith('determinism.') && bound.is === 'none')
    return `Repeats of ${variant} differ: ${eventsWords(result)}`;
  if (metric === 'score.votes' && estimate !== null)
    return `${variant} loses the votes to ${against ?? 'the baseline'} by ${estimateWords(result).replaceAll('+', '')}`;
  if (metric === 'edit.unchanged' && isWhole && estimate !== null)
    return `${variant} changed nothing in ${count(Math.round(estimate * n))} of ${plural(n, 'edit')}`;
  const verb = isWhole ? VERBS[metric] : undefined;
  if (verb === undefined || estimate === null)
    return `${variant}: ${metricWords(rule)} ${estimateWords(result)}${againstWords([result])}`;
  if (effect === 'ratio') {
    const { ciLow, ciHigh } = result;
    const interval = ciLow === null && ciHigh === null ? '' : ` ${ratioInterval(ciLow, ciHigh)}`;
    return `${variant} ${verb.does} ${timesBeside(estimate, ciLow, ciHigh)} ${verb.as} as ${otherSide(result)}${interval}`;
  }
  const at = rule.statistic === null || rule.statistic === 'p50' ? '' : ` at ${rule.statistic}`;
  return `${variant} ${verb.does} ${estimateWords(result)}${at}`;
}

const VERBS: Readonly<Record<string, { readonly does: string; readonly as: string }>> = {
  'latency.total': { does: 'takes', as: 'as long' },
  'cost.per_output': { does: 'costs', as: 'as much' },
};

function otherSide({ rule, against, code, n, lastRun }: RuleResult): string {
  if (code === 'beyond_at_first' && n === 1 && lastRun !== undefined) return lastRun.run;
  if (rule.against === 'history') return 'in earlier runs';
  return comparesTwins(rule) ? 'in use' : (against ?? 'the baseline');
}
