import type { Level } from '../../../media/compare/level.ts';
import { visible } from '../../../text/visible.ts';
import { type Markup, trusted } from './markup.ts';

/** What the script knows of takes. It holds codes and numbers; every text in it is hostile. */
export interface PageData {
  readonly variants: readonly string[];
  readonly prompts: readonly PromptData[];
  /** By the number of their anchors. */
  readonly cells: readonly CellData[];
  /** Messages of errors, each once. */
  readonly messages: readonly string[];
}

export type PromptData = readonly [id: string, text: string, tags: readonly string[]];

export type CellData = readonly [
  variant: number,
  prompt: number,
  seed: number,
  /** The lowest among all takes; null where there is none. */
  level: Level | null,
  /** By their `data-output`. */
  outputs: readonly OutputData[],
  takes: readonly TakeData[],
  pairs: readonly PairData[],
];

export type OutputData = readonly [
  /** The first 12 digits. */
  sha256: string,
  width: number | null,
  height: number | null,
  durationS: number | null,
  /** Against the usual output of its cell. */
  level: Level | null,
];

export type TakeData = readonly [
  repeat: number,
  step: number | null,
  outcome: string,
  /** Null where it gave none. */
  output: number | null,
  /** Milliseconds: total, submit, queue, run, detect, download. */
  timings: readonly (number | null)[],
  httpStatus: number | null,
  attempts: number,
  requestId: string | null,
  flags: readonly string[],
  /** Code, and the number of its message. */
  error: readonly [code: string, message: number] | null,
];

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
];

/** The data of a page as an element that nothing runs. Hidden characters in texts are spelled out. */
export function dataBlock(data: PageData): Markup {
  const json = JSON.stringify(data, (_, value: unknown) => (typeof value === 'string' ? visible(value) : value));
  // `<` alone could end the element or begin a comment in it.
  return trusted(`<script type="application/json" id="takes-data">${json.replaceAll('<', '\\u003c')}</script>`);
}
