import type { CellLikeness } from '../analysis/output-summaries.ts';
import { visible } from '../kit/visible.ts';
import type { DurationUnit } from '../kit/wording.ts';
import type { Level, Likeness } from '../media/level.ts';
import { type Markup, trusted } from './markup.ts';

/** Columns, since most hold one value nearly everywhere. Codes and numbers; every text is hostile. */
export interface PageData {
  readonly variants: readonly string[];
  /** Index of the variant that each one is compared with; null without one. */
  readonly baselines: readonly (number | null)[];
  readonly units: readonly DurationUnit[];
  readonly prompts: readonly PromptData[];
  readonly cellCount: number;
  /** In the order of their anchors `cell-N`. */
  readonly cells: Columns<CellData>;
  /** In the order of cells; within a cell by `data-output`. */
  readonly outputs: Columns<OutputData>;
  readonly takes: Columns<TakeData>;
  readonly messages: readonly string[];
}

export type PromptData = readonly [
  id: string,
  text: string,
  tags: readonly string[],
  /** Of the first input image; absent without one. */
  input?: readonly [width: number, height: number],
];

/** Stands for the input of a cell in place of the number of an output. */
export const INPUT = -1;

/** Stands for what the stored baseline has in place of a cell's output. */
export const STORED = -2;

export const OUTLINED = 'outlined: what may change';

/** All values, or the usual one and the others by row. */
export type DataColumn<T> =
  | readonly T[]
  | { readonly usual: T; readonly others: readonly (readonly [at: number, T])[] };

export type Columns<Row> = { readonly [Name in keyof Row]: DataColumn<Row[Name]> };

export interface CellData {
  /** Indexes in `variants` and `prompts`. */
  readonly variant: number;
  readonly prompt: number;
  readonly seed: number;
  /** The lowest between any two takes; null without one. */
  readonly level: Level | null;
  readonly outputs: number;
  readonly takes: number;
  readonly pairs: readonly PairData[];
  /** Null of a variant that is compared with none. */
  readonly likeness: LikenessData | null;
  /** What the stored baseline has in its place; null of a cell that did not change since then. */
  readonly stored: OutputData | null;
}

/** Likeness of an output to one of the variant it is compared with, or why it is unknown. */
export type LikenessData =
  | readonly [word: 'unknown', why: Extract<CellLikeness, { readonly word: 'unknown' }>['why']]
  | readonly [
      word: Likeness,
      output: number,
      baselineOutput: number,
      /** 1 where pixels are equal; null where sizes differ. */
      ssim: number | null,
      pdqDistance: number | null,
      sharpness: number | null,
      repeatSsim: number | null,
      otherSeed: readonly [ssim: number | null, pdqDistance: number | null] | null,
    ];

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

export interface CellRow extends Omit<CellData, 'outputs' | 'takes'> {
  readonly outputs: readonly OutputData[];
  readonly takes: readonly TakeData[];
}

export function columnsOfCells(cells: readonly CellRow[]): Pick<PageData, 'cellCount' | 'cells' | 'outputs' | 'takes'> {
  const counted = cells.map((cell) => ({ ...cell, outputs: cell.outputs.length, takes: cell.takes.length }));
  return {
    cellCount: cells.length,
    cells: columnsOf(counted),
    outputs: columnsOf(cells.flatMap(({ outputs }) => outputs)),
    takes: columnsOf(cells.flatMap(({ takes }) => takes)),
  };
}

/** Without a row there are no columns. */
function columnsOf<Row extends object>(rows: readonly Row[]): Columns<Row> {
  const names = Object.keys(rows[0] ?? {}) as (keyof Row)[];
  return Object.fromEntries(names.map((name) => [name, columnOf(rows.map((row) => row[name]))])) as Columns<Row>;
}

/** Share of values unlike the usual one, above which a plain list is shorter. */
const MOST_OTHERS = 0.25;

function columnOf<T>(values: readonly T[]): DataColumn<T> {
  const keys = values.map((value) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : value));
  const counts = new Map<string | T, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  const [most] = [...counts].sort((a, b) => b[1] - a[1]);
  if (most === undefined || values.length - most[1] > MOST_OTHERS * values.length) return values;
  const usual = values[keys.indexOf(most[0])];
  if (usual === undefined) return values;
  return { usual, others: values.flatMap((value, at) => (keys[at] === most[0] ? [] : [[at, value] as const])) };
}
