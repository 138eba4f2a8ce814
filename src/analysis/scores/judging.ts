import type { Control } from '../../record/codes.ts';
import { type DeliveredPair, deliveredPairs } from '../../record/output-pairs.ts';
import type { ScoreLine, ScorerLine, UnscoredReason } from '../../record/score.ts';
import { JudgeSpend } from '../../record/spend.ts';
import type { StoredRun } from '../../record/stored-run.ts';
import type { JudgeScorer } from '../../suite/scorer.ts';
import { groupBy } from '../grouping.ts';
import { type Preference, type Preferences, pairKey } from './preferences.ts';
import { type ControlCount, controlFaultOf, currentScorers } from './scoring.ts';

/** A judge's answer in one order, or why there is none; null if not asked yet. */
type OrderAnswer =
  | Extract<ScoreLine, { readonly line: 'preference' }>['chosen']
  | { readonly why: UnscoredReason }
  | null;

export interface JudgedPair extends Pick<DeliveredPair, 'block' | 'candidate' | 'baseline' | 'identical'> {
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
export function isUnanswered(answer: OrderAnswer): boolean {
  return answer === null || (typeof answer !== 'string' && answer.why.code === 'call_failed');
}

/** As `isUnanswered`, or a limit stopped the judge. */
export function isAwaited(answer: OrderAnswer): boolean {
  return isUnanswered(answer) || (answer !== null && typeof answer !== 'string' && answer.why.code === 'limit_reached');
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
