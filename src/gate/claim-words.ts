import { claimsIn, WRONG_ONE_IN } from '../analysis/claims.ts';
import { differenceWords, threeDigits, times } from '../kit/value-words.ts';
import { count, plural } from '../kit/wording.ts';
import { isClaim } from '../suite/gate.ts';
import type { GateRule } from '../suite/rule.ts';
import { inconclusiveWords } from './undecided-words.ts';
import type { RuleResult } from './verdict.ts';

/* All words of a claim. */

/** What the rules of a gate are called: `rule`, or `claim` where it has nothing else. */
export function ruleNoun(rules: readonly { readonly rule: Pick<GateRule, 'bound'> }[]): 'rule' | 'claim' {
  return rules.length > 0 && rules.every(isClaim) ? 'claim' : 'rule';
}

/** `fast takes at most 0.50x as long as standard in most pairs`. */
export function claimSentence(rule: GateRule): string {
  const [claim] = claimsIn([rule]);
  if (claim === undefined) throw new Error(`a rule of ${rule.metric} is no claim`);
  const { of, against, most, about } = claim;
  return about === 'takes'
    ? `${of} takes at most ${times(most)} as long as ${against} in most pairs`
    : `${of} fails at most ${threeDigits(100 * most)} points more often than ${against}`;
}

/**
 * `Supported after 17 pairs: fast takes at most 0.50x as long as standard in most pairs (median 0.38x, e = 31; wrong in
 * at most 1 of 20 such claims)`, without a full stop.
 *
 * @param claims of the run: together they are wrong in at most 1 of 20 runs
 */
export function claimAnswer(result: RuleResult, claims: number): string {
  const { rule, verdict, unfit, n } = result;
  const says = claimSentence(rule);
  const machine = unfit.some(({ code }) => code === 'not_kept_up') ? `, on a machine that could not keep up,` : '';
  const wrong = `wrong in at most 1 of ${WRONG_ONE_IN} such ${claims === 1 ? 'claims' : 'runs'}`;
  switch (verdict) {
    case 'pass':
      return `Supported${machine} after ${plural(n, 'pair')}: ${says} (${evidenceWords(result)}; ${wrong})`;
    case 'fail':
      return `Refuted${machine} after ${plural(n, 'pair')}: that ${says} (${evidenceWords(result)}; ${wrong})`;
    case 'inconclusive':
      return `Not decided after ${plural(n, 'pair')}: that ${says} (${evidenceWords(result)}: ${inconclusiveWords({ ...result, code: result.code })})`;
    case 'not_applicable':
      return `Not measured: that ${says}`;
  }
}

/** `median 0.38x, e = 31`; of an open claim the evidence of both sides. */
export function evidenceWords({ effect, estimate, evidence, verdict }: RuleResult): string {
  const { support, refute } = evidence ?? { support: 1, refute: 1 };
  const centre =
    estimate === null ? [] : [effect === 'ratio' ? `median ${times(estimate)}` : differenceWords(estimate, '1')];
  const e =
    verdict === 'inconclusive'
      ? `e = ${eWords(support)} for it and ${eWords(refute)} against it`
      : `e = ${eWords(verdict === 'pass' ? support : refute)}`;
  return [...centre, e].join(', ');
}

/** Never rounded up: 19.96 does not decide. */
function eWords(e: number): string {
  return e >= 100 ? count(Math.floor(e)) : threeDigits(Math.floor(e * 10) / 10);
}
