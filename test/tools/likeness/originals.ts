import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { decodeImage } from '../../../src/media/decode.ts';
import type { Pixels } from '../../../src/media/pixels.ts';
import { type Generation, type Model, RATIOS, type Ratio } from '../../../src/service/forms/generation.ts';
import { sampleImage } from '../../../src/service/rendering/image.ts';
import type { Size } from '../../../src/service/sampler/fourier.ts';
import { drawScene, SCENES } from '../../../src/service/scene/scene.ts';
import type { Style } from '../../../src/service/scene/traits.ts';
import { edited } from '../../fixtures/constructed/edited-pixels.ts';
import { type Painting, paint } from '../../fixtures/painted-images.ts';

/** An image of a service, by prompt and seed. */
export interface Rendering {
  readonly pixels: Pixels;
  /** Which of the prompt's scenes it shows, mirrored or not: equal where two renderings show the same things. */
  readonly scene: string;
}

/** One prompt in one style, rendered with each seed by each model. */
export interface PromptSet {
  readonly name: string;
  /** `faint`: of so little contrast that PDQ says nothing. `plain`: smooth or symmetric, the same for each seed. */
  readonly look: 'usual' | 'faint' | 'plain';
  /** `standard` is the baseline; a set that a formula paints has no other. */
  readonly renderings: { readonly [K in Model]: readonly Rendering[] };
}

type Prompt = readonly [text: string, ratio: Ratio];

/** Those that the limits of the words were chosen on. */
export const CHOSEN_ON: readonly Prompt[] = [
  ['A lighthouse on a cliff above a stormy sea, warm light in its window, dusk', '1:1'],
  ['A red fox leaping through fresh snow under a pale winter sun', '4:3'],
  ['A boat on a calm sea under a huge moon, clear night, stars', '3:2'],
  ['A cat in a quiet garden, spring morning, soft light', '3:4'],
  ['A small house in the desert under a huge moon', '1:1'],
  ['An empty landscape of snow and ice at noon', '16:9'],
  ['Hills and a forest in autumn, overcast, panorama', '16:9'],
  ['A purple boat in a harbour at sunrise', '2:3'],
  ['A black cat on the beach at midnight', '1:1'],
  ['Green meadow in summer, bright, cloudless', '4:3'],
  ['A snowstorm over the mountains, dark evening', '3:2'],
  ['An orange lighthouse beside flowers, day', '9:16'],
];

/** Those that were rendered only after the limits had been chosen. */
export const HELD_OUT: readonly Prompt[] = [
  ['A golden fox in an autumn forest at dawn', '1:1'],
  ['A teal sailboat off an island, noon, clouds', '16:9'],
  ['Sand dunes under a starry midnight sky', '3:2'],
  ['A scarlet lighthouse in a blizzard, night', '2:3'],
  ['Two white cats in a flower field, sunny afternoon', '4:3'],
  ['Frozen lake and snowy mountains at sunset', '16:9'],
  ['A green meadow after a storm, overcast evening', '1:1'],
  ['A ship in a calm bay at golden hour', '3:4'],
];

const STYLES: readonly Style[] = ['realistic', 'anime'];

const never = () => false;

/** Prompts in both styles with seeds 1 to `seeds`. */
export async function* renderedSets(prompts: readonly Prompt[], seeds: number): AsyncGenerator<PromptSet> {
  for (const [prompt, ratio] of prompts) {
    for (const style of STYLES) {
      const scenes = await scenesOf(prompt, style, RATIOS[ratio]);
      const rendered = async (model: Model): Promise<readonly Rendering[]> => {
        const renderings: Rendering[] = [];
        for (let seed = 1; seed <= seeds; seed += 1) {
          const generation: Generation = { prompt, style, ratio, seed, model };
          const { rgb, width, height } = await sampleImage(generation, never);
          const pixels: Pixels = { width, height, channels: 3, depth: 8, data: rgb };
          renderings.push({ pixels, scene: nearestScene(rgb, scenes) });
        }
        return renderings;
      };
      yield {
        name: `${prompt.split(' ').slice(0, 4).join(' ')}, ${style}`,
        look: 'usual',
        renderings: {
          standard: await rendered('standard'),
          fast: await rendered('fast'),
          'fast-lcm': await rendered('fast-lcm'),
        },
      };
    }
  }
}

const TEXTURES: readonly Painting['texture'][] = ['fractal', 'scene', 'shapes', 'strokes'];

/** Images that formulas paint, as photographs, discs, writing: a seed paints other things at other places. */
export function* paintedSets(seeds: number): Generator<PromptSet> {
  for (const texture of TEXTURES) {
    const standard = Array.from({ length: seeds }, (_, at) => ({
      pixels: paint({ texture, width: 320, height: 240, seed: 1000 * at + 1 }),
      // The sun of `scene` stands where it is with every seed.
      scene: texture === 'scene' ? 'sun' : String(at),
    }));
    yield { name: `painted ${texture}`, look: 'usual', renderings: { standard, fast: [], 'fast-lcm': [] } };
  }
}

