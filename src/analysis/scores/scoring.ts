import { groupBy } from '../../kit/grouping.ts';
import { CONTROL_SAMPLES, type Control } from '../../record/codes.ts';
import type { ScoreLine, ScorerLine, UnscoredReason } from '../../record/score.ts';
import { isRequest, scoredDigest } from '../../record/score-key.ts';
import { scoreMetricName } from '../../suite/score-label.ts';
import type { DeclaredScorer, GivenValue, ValueScorer } from '../../suite/scorer.ts';
import type { EffectiveOutput, EffectiveSample } from '../effective-sample.ts';
import { CONTROL_FOUND } from '../note.ts';
import type { ScorerSummary } from '../output-summaries.ts';
import type { VariantSummary } from '../summaries.ts';
import type { TakeIndex } from '../take-index.ts';

type ScoreOfOutput = { readonly values: Readonly<Record<string, number>> } | { readonly why: UnscoredReason };

type ControlLine = Extract<ScoreLine, { readonly line: 'control' }>;

export interface Scoring {
  readonly scorer: ValueScorer;
  readonly by: ScorerLine | null;
  /** By prompt and the digest in scores.jsonl; null if not asked yet. */
  readonly scoredOf: (prompt: string, digest: string) => ScoreOfOutput | null;
  readonly controls: readonly ControlLine[];
}

/** Every scorer that is declared or has lines. Last lines count; another `by` is an earlier version. */
export function scoringsOf(declared: readonly DeclaredScorer[], lines: readonly ScoreLine[]): readonly Scoring[] {
  const { scorers, current } = currentScorers(declared, lines);
  const scored = new Map<string, ScoreOfOutput>();
  const controls = new Map<string, ControlLine>();
  for (const line of lines) {
    if (line.line === 'scorer' || isRequest(line) || line.by !== current.get(line.scorer)?.by) continue;
    const key = keyOf(line.scorer, line.prompt, line.media[0] ?? '');
    if (line.line === 'control') controls.set(`${key} ${line.control}`, line);
    else if (line.line === 'value') scored.set(key, { values: line.values });
    else if (line.line === 'unscored') scored.set(key, { why: line.why });
  }
  return scorers.flatMap((scorer): Scoring[] => {
    if (scorer.use === 'judge') return [];
    return [
      {
        scorer,
        by: current.get(scorer.name) ?? null,
        scoredOf: (prompt, digest) => scored.get(keyOf(scorer.name, prompt, digest)) ?? null,
        controls: [...controls.values()].filter((line) => line.scorer === scorer.name),
      },
    ];
  });
}

interface CurrentScorers {
  /** Declared ones, then those that only have lines. */
  readonly scorers: readonly DeclaredScorer[];
  readonly current: ReadonlyMap<string, ScorerLine>;
}

/** A line overrides the declaration. */
export function currentScorers(declared: readonly DeclaredScorer[], lines: readonly ScoreLine[]): CurrentScorers {
  const current = new Map(lines.flatMap((line) => (line.line === 'scorer' ? [[line.scorer, line] as const] : [])));
  const scorers = new Map(
    [...declared, ...[...current.values()].map((line) => line.declared)].map((scorer) => [scorer.name, scorer]),
  );
  return { scorers: [...scorers.values()], current };
}

/** A take whose output may be scored: not blank, and decoded. */
export type ShownTake = EffectiveSample & { readonly output: EffectiveOutput };

export function isShown(take: EffectiveSample): take is ShownTake {
  return take.outcome === 'ok' && take.output !== null;
}

export function scoreOf({ scoredOf }: Scoring, { sample, output }: ShownTake): ScoreOfOutput | null {
  return scoredOf(sample.trial.prompt, scoredDigest(output));
}

export function valueIn(scored: ScoreOfOutput | null, name: string): number | null {
  return scored !== null && 'values' in scored ? (scored.values[name] ?? null) : null;
}

function keyOf(scorer: string, prompt: string, digest: string): string {
  return JSON.stringify([scorer, prompt, digest]);
}

export interface ControlCount {
  readonly control: Control;
  readonly found: number;
  readonly of: number;
}

/** Copies found per kind. A copy without a value is not found. */
function controlCounts({ controls }: Pick<Scoring, 'controls'>, value: string): readonly ControlCount[] {
  const kinds = [...new Set(controls.map(({ control }) => control))];
  return kinds.map((control) => {
    const lines = controls.filter((line) => line.control === control);
    return { control, found: lines.filter(({ found }) => found?.[value] === true).length, of: lines.length };
  });
}

/** Null if a value needs no control, or finds enough copies. */
export function controlFault(scoring: Scoring, { value, better }: GivenValue): ReturnType<typeof controlFaultOf> {
  if (better === null || scoring.scorer.use !== 'command') return null;
  return controlFaultOf(controlCounts(scoring, value));
}

/** Null if at least 14 of 16 copies of one kind are found. */
export function controlFaultOf(all: readonly ControlCount[]): 'control_failed' | 'too_few_for_control' | null {
  const counts = all.filter(({ of }) => of >= CONTROL_SAMPLES);
  if (counts.length === 0) return 'too_few_for_control';
  return counts.some(({ found, of }) => found * CONTROL_SAMPLES >= CONTROL_FOUND * of) ? null : 'control_failed';
}

export function summariseScorers(
  scorings: readonly Scoring[],
  variants: readonly Pick<VariantSummary, 'name'>[],
  takes: TakeIndex,
): readonly ScorerSummary[] {
  return scorings.map((scoring) => ({
    scorer: scoring.scorer.name,
    use: scoring.scorer.use,
    metrics: scoring.scorer.gives.map(({ value }) => scoreMetricName(scoring.scorer, value)),
    source: scoring.by,
    variants: variants.map(({ name }) => {
      const scored = takes.ofVariant(name).flatMap((take) => (isShown(take) ? [scoreOf(scoring, take)] : []));
      return {
        variant: name,
        scored: scored.filter((score) => score !== null && 'values' in score).length,
        unscored: byReason(scored.flatMap((score) => (score !== null && 'why' in score ? [score.why] : []))),
        waiting: scored.filter((score) => score === null).length,
      };
    }),
    controls: scoring.scorer.gives.flatMap(({ value, better }) =>
      better === null
        ? []
        : controlCounts(scoring, value).map((control) => ({
            metric: scoreMetricName(scoring.scorer, value),
            ...control,
          })),
    ),
  }));
}

/** How often each reason is given, the most frequent first. */
export function byReason(reasons: readonly UnscoredReason[]): ScorerSummary['variants'][number]['unscored'] {
  return [...groupBy(reasons, (why) => JSON.stringify(why)).values()]
    .map((same) => ({ why: same[0], takes: same.length }))
    .sort((a, b) => b.takes - a.takes);
}
