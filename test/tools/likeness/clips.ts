import { FRAME_RATE, FRAME_SIZES, type Model, type Ratio } from '../../../src/service/forms/generation.ts';
import type { VideoEncoder } from '../../../src/service/rendering/encode-video.ts';
import { sampleVideo } from '../../../src/service/rendering/image.ts';
import type { Style } from '../../../src/service/scene/traits.ts';
import { classify } from '../../fixtures/constructed/classify.ts';
import { ffmpeg } from '../../fixtures/ffmpeg.ts';
import type { Truth } from './changes.ts';
import type { Compared, KnownPair } from './known-pairs.ts';
import { nearestScene, scenesOf } from './originals.ts';

/** A video of the service, by prompt and seed, as it delivers it. */
interface Clip {
  readonly file: Buffer;
  readonly scene: string;
}

interface ClipSet {
  readonly name: string;
  readonly clips: { readonly [K in Model]: readonly Clip[] };
}

const PROMPTS: readonly (readonly [text: string, ratio: Ratio, style: Style])[] = [
  ['A lighthouse on a cliff above a stormy sea, dusk', '16:9', 'realistic'],
  ['A red fox leaping through fresh snow', '1:1', 'anime'],
  ['A boat on a calm sea under a huge moon', '3:2', 'realistic'],
  ['A cat in a quiet garden, spring morning', '4:3', 'anime'],
  ['Hills and a forest in autumn, overcast, panorama', '16:9', 'realistic'],
  ['A purple boat in a harbour at sunrise', '3:4', 'realistic'],
];

const SECONDS = 1;
const never = () => false;

const X264 = (crf: number, ...filters: readonly string[]): readonly string[] => [
  ...(filters.length === 0 ? [] : ['-vf', filters.join(',')]),
  ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', String(crf), '-pix_fmt', 'yuv420p'],
];
const SCALE = (by: number): string => `scale=trunc(iw*${by}/2)*2:trunc(ih*${by}/2)*2`;