/** What contrast is left of an image, and its darkest level: in the dark, in the middle, in fog. */
const FAINT = [
  [0.2, 5],
  [0.05, 20],
  [0.1, 120],
] as const;

/** The same images, hardly to be seen. */
export function faintSets(sets: readonly PromptSet[]): readonly PromptSet[] {
  return sets.map(({ name, renderings: { standard, fast, 'fast-lcm': lcm } }, at) => {
    const [contrast, darkest] = FAINT[at % FAINT.length] ?? FAINT[0];
    const faint = ({ pixels, scene }: Rendering): Rendering => ({
      pixels: edited(pixels, (sample) => darkest + contrast * sample),
      scene,
    });
    const renderings = { standard: standard.map(faint), fast: fast.map(faint), 'fast-lcm': lcm.map(faint) };
    return { name: `${name}, contrast ${contrast}`, look: 'faint', renderings };
  });
}

type Colour = readonly [number, number, number];

const within = (x: number, y: number, radius: number): boolean =>
  (x - 0.5) * (x - 0.5) + (y - 0.5) * (y - 0.5) < radius * radius;
const dusk = (y: number): Colour => [250 - 100 * y, 180 - 120 * y, 90 + 60 * y];

/** Images in which most frequencies of PDQ are nothing but rounding: colours at a place, across and down from 0 to 1. */
const PLAIN: Readonly<Record<string, (x: number, y: number) => Colour>> = {
  dusk: (_, y) => dusk(y),
  'dark to bright': (_, y) => [255 * y, 230 * y, 200 * y],
  horizon: (_, y) => (y < 0.6 ? [120 + 60 * y, 170 + 40 * y, 230] : [60, 90 - 20 * y, 40]),
  'sun at dusk': (x, y) => (within(x, y, 0.14) ? [255, 240, 200] : dusk(y)),
  'disc on white': (x, y) => (within(x, y, 0.2) ? [200, 30, 30] : [255, 255, 255]),
  'small disc on white': (x, y) => (within(x, y, 0.055) ? [200, 30, 30] : [255, 255, 255]),
  stripes: (x) => (Math.floor(12 * x) % 2 === 0 ? [230, 217, 204] : [26, 51, 38]),
  checks: (x, y) => ((Math.floor(24 * x) + Math.floor(18 * y)) % 2 === 0 ? [255, 255, 255] : [0, 0, 0]),
  'disc on grey': (x, y) => (within(x, y, 0.2) ? [150, 150, 160] : [128, 128, 128]),
};

export function plainSets(): readonly PromptSet[] {
  return Object.entries(PLAIN).map(([name, colourAt]) => {
    const blank: Pixels = { width: 384, height: 288, channels: 3, depth: 8, data: new Uint8Array(384 * 288 * 3) };
    const pixels = edited(blank, (_, x, y, channel) => colourAt(x / 384, y / 288)[channel] ?? 0);
    const renderings = { standard: [{ pixels, scene: name }], fast: [], 'fast-lcm': [] };
    return { name, look: 'plain', renderings };
  });
}

/** The images of a folder, each a prompt of its own: photographs, say. */
export async function setsOfFolder(folder: string): Promise<readonly PromptSet[]> {
  const sets: PromptSet[] = [];
  for (const name of readdirSync(folder).sort()) {
    const decoding = await decodeImage(readFileSync(join(folder, name)));
    if (!decoding.ok) continue;
    const { pixels } = decoding.image.frames[0];
    if (pixels.channels !== 3 || pixels.depth !== 8) continue;
    sets.push({ name, look: 'usual', renderings: { standard: [{ pixels, scene: name }], fast: [], 'fast-lcm': [] } });
  }
  return sets;
}

/** The prompt's scenes and their mirror images; of a video those at a time, in seconds. */
export async function scenesOf(
  prompt: string,
  style: Style,
  size: Size,
  { count = SCENES, time = null }: { readonly count?: number; readonly time?: number | null } = {},
): Promise<ReadonlyMap<string, Uint8Array>> {
  const scenes = new Map<string, Uint8Array>();
  for (let index = 0; index < count; index += 1) {
    const svg = drawScene(prompt, style, size, index, time);
    const png = await sharp(Buffer.from(svg)).removeAlpha().png().toBuffer();
    scenes.set(`${index}`, await sharp(png).raw().toBuffer());
    scenes.set(`${index} mirrored`, await sharp(png).flop().raw().toBuffer());
  }
  return scenes;
}

/** By the mean squared error of the samples: the texture of a rendering is small beside what scenes differ in. */
export function nearestScene(rgb: Uint8Array, scenes: ReadonlyMap<string, Uint8Array>): string {
  let nearest = '';
  let least = Number.POSITIVE_INFINITY;
  for (const [name, scene] of scenes) {
    let sum = 0;
    for (let at = 0; at < rgb.length; at += 1) {
      const error = (rgb[at] ?? 0) - (scene[at] ?? 0);
      sum += error * error;
    }
    if (sum < least) [nearest, least] = [name, sum];
  }
  return nearest;
}
