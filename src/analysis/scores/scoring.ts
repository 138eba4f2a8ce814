import { CONTROL_SAMPLES, type Control } from '../../record/codes.ts';
import type { ScoreLine, ScorerLine, UnscoredReason } from '../../record/score.ts';
import { isRequest, scoredDigest } from '../../record/score-key.ts';
import type { DeclaredScorer, GivenValue, ValueScorer } from '../../suite/scorer.ts';
import type { EffectiveOutput, EffectiveSample } from '../effective-sample.ts';

/** What a scorer says of an output: its values by name, or why it has none. */
export type ScoreOfOutput = { readonly values: Readonly<Record<string, number>> } | { readonly why: UnscoredReason };

export type ControlLine = Extract<ScoreLine, { readonly line: 'control' }>;

/** A scorer with what it says of the outputs of a run. */
export interface Scoring {
  readonly scorer: ValueScorer;
  /** Null where it has not begun. */
  readonly by: ScorerLine | null;
  /** By the prompt and the digest that names an output in scores.jsonl; null where it was not asked yet. */
  readonly scoredOf: (prompt: string, digest: string) => ScoreOfOutput | null;
  /** One of each control and output. */
  readonly controls: readonly ControlLine[];
}

/**
 * Every scorer that a suite declares or that has lines, in that order. The last `scorer` line of a name says what counts:
 * lines of another `by` are of an earlier version of it. Of several lines about one output the last counts.
 */
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
  /** Those that a suite declares or that have lines, in that order. */
  readonly scorers: readonly DeclaredScorer[];
  /** Their last lines, by name. */
  readonly current: ReadonlyMap<string, ScorerLine>;
}

/** A line takes the place of what the suite declares. */
export function currentScorers(declared: readonly DeclaredScorer[], lines: readonly ScoreLine[]): CurrentScorers {
  const current = new Map(lines.flatMap((line) => (line.line === 'scorer' ? [[line.scorer, line] as const] : [])));
  const scorers = new Map(
    [...declared, ...[...current.values()].map((line) => line.declared)].map((each) => [each.name, each]),
  );
  return { scorers: [...scorers.values()], current };
}

/** A take whose output may be scored. One that is blank or does not decode is no answer. */
export type ShownTake = EffectiveSample & { readonly output: EffectiveOutput };

export function isShown(take: EffectiveSample): take is ShownTake {
  return take.outcome === 'ok' && take.output !== null;
}

/** Null where its output was not scored yet. */
export function scoreOf({ scoredOf }: Scoring, { sample, output }: ShownTake): ScoreOfOutput | null {
  return scoredOf(sample.trial.prompt, scoredDigest(output));
}

/** Null where it has no value of this name. */
export function valueIn(scored: ScoreOfOutput | null, name: string): number | null {
  return scored !== null && 'values' in scored ? (scored.values[name] ?? null) : null;
}

function keyOf(scorer: string, prompt: string, digest: string): string {
  return JSON.stringify([scorer, prompt, digest]);
}

/** How many copies of one kind a scorer must find: a coin finds so many of 16 in 0.2 %. */
const CONTROL_FOUND = 14;

export interface ControlCount {
  readonly control: Control;
  readonly found: number;
  readonly of: number;
}

/** By kind of copy: how many a value finds worse. A copy without a value is not found. */
export function controlCounts({ controls }: Pick<Scoring, 'controls'>, value: string): readonly ControlCount[] {
  const kinds = [...new Set(controls.map(({ control }) => control))];
  return kinds.map((control) => {
    const own = controls.filter((line) => line.control === control);
    return { control, found: own.filter(({ found }) => found?.[value] === true).length, of: own.length };
  });
}

/** Null where a value needs no control, or finds enough copies. */
export function controlFault(scoring: Scoring, { value, better }: GivenValue): ReturnType<typeof controlFaultOf> {
  if (better === null || scoring.scorer.use !== 'command') return null;
  return controlFaultOf(controlCounts(scoring, value));
}

/** Null where at least 14 of 16 copies of one kind are found. */
export function controlFaultOf(all: readonly ControlCount[]): 'control_failed' | 'too_few_for_control' | null {
  const counts = all.filter(({ of }) => of >= CONTROL_SAMPLES);
  if (counts.length === 0) return 'too_few_for_control';
  return counts.some(({ found, of }) => found * CONTROL_SAMPLES >= CONTROL_FOUND * of) ? null : 'control_failed';
}
