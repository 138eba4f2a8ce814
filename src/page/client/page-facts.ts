import { takeName } from '../../kit/names.ts';
import type { DurationUnit } from '../../kit/wording.ts';
import type { DataColumn, LikenessData, PageData, PairData } from '../../markup/page-data.ts';
import type { Level, Likeness } from '../../media/level.ts';

export interface TakeFacts {
  readonly repeat: number;
  readonly step: number | null;
  readonly outcome: string;
  readonly output: number | null;
  /** Milliseconds. */
  readonly times: readonly (readonly [name: string, value: number | null])[];
  readonly httpStatus: number | null;
  readonly attempts: number;
  readonly requestId: string | null;
  readonly flags: readonly string[];
  readonly error: readonly [code: string, message: string] | null;
}

export interface OutputFacts {
  readonly cell: CellFacts;
  readonly number: number;
  readonly sha256: string;
  readonly width: number | null;
  readonly height: number | null;
  readonly durationS: number | null;
  readonly fps: number | null;
  /** Against the usual output of the cell. */
  readonly level: Level | null;
  readonly takes: readonly TakeFacts[];
}

export interface CellFacts {
  readonly number: number;
  readonly variant: string;
  /** The baseline variant of its kind; null for that itself, and where there is none. */
  readonly baseline: string | null;
  readonly unit: DurationUnit;
  readonly prompt: string;
  readonly promptText: string;
  readonly tags: readonly string[];
  readonly seed: number;
  readonly level: Level | null;
  readonly outcomes: readonly string[];
  readonly takes: readonly TakeFacts[];
  readonly outputs: readonly OutputFacts[];
  /** By indexes of two outputs. */
  readonly pairs: readonly PairData[];
  /** To what it is compared with; null of a variant that is compared with none. */
  readonly likeness: LikenessFacts | null;
}

export type LikenessFacts =
  | { readonly word: 'unknown'; readonly why: UnlikenessCode }
  | {
      readonly word: Likeness;
      /** The compared outputs of both cells. */
      readonly output: number;
      readonly baselineOutput: number;
      readonly ssim: number | null;
      readonly pdqDistance: number | null;
      readonly sharpness: number | null;
      readonly repeatSsim: number | null;
      readonly otherSeed: { readonly ssim: number | null; readonly pdqDistance: number | null } | null;
    };
type UnlikenessCode = Extract<LikenessData, readonly ['unknown', unknown]>[1];

export interface PageFacts {
  readonly cell: (number: number) => CellFacts | null;
  readonly values: () => {
    readonly levels: readonly (Level | null)[];
    readonly outcomes: readonly string[];
    readonly likenesses: readonly (Likeness | 'unknown')[];
    /** Codes of errors. */
    readonly failures: readonly string[];
  };
  readonly tagsOf: (prompt: string) => readonly string[];
  /** In the suite. */
  readonly placeOfPrompt: (prompt: string) => number;
}

/** A cell is read once it is asked for. */
export function pageFacts(page: PageData): PageFacts {
  let starts: readonly CellStart[] | null = null;
  const cells = new Map<number, CellFacts>();
  return {
    cell: (number) => {
      const known = cells.get(number);
      if (known !== undefined) return known;
      starts ??= startsOfCells(page);
      const start = starts[number];
      if (start === undefined) return null;
      const facts = readCell(page, number, start);
      cells.set(number, facts);
      return facts;
    },
    values: () => ({
      levels: valuesOf(page.cells.level),
      outcomes: valuesOf(page.takes.outcome),
      likenesses: [...new Set(valuesOf(page.cells.likeness).flatMap((likeness) => likeness?.[0] ?? []))],
      failures: [...new Set(valuesOf(page.takes.error).flatMap((error) => error?.[0] ?? []))],
    }),
    placeOfPrompt: (prompt) => page.prompts.findIndex(([id]) => id === prompt),
    tagsOf: (prompt) => page.prompts.find(([id]) => id === prompt)?.[2] ?? [],
  };
}

export function totalOf({ times }: TakeFacts): number | null {
  return times[0]?.[1] ?? null;
}

/** `fast, seed 1, take 2`: within one prompt. */
export function nameOfOutput({ cell, takes }: OutputFacts): string {
  const [first] = takes;
  const place = `${cell.variant}, seed ${cell.seed}`;
  return first === undefined ? place : `${place}, ${takeName(first)}`;
}

/** By row. */
const others = new WeakMap<object, ReadonlyMap<number, unknown>>();

