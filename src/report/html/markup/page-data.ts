import type { Level } from '../../../media/compare/level.ts';
import { visible } from '../../../text/visible.ts';
import type { DurationUnit } from '../../../text/wording.ts';
import { type Markup, trusted } from './markup.ts';

/** By columns, since most hold one value nearly everywhere. Codes and numbers; every text is hostile. */
export interface PageData {
  readonly variants: readonly string[];
  /** For each variant, the index of the one beside which it is compared; null where there is none. */
  readonly baselines: readonly (number | null)[];
  readonly units: readonly DurationUnit[];
  readonly prompts: readonly PromptData[];
  readonly cellCount: number;
  /** By the number of their anchors. */
  readonly cells: Columns<CellData>;
  /** In the order of cells; within a cell by `data-output`. */
  readonly outputs: Columns<OutputData>;
  /** In the order of cells. */
  readonly takes: Columns<TakeData>;
  readonly messages: readonly string[];
}

export type PromptData = readonly [id: string, text: string, tags: readonly string[]];

/** All values, or the usual one and the others by row. */
export type DataColumn<T> =
  | readonly T[]
  | { readonly usual: T; readonly others: readonly (readonly [at: number, T])[] };

export type Columns<Row> = { readonly [Name in keyof Row]: DataColumn<Row[Name]> };

export interface CellData {
  /** Index in the lists of the page. */
  readonly variant: number;
  readonly prompt: number;
  readonly seed: number;
  /** The lowest among all takes; null where there is none. */
  readonly level: Level | null;
  readonly outputs: number;
  readonly takes: number;
  readonly pairs: readonly PairData[];
}

export interface OutputData {
  /** The first 12 digits. */
  readonly sha256: string;
  readonly width: number | null;
  readonly height: number | null;
  readonly durationS: number | null;
  /** Frames a second; null of an image, and where it is not known. */
  readonly fps: number | null;
  /** Against the usual output of the cell. */
  readonly level: Level | null;
}

export interface TakeData {
  readonly repeat: number;
  readonly step: number | null;
  readonly outcome: string;
  readonly output: number | null;
  /** Milliseconds, as the five below. */
  readonly total: number | null;
  readonly submit: number | null;
  readonly queue: number | null;
  readonly run: number | null;
  readonly detect: number | null;
  readonly download: number | null;
  readonly httpStatus: number | null;
  readonly attempts: number;
  readonly requestId: string | null;
  readonly flags: readonly string[];
  /** The code, and the index of its message. */
  readonly error: readonly [code: string, message: number] | null;
}

export type PairData = readonly [
  a: number,
  b: number,
  level: Level | null,
  /** Share of the range, and PSNR in dB; null where sizes differ. */
  samples: readonly [maxDifference: number, psnrDb: number | null] | null,
  ssim: readonly [p5: number, worst: number] | null,
  pdqDistance: number | null,
  frames: number,
  unpaired: number,
  chroma: number | null,
];

/** Hidden characters in texts are spelled out. */
export function dataBlock(data: PageData): Markup {
  const json = JSON.stringify(data, (_, value: unknown) => (typeof value === 'string' ? visible(value) : value));
  // `<` alone could end the element, or begin a comment in it.
  return trusted(`<script type="application/json" id="takes-data">${json.replaceAll('<', '\\u003c')}</script>`);
}
