import type { Level } from '../../../media/compare/level.ts';
import type { DurationUnit } from '../../../text/quantity.ts';
import { visible } from '../../../text/visible.ts';
import { type Markup, trusted } from './markup.ts';

/** What the script knows of takes, by columns: most hold one value nearly everywhere. It holds codes and numbers; every text in it is hostile. */
export interface PageData {
  readonly variants: readonly string[];
  /** Of each variant the number of that which stands at its left where both are compared; null of that itself, and where there is none. */
  readonly baselines: readonly (number | null)[];
  /** Of each variant the unit of its latencies. */
  readonly units: readonly DurationUnit[];
  readonly prompts: readonly PromptData[];
  readonly cellCount: number;
  /** By the number of their anchors. */
  readonly cells: Columns<CellData>;
  /** Those of the first cell, then those of the second, and so on; within a cell by their `data-output`. */
  readonly outputs: Columns<OutputData>;
  /** In the same order. */
  readonly takes: Columns<TakeData>;
  /** Messages of errors, each once. */
  readonly messages: readonly string[];
}

export type PromptData = readonly [id: string, text: string, tags: readonly string[]];

/** The values of a column one after the other, or the usual one and those that are others, by number. */
export type Column<T> = readonly T[] | { readonly usual: T; readonly others: readonly (readonly [at: number, T])[] };

export type Columns<Row> = { readonly [Name in keyof Row]: Column<Row[Name]> };

export interface CellData {
  /** Numbers in the lists of the page. */
  readonly variant: number;
  readonly prompt: number;
  readonly seed: number;
  /** The lowest among all takes; null where there is none. */
  readonly level: Level | null;
  /** How many it has. */
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
  /** Against the usual output of its cell. */
  readonly level: Level | null;
}

export interface TakeData {
  readonly repeat: number;
  readonly step: number | null;
  readonly outcome: string;
  /** Null where it gave none. */
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
  /** Code, and the number of its message. */
  readonly error: readonly [code: string, message: number] | null;
}

/** Two outputs of a cell that were compared. */
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

/** The data of a page as an element that nothing runs. Hidden characters in texts are spelled out. */
export function dataBlock(data: PageData): Markup {
  const json = JSON.stringify(data, (_, value: unknown) => (typeof value === 'string' ? visible(value) : value));
  // `<` alone could end the element or begin a comment in it.
  return trusted(`<script type="application/json" id="takes-data">${json.replaceAll('<', '\\u003c')}</script>`);
}
