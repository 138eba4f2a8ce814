import { isMeasured } from '../plan/plan.ts';
import { CONTROL_SAMPLES, CONTROLS, type Control } from '../record/codes.ts';
import type { OutputFact } from '../record/fact.ts';
import type { StoredRun } from '../record/kept-run.ts';
import { factsByDigest } from '../record/output-pairs.ts';
import type { RunPrompt } from '../record/run.ts';
import type { OutputScore, UnscoredReason } from '../record/score.ts';
import { scoredDigest, scoreKey, type WrittenScores } from '../record/score-key.ts';
import type { Kind } from '../suite/kind.ts';
import type { CommandScorer } from '../suite/scorer.ts';

type DecodedFact = Extract<OutputFact, { readonly decodes: true }>;

/** Equal outputs of several takes and variants are one. */
export interface OutputToScore {
  readonly prompt: RunPrompt;
  readonly kind: Kind;
  /** Names the output in scores.jsonl. */
  readonly digest: string;
  /** Of one of the equal files. */
  readonly sha256: string;
  /** Null if the output does not decode. */
  readonly fact: DecodedFact | null;
}

/**
 * What scorers read of a run: the first output of each measured take that was delivered, twins included, without
 * warm-ups, probes and blank images.
 */
export function outputsToScore({ run, samples, facts }: StoredRun): readonly OutputToScore[] {
  const prompts = new Map(run.prompts.map((prompt) => [prompt.id, prompt]));
  const kinds = new Map(run.variants.map(({ name, kind }) => [name, kind]));
  const factOf = factsByDigest(facts);
  const outputs = new Map<string, OutputToScore>();
  for (const { trial, ...sample } of samples) {
    const prompt = prompts.get(trial.prompt);
    const kind = kinds.get(trial.variant);
    if (sample.outcome !== 'ok' || !isMeasured(trial) || prompt === undefined || kind === undefined) continue;
    const { sha256 } = sample.outputs[0];
    const known = factOf.get(sha256);
    const fact = known?.decodes === true ? known : null;
    if (fact?.shown.blank === true) continue;
    const digest = scoredDigest({ sha256, shown: fact?.shown ?? null });
    const key = `${prompt.id} ${digest}`;
    if (!outputs.has(key)) outputs.set(key, { prompt, kind, digest, sha256, fact });
  }
  return [...outputs.values()];
}

/** These are tried again: nobody was asked, a limit may be higher, or media may be back. */
const NOT_FINAL: ReadonlySet<string> = new Set<UnscoredReason['code']>([
  'command_failed',
  'no_first_line',
  'call_failed',
  'limit_reached',
  'media_missing',
  'input_missing',
  'undecodable',
]);

/** True if the output is not asked about again. */
export function isFinal(line: OutputScore): boolean {
  return line.line !== 'unscored' || !NOT_FINAL.has(line.why.code);
}

/**
 * Why outputs of a prompt cannot be shown; null if they can.
 * @param isStored whether the record has the media with this digest
 */
export function whyNotShown(
  outputs: readonly OutputToScore[],
  prompt: OutputToScore['prompt'],
  isStored: (sha256: string) => boolean,
): UnscoredReason | null {
  if (outputs.some(({ fact }) => fact === null)) return { code: 'undecodable' };
  if (outputs.some(({ sha256 }) => !isStored(sha256))) return { code: 'media_missing' };
  const image = prompt.media[0]?.sha256 ?? null;
  return image === null || isStored(image) ? null : { code: 'input_missing' };
}

interface ControlCopy {
  readonly control: Control;
  readonly key: string;
  readonly output: OutputToScore;
  /** Shown in place of the output: that of another prompt, or the same. */
  readonly shown: OutputToScore;
}

/**
 * The copies that a scorer must find worse, of outputs that have values. They are drawn by their keys, which are random
 * and the same each time; an output that has controls keeps them. None for a scorer without a direction.
 */
