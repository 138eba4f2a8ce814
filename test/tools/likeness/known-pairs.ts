import type { Difference } from '../../../src/media/difference.ts';
import { differenceOf, type Sequence } from '../../../src/media/difference-of.ts';
import { type Level, levelOf } from '../../../src/media/level.ts';
import type { Pixels } from '../../../src/media/pixels.ts';
import { CHANGES, type Truth } from './changes.ts';
import type { PromptSet } from './originals.ts';

/** Two outputs whose pixels differ. */
export interface Compared {
  readonly level: Level;
  readonly difference: Difference;
}

/** A baseline's output and another, of which is known what people would say. */
export interface KnownPair extends Compared {
  readonly truth: Truth;
  readonly kind: string;
  /** The baseline's output, by its prompt and seed. */
  readonly of: string;
  /** From it to the baseline's outputs for other seeds of the prompt, without the one it is held against. */
  readonly otherSeeds: readonly Compared[];
}

/** All pairs of a prompt; those with equal pixels are left out. `strangers`: images of other prompts. */
export async function* pairsOf(set: PromptSet, strangers: readonly Pixels[]): AsyncGenerator<KnownPair> {
  const { standard } = set.renderings;
  for (const [at, { pixels }] of standard.entries()) {
    const toOthers = standard.map(({ pixels: other }, seed) => (seed === at ? null : compared(pixels, other)));
    for await (const { kind, truth, other, seed } of othersOf(set, at, strangers)) {
      const found = compared(pixels, other);
      if (found === null) continue;
      const otherSeeds = toOthers.flatMap((each, left) => (each === null || left === seed ? [] : [each]));
      yield { ...found, kind, truth, of: `${set.name}, seed ${at + 1}`, otherSeeds };
    }
  }
}

interface Other {
  readonly kind: string;
  readonly truth: Truth;
  readonly other: Pixels;
  /** The place of the baseline's seed that it is, if it is one. */
  readonly seed: number | null;
}

async function* othersOf(
  { look, renderings }: PromptSet,
  at: number,
  strangers: readonly Pixels[],
): AsyncGenerator<Other> {
  const own = renderings.standard[at];
  if (own === undefined) return;
  for (const { kind, truth, isAbsolute, of } of CHANGES) {
    // A plain image mirrored may be the same.
    if ((look === 'faint' && isAbsolute) || (look === 'plain' && truth !== 'same')) continue;
    yield { kind, truth, other: await of(own.pixels), seed: null };
  }
  for (const [seed, { pixels, scene }] of renderings.standard.entries()) {
    if (seed === at) continue;
    const isShared = scene === own.scene;
    const truth = isShared ? 'disputed' : 'another';
    yield { kind: isShared ? 'other seed, same composition' : 'other seed', truth, other: pixels, seed };
  }
  for (const other of strangers) yield { kind: 'other prompt', truth: 'another', other, seed: null };
  for (const [model, truth] of [
    ['fast', 'same'],
    ['fast-lcm', 'disputed'],
  ] as const) {
    const other = renderings[model][at];
    if (other === undefined) continue;
    const isShared = other.scene === own.scene;
    const kind = isShared ? model : `${model}, other composition`;
    yield { kind, truth: isShared ? truth : 'another', other: other.pixels, seed: null };
  }
}

function compared(a: Pixels, b: Pixels): Compared | null {
  const difference = differenceOf(still(a), still(b));
  if (difference.samples?.maxDifference === 0) return null;
  return { level: levelOf(difference), difference };
}

const still = (pixels: Pixels): Sequence => ({ frames: [{ atS: 0, pixels }], count: 1, frameS: null });
