import { CONTROL_SAMPLES, CONTROLS, type Control } from '../../record/codes.ts';
import { scoreKey, type WrittenScores } from '../../record/score-key.ts';
import type { CommandScorer } from '../../suite/scorer.ts';
import type { OutputToScore } from '../outputs-to-score.ts';

/** An output, and what is shown in its place. */
export interface ControlCopy {
  readonly control: Control;
  readonly key: string;
  readonly output: OutputToScore;
  /** The output that is shown: of another prompt, or the same. */
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
    const own = drawn.filter((output) => output.kind === kind);
    if (own.length < CONTROL_SAMPLES) return [];
    const hasOthers = new Set(own.map(({ prompt }) => prompt.text)).size > 1;
    const copies = own.map((output, at) =>
      maker.copiesOf(output, hasOthers ? otherOf(output, () => ofOtherPrompts(own, at), maker) : null),
    );
    const isBegun = (made: readonly Copy[]) => made.some(maker.isMade);
    return [...copies.filter(isBegun), ...copies.filter((made) => !isBegun(made))].slice(0, CONTROL_SAMPLES).flat();
  });
}

/** The next output in turn; of an output that has copies the one that stood there before, among fewer outputs. */
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

/** In turn, from the next one on. */
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