/** What is done to a clip by FFmpeg's program. */
const CHANGES: readonly (readonly [kind: string, truth: Truth, after: readonly string[]])[] = [
  ...[18, 23, 28, 32].map((crf) => [`H.264 at ${crf}`, 'same', X264(crf)] as const),
  ['H.264 at 45', 'disputed', X264(45)],
  ['VP9 at 35', 'same', ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-b:v', '0', '-crf', '35']],
  ['blur of 0.7', 'same', X264(18, 'gblur=sigma=0.7')],
  ['blur of 4', 'disputed', X264(18, 'gblur=sigma=4')],
  ['noise', 'same', X264(18, 'noise=alls=8:allf=t:all_seed=1')],
  ...[0.9, 1.1].map((by) => [`brightness x ${by}`, 'same', X264(18, `lutyuv=y=val*${by}`)] as const),
  ['contrast 0.85', 'same', X264(18, 'lutyuv=y=(val-126)*0.85+126')],
  ['cropped by 2 pixels, scaled back', 'same', X264(18, 'crop=iw-2:ih-2,scale=iw+2:ih+2')],
  ['half the size and back', 'same', X264(18, SCALE(0.5), SCALE(2))],
  ...[0.75, 2].map((by) => [`${by} x the size`, 'same', X264(18, SCALE(by))] as const),
  ['half the frames', 'disputed', [...X264(18), '-r', String(FRAME_RATE / 2)]],
  ['backwards', 'disputed', X264(18, 'reverse')],
  ['mirrored', 'another', X264(18, 'hflip')],
  ['upside down', 'another', X264(18, 'vflip')],
];

/** All pairs of the clips of the first `prompts` prompts with seeds 1 to `seeds`. */
export async function* clipPairs(encoder: VideoEncoder, prompts: number, seeds: number): AsyncGenerator<KnownPair> {
  const sets: ClipSet[] = [];
  for (const prompt of PROMPTS.slice(0, prompts)) sets.push(await setOf(encoder, prompt, seeds));
  for (const [number, { name, clips }] of sets.entries()) {
    for (const [at, clip] of clips.standard.entries()) {
      const toOthers: (Compared | null)[] = [];
      for (const [seed, other] of clips.standard.entries()) {
        toOthers.push(seed === at ? null : await compared(clip.file, other.file));
      }
      const strangers = [1, 2].flatMap((by) => sets[(number + by) % sets.length]?.clips.standard[at] ?? []);
      for (const { kind, truth, other, seed } of othersOf(clips, at, strangers)) {
        const found = await compared(clip.file, other);
        if (found === null) continue;
        const otherSeeds = toOthers.flatMap((each, left) => (each === null || left === seed ? [] : [each]));
        yield { ...found, kind, truth, of: `${name}, seed ${at + 1}`, otherSeeds };
      }
    }
  }
}

interface Other {
  readonly kind: string;
  readonly truth: Truth;
  readonly other: Buffer;
  readonly seed: number | null;
}

function* othersOf(clips: ClipSet['clips'], at: number, strangers: readonly Clip[]): Generator<Other> {
  const own = clips.standard[at];
  if (own === undefined) return;
  for (const [kind, truth, after] of CHANGES) {
    const bare = ['-fflags', '+bitexact', '-an', ...after];
    yield { kind, truth, other: ffmpeg(own.file, [], bare, kind.startsWith('VP9') ? 'webm' : 'mp4'), seed: null };
  }
  for (const [seed, { file, scene }] of clips.standard.entries()) {
    if (seed === at) continue;
    const isShared = scene === own.scene;
    const truth = isShared ? 'disputed' : 'another';
    yield { kind: isShared ? 'other seed, same composition' : 'other seed', truth, other: file, seed };
  }
  for (const { file } of strangers) yield { kind: 'other prompt', truth: 'another', other: file, seed: null };
  for (const model of ['fast', 'fast-lcm'] as const) {
    const other = clips[model][at];
    if (other === undefined) continue;
    const isShared = other.scene === own.scene;
    const truth = isShared ? (model === 'fast' ? 'same' : 'disputed') : 'another';
    yield { kind: isShared ? model : `${model}, other composition`, truth, other: other.file, seed: null };
  }
}

async function setOf(
  encoder: VideoEncoder,
  [prompt, ratio, style]: (typeof PROMPTS)[number],
  seeds: number,
): Promise<ClipSet> {
  const scenes = await scenesOf(prompt, style, FRAME_SIZES[ratio], { count: SCENES_IN_A_VIDEO, time: 0 });
  const rendered = async (model: Model): Promise<readonly Clip[]> => {
    const clips: Clip[] = [];
    for (let seed = 1; seed <= seeds; seed += 1) {
      const generation = { prompt, style, ratio, seed, model, seconds: SECONDS, upload: null } as const;
      const { frames, width, height } = await sampleVideo(generation, never);
      const [first = Buffer.alloc(0)] = frames;
      const scene = nearestScene(toRgb(first, { width, height }), scenes);
      clips.push({ file: encoder.encode(frames, { width, height }, FRAME_RATE), scene });
    }
    return clips;
  };
  return {
    name: prompt.split(' ').slice(0, 4).join(' '),
    clips: {
      standard: await rendered('standard'),
      fast: await rendered('fast'),
      'fast-lcm': await rendered('fast-lcm'),
    },
  };
}

const SCENES_IN_A_VIDEO = 2;

async function compared(a: Uint8Array, b: Uint8Array): Promise<Compared | null> {
  const { level, difference } = await classify(a, b);
  return difference === null ? null : { level, difference };
}

/** Red, green, blue bytes of planes Y, Cb, Cr of 4:2:0 in studio range (ITU-R BT.601). */
function toRgb(frame: Uint8Array, { width, height }: { readonly width: number; readonly height: number }): Uint8Array {
  const toByte = (value: number) => Math.min(255, Math.max(0, Math.round(255 * value)));
  const [blue, red] = [width * height, width * height * 1.25];
  return Uint8Array.from({ length: width * height * 3 }, (_, at) => {
    const pixel = Math.floor(at / 3);
    const cell = (Math.floor(pixel / width) >> 1) * (width / 2) + ((pixel % width) >> 1);
    const light = ((frame[pixel] ?? 0) - 16) / 219;
    const cb = ((frame[blue + cell] ?? 0) - 128) / 224;
    const cr = ((frame[red + cell] ?? 0) - 128) / 224;
    return toByte(light + ([1.402 * cr, -0.344136 * cb - 0.714136 * cr, 1.772 * cb][at % 3] ?? 0));
  });
}
