import type { FilterContext, Frame } from 'node-av/lib';
import { type Libav, pixelFormatName } from '../libav.ts';
import { CHECKS } from '../still/grounds.ts';

/** Quarter turns clockwise, after mirroring. */
export interface Orientation {
  readonly quarters: 0 | 1 | 2 | 3;
  readonly mirrored: boolean;
}

export const UPRIGHT: Orientation = { quarters: 0, mirrored: false };

/**
 * The orientation of a display matrix: nine 32-bit integers in the machine's byte order (FFmpeg); a point (p, q) is
 * shown at (a p + c q, b p + d q), q downwards (ISO/IEC 14496-12, section 8.3.2). Upright without a matrix, and if it
 * is no quarter turn, as in players.
 */
export function orientationOf(matrix: Uint8Array | null): Orientation {
  if (matrix === null || matrix.byteLength < 36) return UPRIGHT;
  const view = new DataView(matrix.buffer, matrix.byteOffset, matrix.byteLength);
  const sign = (index: number): number => Math.sign(view.getInt32(4 * index, true));
  const [a, b, c, d] = [sign(0), sign(1), sign(3), sign(4)];
  const at = MATRICES.findIndex((matrix) => matrix[0] === a && matrix[1] === b && matrix[2] === c && matrix[3] === d);
  if (at < 0) return UPRIGHT;
  return { quarters: QUARTERS[at % 4] ?? 0, mirrored: at >= 4 };
}

const QUARTERS = [0, 1, 2, 3] as const;

/** Signs of a, b, c, d: turned by 0 to 3 quarters clockwise, then the same mirrored before. */
const MATRICES: readonly (readonly [number, number, number, number])[] = [
  [1, 0, 0, 1],
  [0, 1, -1, 0],
  [-1, 0, 0, -1],
  [0, -1, 1, 0],
  [-1, 0, 0, 1],
  [0, -1, -1, 0],
  [1, 0, 0, -1],
  [0, 1, 1, 0],
];

export function swapsSides({ quarters }: Orientation): boolean {
  return quarters % 2 === 1;
}

interface FrameShape {
  readonly width: number;
  readonly height: number;
  readonly format: 'rgb24' | 'rgba' | 'yuv420p';
  readonly orientation: Orientation;
  readonly timeBase: { readonly num: number; readonly den: number };
}

export interface FrameShaper {
  /** Writes into `shaped`, which the caller unrefs. False if FFmpeg gives no frame. */
  readonly shape: (frame: Frame, shaped: Frame) => boolean;
  readonly close: () => void;
}

/** From this height on, video without declared colours is BT.709; below, BT.601. */
export const HIGH_DEFINITION = 720;

/**
 * Shapes frames like `first`, into the narrow range of BT.601, which players assume for a small image. Null if this
 * FFmpeg lacks the filters.
 */
export function shapeFramesLike(libav: Libav, first: Frame, shape: FrameShape): FrameShaper | null {
  const graph = new libav.FilterGraph();
  graph.alloc();
  graph.nbThreads = 1;
  const chain = [
    ['buffer', sourceOf(libav, first, shape)],
    ...turning(shape.orientation),
    ['scale', scaleOf(libav, first, shape)],
    ...(shape.format === 'yuv420p' && hasAlpha(libav, first) ? onChecks(shape) : []),
    ['format', `pix_fmts=${shape.format}`],
    ['buffersink', null],
  ] as const;
  const filters: FilterContext[] = [];
  for (const [index, [name, settings]] of chain.entries()) {
    const filter = libav.Filter.getByName(name);
    const context = filter === null ? null : graph.createFilter(filter, `${name}-${index}`, settings);
    const before = filters.at(-1);
    if (context === null || (before !== undefined && before.link(0, context, 0) < 0)) {
      graph.free();
      return null;
    }
    filters.push(context);
  }
  const [source] = filters;
  const sink = filters.at(-1);
  if (source === undefined || sink === undefined || graph.configSync() < 0) {
    graph.free();
    return null;
  }
  return {
    shape: (frame, shaped) =>
      source.buffersrcAddFrameSync(frame, libav.AV_BUFFERSRC_FLAG_KEEP_REF) >= 0 &&
      sink.buffersinkGetFrameSync(shaped) >= 0,
    close: () => graph.free(),
  };
}

function sourceOf(libav: Libav, frame: Frame, { timeBase }: FrameShape): string {
  const { width, height, colorSpace, colorRange } = frame;
  return `video_size=${width}x${height}:pix_fmt=${pixelFormatName(libav, frame)}:time_base=${timeBase.num}/${timeBase.den}:pixel_aspect=1/1:colorspace=${colorSpace}:range=${colorRange}`;
}

function scaleOf(libav: Libav, { height, colorSpace }: Frame, shape: FrameShape): string {
  const untold = colorSpace === libav.AVCOL_SPC_UNSPECIFIED;
  const matrix = untold && height >= HIGH_DEFINITION ? 'bt709' : 'auto';
  const output = shape.format === 'yuv420p' ? ':out_color_matrix=bt601:out_range=limited' : '';
  return `w=${shape.width}:h=${shape.height}:flags=area+accurate_rnd:in_color_matrix=${matrix}${output}`;
}

/** FFmpeg's names of formats: `yuva420p`, `rgba64le`, `gbrap`, `ya8`. */
const ALPHA_FORMAT = /^(yuva|rgba|bgra|argb|abgr|gbrap|ya\d|ayuv|vuya)/;

export function hasAlpha(libav: Libav, frame: Frame): boolean {
  return ALPHA_FORMAT.test(pixelFormatName(libav, frame) ?? '');
}

/** In the narrow range: white is 235, black 16, no colour 128. */
function onChecks({ width, height }: FrameShape): readonly (readonly [string, string])[] {
  const [light, dark] = CHECKS.greys.map((grey) => 16 + (grey * 219) / 255);
  const side = Math.max(width, height) / CHECKS.squares;
  const check = `if(mod(floor(X/${side})+floor(Y/${side}),2),${dark},${light})`;
  const colour = (plane: string) => `${plane}='128+(${plane}(X,Y)-128)*alpha(2*X,2*Y)/255'`;
  const luma = `lum='${check}+(lum(X,Y)-${check})*alpha(X,Y)/255'`;
  return [
    ['format', 'pix_fmts=yuva420p'],
    ['geq', `${luma}:${colour('cb')}:${colour('cr')}:a=255`],
  ];
}

function turning({ quarters, mirrored }: Orientation): readonly (readonly [string, string | null])[] {
  const turns = [
    [],
    [['transpose', 'dir=clock']],
    [
      ['hflip', null],
      ['vflip', null],
    ],
    [['transpose', 'dir=cclock']],
  ] as const;
  return [...(mirrored ? ([['hflip', null]] as const) : []), ...turns[quarters]];
}
