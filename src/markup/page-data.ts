import { visible } from '../kit/visible.ts';
import type { Level } from '../media/level.ts';
import { type Markup, trusted } from './markup.ts';

/** What the script of a page knows of its outputs: words are made where the record is known. Every text is hostile. */
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
  readonly prompt: string;
  readonly seed: number;
  /** The lowest between any two takes; null without one. */
  readonly level: Level | null;
  /** Codes: what became of takes that delivered nothing, and why some failed. */
  readonly lost: readonly string[];
  readonly failures: readonly string[];
  /** In the order of `data-output`. */
  readonly outputs: readonly OutputData[];
  readonly pairs: readonly PairData[];
  /** Null of a variant that is compared with none. */
  readonly likeness: LikenessData | null;
  /** What the stored baseline has in its place; null of a cell that did not change since then. */
  readonly stored: OutputData | null;
}

/** What lies between an output and one of the variant it is compared with, as sentences. */
export interface LikenessData {
  readonly words: string;
  /** The compared outputs of both cells, by number; null where none were: the words say why. */
  readonly outputs: readonly [own: number, baseline: number] | null;
}

export interface OutputData {
  readonly sha256: string;
  readonly width: number | null;
  readonly height: number | null;
  readonly durationS: number | null;
  /** Frames a second; null of an image, and where it is not known. */
  readonly fps: number | null;
  /** The first that delivered it: `take 2`; `stored`. */
  readonly take: string;
  /** `331 ms`; null where that is not known. */
  readonly took: string | null;
  /** `2 of 3 takes gave these bytes: the usual output`; null where there is nothing to say. */
  readonly about: string | null;
}

/** Two outputs of a cell, by number, and what lies between them: `visually similar; largest difference 12 of 255`. */
export interface PairData {
  readonly a: number;
  readonly b: number;
  readonly words: string;
}

export const DATA_ID = 'page-data';

/** What most cells and outputs lack is not written. */
const PLAIN_CELL = { baseline: null, level: null, lost: [], failures: [], pairs: [], likeness: null, stored: null };
const PLAIN_OUTPUT = { width: null, height: null, durationS: null, fps: null, took: null, about: null };

/** Hidden characters in texts are spelled out. */
export function dataBlock(data: PageData): Markup {
  const json = JSON.stringify(data, (_, value: unknown) => {
    if (typeof value === 'string') return visible(value);
    return value === null || (Array.isArray(value) && value.length === 0) ? undefined : value;
  });
  // `<` alone could end the element, or begin a comment in it.
  return trusted(`<script type="application/json" id="${DATA_ID}">${json.replaceAll('<', '\\u003c')}</script>`);
}

/** @param text of the block */
export function dataOf(text: string): PageData {
  const { prompts = [], cells = [] } = JSON.parse(text) as Partial<PageData>;
  const outputOf = (output: OutputData): OutputData => ({ ...PLAIN_OUTPUT, ...output });
  return {
    prompts: prompts.map((prompt) => ({ ...{ tags: [], input: null }, ...prompt })),
    cells: cells.map(({ outputs = [], stored = null, ...cell }) => {
      return { ...PLAIN_CELL, ...cell, outputs: outputs.map(outputOf), stored: stored && outputOf(stored) };
    }),
  };
}