function valueIn<T>(column: DataColumn<T>, row: number): T {
  if ('usual' in column) {
    let known = others.get(column) as ReadonlyMap<number, T> | undefined;
    if (known === undefined) {
      known = new Map(column.others);
      others.set(column, known);
    }
    return known.has(row) ? (known.get(row) as T) : column.usual;
  }
  const value = column[row];
  if (value === undefined) throw new Error(`no row ${row}`);
  return value;
}

function valuesOf<T>(column: DataColumn<T>): readonly T[] {
  return [...new Set('usual' in column ? [column.usual, ...column.others.map(([, value]) => value)] : column)];
}

interface CellStart {
  readonly output: number;
  readonly take: number;
}

function startsOfCells({ cells, cellCount }: PageData): readonly CellStart[] {
  const found: CellStart[] = [];
  let [output, take] = [0, 0];
  for (let cell = 0; cell < cellCount; cell += 1) {
    found.push({ output, take });
    output += valueIn(cells.outputs, cell);
    take += valueIn(cells.takes, cell);
  }
  return found;
}

function readCell(page: PageData, number: number, start: CellStart): CellFacts {
  const { variants, baselines, units, prompts, cells: data, outputs } = page;
  const [id, text, tags] = prompts[valueIn(data.prompt, number)] ?? ['', '', []];
  const takes = Array.from({ length: valueIn(data.takes, number) }, (_, at) => readTake(page, start.take + at));
  const shown: OutputFacts[] = [];
  const outcomes = [...new Set(takes.map(({ outcome }) => outcome))];
  const [seed, level, pairs] = [valueIn(data.seed, number), valueIn(data.level, number), valueIn(data.pairs, number)];
  const own = valueIn(data.variant, number);
  const baseline = variants[baselines[own] ?? -1] ?? null;
  const unit = units[own] ?? 'ms';
  const about = { variant: variants[own] ?? '', baseline, unit, prompt: id, promptText: text, tags, seed, level };
  const likeness = readLikeness(valueIn(data.likeness, number));
  const cell: CellFacts = { number, ...about, outcomes, takes, pairs, likeness, outputs: shown };
  for (let at = 0; at < valueIn(data.outputs, number); at += 1) {
    const row = start.output + at;
    shown.push({
      cell,
      number: at,
      sha256: valueIn(outputs.sha256, row),
      width: valueIn(outputs.width, row),
      height: valueIn(outputs.height, row),
      durationS: valueIn(outputs.durationS, row),
      fps: valueIn(outputs.fps, row),
      level: valueIn(outputs.level, row),
      takes: takes.filter(({ output }) => output === at),
    });
  }
  return cell;
}

function readLikeness(data: LikenessData | null): LikenessFacts | null {
  if (data === null) return null;
  if (data[0] === 'unknown') return { word: data[0], why: data[1] };
  const [word, output, baselineOutput, ssim, pdqDistance, sharpness, repeatSsim, other] = data;
  const otherSeed = other === null ? null : { ssim: other[0], pdqDistance: other[1] };
  return { word, output, baselineOutput, ssim, pdqDistance, sharpness, repeatSsim, otherSeed };
}

function readTake({ takes, messages }: PageData, row: number): TakeFacts {
  const error = valueIn(takes.error, row);
  return {
    repeat: valueIn(takes.repeat, row),
    step: valueIn(takes.step, row),
    outcome: valueIn(takes.outcome, row),
    output: valueIn(takes.output, row),
    times: TIMES.map((name) => [name, valueIn(takes[name], row)] as const),
    httpStatus: valueIn(takes.httpStatus, row),
    attempts: valueIn(takes.attempts, row),
    requestId: valueIn(takes.requestId, row),
    flags: valueIn(takes.flags, row),
    error: error === null ? null : [error[0], messages[error[1]] ?? ''],
  };
}

/** In the order of a call. */
const TIMES = ['total', 'submit', 'queue', 'run', 'detect', 'download'] as const;

/** As markup/page-data.ts names the element. */
const DATA_ID = 'takes-data';

let facts: PageFacts | null = null;

/** Read once it is needed. */
export function shownFacts(): PageFacts {
  facts ??= pageFacts(JSON.parse(document.getElementById(DATA_ID)?.textContent ?? '') as PageData);
  return facts;
}

export function cellFacts(number: number): CellFacts | null {
  return shownFacts().cell(number);
}

export function outputOf({ dataset }: HTMLElement): OutputFacts | null {
  return cellFacts(Number(dataset.cell ?? -1))?.outputs[Number(dataset.output ?? 0)] ?? null;
}
