import { comparedWith } from '../../record/comparable.ts';
import type { Run } from '../../record/run.ts';
import { clopperPearson } from '../../statistics/rate-interval.ts';
import { SCORE_PREFIX } from '../../suite/score-label.ts';
import { groupBy } from '../grouping.ts';
import { CONFIDENCE } from '../measures/confidence.ts';
import type { JudgedVariants, JudgeSummary, ScorerSummary } from '../score-summaries.ts';
import type { JudgedPair, Judging } from './judging.ts';

export function summariseJudges(
  judgings: readonly Judging[],
  { variants }: Pick<Run, 'variants'>,
): readonly ScorerSummary[] {
  return judgings.map((judging) => {
    const { scorer, by, pairs, controls } = judging;
    const metric = `${SCORE_PREFIX}${scorer.name}`;
    const compared = variants.filter((variant) => comparedWith(variant, variants).length > 0);
    return {
      scorer: scorer.name,
      use: scorer.use,
      metrics: [metric],
      source: by,
      variants: compared.map(({ name }) => countsOf(name, pairs)),
      controls: controls.map((control) => ({ metric, ...control })),
      judge: summaryOf(judging, variants),
    };
  });
}

function countsOf(variant: string, pairs: readonly JudgedPair[]): ScorerSummary['variants'][number] {
  const ownPairs = pairs.filter(({ candidate }) => candidate.variant === variant);
  const unanswered = ownPairs.filter(({ preference }) => preference === null);
  const why = unanswered.flatMap(({ answers }) => {
    const [first] = answers.flatMap((answer) => (answer !== null && typeof answer !== 'string' ? [answer.why] : []));
    return first ?? [];
  });
  const reasons = groupBy(why, (reason) => JSON.stringify(reason));
  return {
    variant,
    scored: ownPairs.length - unanswered.length,
    unscored: [...reasons.values()]
      .flatMap((all) => all.slice(0, 1).map((reason) => ({ why: reason, takes: all.length })))
      .sort((a, b) => b.takes - a.takes),
    waiting: unanswered.length - why.length,
  };
}

function summaryOf({ pairs, spend, answered, by }: Judging, variants: Run['variants']): JudgeSummary {
  const chosen = answered.filter((line) => line.by === by?.by && line.control === null && line.chosen !== 'neither');
  const first = chosen.filter((line) => line.chosen === 'first').length;
  const interval = chosen.length === 0 ? null : clopperPearson(first, chosen.length, CONFIDENCE);
  return {
    variants: variants.flatMap((candidate) =>
      comparedWith(candidate, variants).map(({ name }) => preferredOf(candidate.name, name, pairs)),
    ),
    consistent: consistencyOf(pairs),
    first: { chosen: first, of: chosen.length, ciLow: interval?.low ?? null, ciHigh: interval?.high ?? null },
    requests: spend.requests,
    usd: spend.unknown === 0 ? spend.usd : null,
    sameOrigin: variants.filter(({ baseUrl }) => by?.judge?.origin === originOf(baseUrl)).map(({ name }) => name),
  };
}

function preferredOf(variant: string, baseline: string, pairs: readonly JudgedPair[]): JudgedVariants {
  const ownPairs = pairs.filter((pair) => pair.candidate.variant === variant && pair.baseline.variant === baseline);
  const preferred = (name: string | null) =>
    ownPairs.filter(({ preference }) => preference !== null && preference.preferred === name).length;
  return {
    variant,
    baseline,
    won: preferred(variant),
    lost: preferred(baseline),
    neither: preferred(null),
    identical: ownPairs.filter(({ identical }) => identical).length,
    open: ownPairs.filter(({ preference }) => preference === null).length,
    consistent: consistencyOf(ownPairs),
  };
}

function consistencyOf(pairs: readonly JudgedPair[]): JudgeSummary['consistent'] {
  const both = pairs.filter(({ answers: [one, other] }) => typeof one === 'string' && typeof other === 'string');
  return { alike: both.filter(isConsistent).length, of: both.length };
}

function isConsistent({ answers: [ahead, behind] }: JudgedPair): boolean {
  if (ahead === 'neither' || behind === 'neither') return ahead === behind;
  return ahead !== behind;
}

function originOf(baseUrl: string): string | null {
  return URL.canParse(baseUrl) ? new URL(baseUrl).origin : null;
}
