import type { CellLikeness } from '../analysis/output-summaries.ts';
import { visible } from '../kit/visible.ts';
import type { DurationUnit } from '../kit/wording.ts';
import type { Difference } from '../media/difference.ts';
import type { Level, Likeness } from '../media/level.ts';
import { type Columns, columnsOf, valuesOf } from './columns.ts';
import { type Markup, trusted } from './markup.ts';

/** What the script of a page knows of its outputs and takes. Every text is hostile. */
export interface PageData {
  readonly prompts: readonly PromptData[];
  /** In the order of their anchors `cell-N`. */
  readonly cells: readonly CellData[];
}

export interface PromptData {
  readonly id: string;
  readonly text: string;
  readonly tags: readonly string[];
  /** Its first input image. */
  readonly input: { readonly width: number; readonly height: number } | null;
}

/** Stands for the input of a cell in place of the number of an output. */
export const INPUT = -1;

/** Stands for what the stored baseline has in place of a cell's output. */
export const STORED = -2;

export const OUTLINED = 'outlined: what may change';

export interface CellData {
  readonly variant: string;
  /** The variant that it is compared with; null for that itself, and where there is none. */
  readonly baseline: string | null;
  readonly unit: DurationUnit;
  readonly prompt: string;
  readonly seed: number;
  /** The lowest between any two takes; null without one. */
  readonly level: Level | null;
  /** In the order of `data-output`. */
  readonly outputs: readonly OutputData[];
  readonly takes: readonly TakeData[];
  readonly pairs: readonly PairData[];
  /** Null of a variant that is compared with none. */
  readonly likeness: LikenessData | null;
  /** What the stored baseline has in its place; null of a cell that did not change since then. */
  readonly stored: OutputData | null;
}

/** Likeness of an output to one of the variant it is compared with, or why it is unknown. */
export type LikenessData =
  | { readonly word: 'unknown'; readonly why: Extract<CellLikeness, { readonly word: 'unknown' }>['why'] }
  | {
      readonly word: Likeness;
      /** The compared outputs of both cells. */
      readonly output: number;
      readonly baselineOutput: number;
      /** 1 where pixels are equal; null where sizes differ. */
      readonly ssim: number | null;
      readonly pdqDistance: number | null;
      readonly sharpness: number | null;
      readonly repeatSsim: number | null;
      readonly otherSeed: { readonly ssim: number | null; readonly pdqDistance: number | null } | null;
    };

export interface OutputData {
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
  /** Milliseconds by name: the total, then each timing in the order of a call. */
  readonly times: Readonly<Record<string, number | null>>;
  readonly httpStatus: number | null;
  readonly attempts: number;
  readonly requestId: string | null;
  readonly flags: readonly string[];
  readonly error: { readonly code: string; readonly message: string } | null;
}

/** Two outputs of a cell, by number. Their difference is null where all pixels are equal. */
export interface PairData {
  readonly a: number;
  readonly b: number;
  readonly level: Level;
  readonly difference: Difference | null;
}

/** The sentence about two outputs of two runs that differ in their bytes. */
export function notComparedSentence(why: string): string {
  return `Two runs, other bytes. They were not compared: ${why}.`;
}

export const DATA_ID = 'takes-data';

/** Hidden characters in texts are spelled out. */
export function dataBlock(data: PageData): Markup {
  const json = JSON.stringify(columnsOf([data]), (_, value: unknown) =>
    typeof value === 'string' ? visible(value) : value,
  );
  // `<` alone could end the element, or begin a comment in it.
  return trusted(`<script type="application/json" id="${DATA_ID}">${json.replaceAll('<', '\\u003c')}</script>`);
}

/** @param text of the block */
export function dataOf(text: string): PageData {
  const [data] = valuesOf(JSON.parse(text) as Columns);
  return data as PageData;
}
