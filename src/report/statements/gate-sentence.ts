import type { Analysis } from '../../analysis/analysis.ts';
import type { RuleResult, RuleVerdict, Verdict } from '../../analysis/verdict.ts';
import { count, plural } from '../../kit/wording.ts';
import { gateWords } from '../words/gate-words.ts';

/** Without a full stop. Rules need all cell pairs of a run, so a shard has no verdict. */
export function verdictSentence(
  verdict: Pick<Verdict, 'verdict' | 'complete' | 'rules'>,
  { run }: { readonly run: Pick<Analysis['run'], 'shard'> },
): string {
  const why = run.shard === null ? 'the suite declares no rule' : 'rules are decided when all shards are merged';
  if (verdict.verdict === 'none') return `No gate: ${why}`;
  if (!verdict.complete) return 'The run is incomplete, so its gate decides nothing';
  const { rules, failedRules, undecidedRules } = tallyOf(verdict);
  const found = { fail: failedRules, inconclusive: undecidedRules, pass: null, pass_unfit: null }[verdict.verdict];
  return `${gateWords(verdict.verdict)}: ${found === null ? '' : `${count(found)} of `}${plural(rules, 'rule')}`;
}

/** How many rules apply, and how many of them fail, are undecided, or pass for each variant on a machine that is fit. */
export function tallyOf({ rules }: Pick<Verdict, 'rules'>) {
  const applied = rules.filter((rule) => rule.verdict !== 'not_applicable');
  const of = (wanted: RuleVerdict) => applied.filter((rule) => rule.verdict === wanted);
  const rulesOf = (results: readonly RuleResult[]) => new Set(results.map(({ index }) => index)).size;
  return {
    rules: rulesOf(applied),
    failedRules: rulesOf(of('fail')),
    undecidedRules: rulesOf(of('inconclusive')),
    passedRules: rulesOf(applied) - rulesOf(applied.filter(({ verdict, unfit }) => verdict !== 'pass' || unfit)),
  };
}
