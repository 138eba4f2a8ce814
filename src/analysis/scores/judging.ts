import { groupBy } from '../../kit/grouping.ts';
import type { Control } from '../../record/codes.ts';
import { comparedWith } from '../../record/compared-variants.ts';
import { type DeliveredPair, deliveredPairs } from '../../record/delivered-pairs.ts';
import type { StoredRun } from '../../record/kept-run.ts';
import type { Run } from '../../record/run.ts';
import type { ScoreLine, ScorerLine, UnscoredReason } from '../../record/score.ts';
import { JudgeSpend } from '../../record/trial-histories.ts';
import { CONFIDENCE } from '../../statistics/quantile.ts';
import { clopperPearson } from '../../statistics/rate-interval.ts';
import { SCORE_PREFIX } from '../../suite/score-label.ts';
import type { JudgeScorer } from '../../suite/scorer.ts';
import type { JudgedVariants, JudgeSummary, ScorerSummary } from '../output-summaries.ts';
import { countPreferences, type Preference, type Preferences, pairKey } from './agreement.ts';
import { byReason, type ControlCount, controlFaultOf, currentScorers } from './scoring.ts';

/** A judge's answer in one order, or why there is none; null if not asked yet. */
type OrderAnswer =
  | Extract<ScoreLine, { readonly line: 'preference' }>['chosen']
  | { readonly why: UnscoredReason }
  | null;

interface JudgedPair extends Pick<DeliveredPair, 'block' | 'candidate' | 'baseline' | 'identical'> {
  /** The candidate first, then the baseline variant first. */
  readonly answers: readonly [OrderAnswer, OrderAnswer];
  /** Null unless both orders are answered, or outputs are identical. */
  readonly preference: Preference | null;
}

export interface Judging {
  readonly scorer: JudgeScorer;
  readonly by: ScorerLine | null;
  readonly pairs: readonly JudgedPair[];
  readonly preferences: Preferences;
  readonly controls: readonly ControlCount[];
  /** Why it decides nothing. */
  readonly fault: ReturnType<typeof controlFaultOf>;
  /** Of all its requests, over all its versions. */
  readonly spend: JudgeSpend;
  /** Its answers, over all its versions. */
  readonly answered: readonly PreferenceLine[];
}

type PreferenceLine = Extract<ScoreLine, { readonly line: 'preference' }>;
type JudgeLine = PreferenceLine | Extract<ScoreLine, { readonly line: 'unscored' }>;

/** Every judge that is declared or has lines; as `scoringsOf` for scorers with values. */
export function judgingsOf({
  run,
  samples,
  facts,
  scores,
}: Pick<StoredRun, 'run' | 'samples' | 'facts' | 'scores'>): readonly Judging[] {
  const { scorers, current } = currentScorers(run.scorers ?? [], scores);
  const judges = scorers.flatMap((scorer) => (scorer.use === 'judge' ? [scorer] : []));
  if (judges.length === 0) return [];
  const pairs = deliveredPairs({ run, samples, facts });
  return judges.map((scorer) => judgingOf(scorer, current.get(scorer.name) ?? null, pairs, scores));
}

/** A judge before anything is measured. */
export function unaskedJudging(scorer: JudgeScorer): Judging {
  return judgingOf(scorer, null, [], []);
}

function judgingOf(
  scorer: JudgeScorer,
  by: ScorerLine | null,
  delivered: readonly DeliveredPair[],
  scores: readonly ScoreLine[],
): Judging {
  const lines = scores.flatMap((line): JudgeLine[] => {
    const isOwn = (line.line === 'preference' || line.line === 'unscored') && line.scorer === scorer.name;
    return isOwn && line.by === by?.by ? [line] : [];
  });
  // The last of several lines about one question counts.
  const answers = new Map(lines.map((line) => [placeOf(line.prompt, line.media, line), line]));
  const answerOf = (prompt: string, media: readonly string[]): OrderAnswer => {
    const line = answers.get(placeOf(prompt, media, {}));
    if (line === undefined) return null;
    return line.line === 'preference' ? line.chosen : { why: line.why };
  };
  const pairs = delivered.map((pair) => judgedPair(pair, answerOf));
  const byBlock = new Map(
    pairs.map(({ block, candidate, baseline, preference }) => [
      pairKey(block, candidate.variant, baseline.variant),
      preference,
    ]),
  );
  const controls = controlsOf([...answers.values()]);
  return {
    scorer,
    by,
    pairs,
    preferences: (block, one, other) => byBlock.get(pairKey(block, one, other)),
    controls,
    fault: controlFaultOf(controls),
    spend: new JudgeSpend(scorer.name, scores),
    answered: scores.flatMap((line) => (line.line === 'preference' && line.scorer === scorer.name ? [line] : [])),
  };
}

function judgedPair(
  { prompt, block, candidate, baseline, identical }: DeliveredPair,
  answerOf: (prompt: string, media: readonly string[]) => OrderAnswer,
): JudgedPair {
  const answers = [
    answerOf(prompt.id, [candidate.digest, baseline.digest]),
    answerOf(prompt.id, [baseline.digest, candidate.digest]),
  ] as const;
  const [ahead, behind] = answers;
  const shared = { block, candidate, baseline, identical, answers };
  if (identical) return { ...shared, preference: { preferred: null } };
  if (typeof ahead !== 'string' || typeof behind !== 'string') return { ...shared, preference: null };
  if (ahead === 'first' && behind === 'second') return { ...shared, preference: { preferred: candidate.variant } };
  if (ahead === 'second' && behind === 'first') return { ...shared, preference: { preferred: baseline.variant } };
  return { ...shared, preference: { preferred: null } };
}

/** Whether a later answer may come: not asked, or the call failed. */
export function hasNoAnswer(answer: OrderAnswer): boolean {
  return answer === null || (typeof answer !== 'string' && answer.why.code === 'call_failed');
}

/** As `hasNoAnswer`, or a limit stopped the judge. */
export function isAwaited(answer: OrderAnswer): boolean {
  return hasNoAnswer(answer) || (answer !== null && typeof answer !== 'string' && answer.why.code === 'limit_reached');
}

/** A copy is found if both orders prefer its output. */
function controlsOf(lines: readonly JudgeLine[]): readonly ControlCount[] {
  const shown = lines.flatMap((line) => {
    const { control = null, copy = null, media, prompt } = line;
    if (control === null || copy === null) return [];
    const output = copy === 'first' ? 'second' : 'first';
    const [first = '', second = ''] = media;
    const digests = copy === 'first' ? [second, first] : [first, second];
    return [
      {
        control,
        of: JSON.stringify([prompt, ...digests]),
        isFound: line.line === 'preference' && line.chosen === output,
      },
    ];
  });
  return [...groupBy(shown, ({ control }) => control)].map(([control, controlLines]): ControlCount => {
    const copies = [...groupBy(controlLines, ({ of }) => of).values()];
    const detected = copies.filter((orders) => orders.length === 2 && orders.every(({ isFound }) => isFound));
    return { control, found: detected.length, of: copies.length };
  });
}

function placeOf(
  prompt: string,
  media: readonly string[],
  { control = null, copy = null }: { readonly control?: Control | null; readonly copy?: string | null },
): string {
  return JSON.stringify([prompt, media, control, copy]);
}

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
  return {
    variant,
    scored: ownPairs.length - unanswered.length,
    unscored: byReason(why),
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
  const preferences = ownPairs.map(({ preference }) => preference);
  const { open, ...preferred } = countPreferences(preferences, variant, baseline);
  return {
    ...preferred,
    identical: ownPairs.filter(({ identical }) => identical).length,
    open,
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