export function controlCopies(
  { gives, original }: Pick<CommandScorer, 'gives' | 'original'>,
  by: string,
  outputs: readonly OutputToScore[],
  { find }: Pick<WrittenScores, 'find'>,
): readonly ControlCopy[] {
  if (gives.every(({ better }) => better === null)) return [];
  const valued = new Map<string, DrawableOutput>();
  for (const output of outputs) {
    const key = scoreKey({ by, prompt: output.prompt, media: [output.digest], control: null });
    if (find(key)?.line === 'value' && output.fact !== null) valued.set(output.digest, { output, key });
  }
  return drawCopies([...valued.values()], {
    copiesOf: (output, other) => copiesOf(output, other, by, original),
    isMade: ({ key }) => find(key) !== null,
  });
}

interface DrawableOutput {
  readonly output: OutputToScore;
  /** Random, and the same each time. */
  readonly key: string;
}

interface CopyMaker<Copy> {
  /** @param other an output of another prompt; null without one */
  readonly copiesOf: (output: OutputToScore, other: OutputToScore | null) => readonly Copy[];
  readonly isMade: (copy: Copy) => boolean;
}

/** Of each kind the copies of 16 outputs, drawn by their keys; none of fewer. An output that has copies keeps them. */
export function drawCopies<Copy>(outputs: readonly DrawableOutput[], maker: CopyMaker<Copy>): readonly Copy[] {
  const drawn = outputs.toSorted((a, b) => (a.key < b.key ? -1 : 1)).map(({ output }) => output);
  return [...new Set(drawn.map(({ kind }) => kind))].flatMap((kind) => {
    const ofKind = drawn.filter((output) => output.kind === kind);
    if (ofKind.length < CONTROL_SAMPLES) return [];
    const hasOthers = new Set(ofKind.map(({ prompt }) => prompt.text)).size > 1;
    const copies = ofKind.map((output, at) =>
      maker.copiesOf(output, hasOthers ? otherOf(output, () => ofOtherPrompts(ofKind, at), maker) : null),
    );
    const isBegun = (made: readonly Copy[]) => made.some(maker.isMade);
    return [...copies.filter(isBegun), ...copies.filter((made) => !isBegun(made))].slice(0, CONTROL_SAMPLES).flat();
  });
}

/** The next output; for an output that has copies, the one that they were made with, among fewer outputs. */
function otherOf<Copy>(
  output: OutputToScore,
  others: () => Iterable<OutputToScore>,
  { copiesOf, isMade }: CopyMaker<Copy>,
): OutputToScore | null {
  const countMade = (other: OutputToScore | null) => copiesOf(output, other).filter(isMade).length;
  const alone = countMade(null);
  if (alone > 0) for (const other of others()) if (countMade(other) > alone) return other;
  for (const other of others()) return other;
  return null;
}

/** In turn, from the next output on. */
function* ofOtherPrompts(outputs: readonly OutputToScore[], at: number): Generator<OutputToScore> {
  for (let step = 1; step < outputs.length; step += 1) {
    const other = outputs[(at + step) % outputs.length];
    if (other !== undefined && other.prompt.text !== outputs[at]?.prompt.text) yield other;
  }
}

function copiesOf(
  output: OutputToScore,
  other: OutputToScore | null,
  by: string,
  original: boolean,
): readonly ControlCopy[] {
  const { prompt, digest } = output;
  return CONTROLS.flatMap((control): readonly ControlCopy[] => {
    if (control === 'other_prompt') {
      if (other === null) return [];
      return [{ control, output, shown: other, key: scoreKey({ by, prompt, media: [digest, other.digest], control }) }];
    }
    // A worse copy of a video is images: there is no file of it to give.
    if (original && output.fact?.video !== null) return [];
    return [{ control, output, shown: output, key: scoreKey({ by, prompt, media: [digest], control }) }];
  });
}
