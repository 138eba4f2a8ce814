import { takeName } from '../../kit/names.ts';
import type { DurationUnit } from '../../kit/wording.ts';
import {
  type CellData,
  type Columns,
  type DataColumn,
  INPUT,
  type LikenessData,
  type OutputData,
  type PageData,
  STORED,
  type TakeData,
} from '../../markup/page-data.ts';
import type { Level, Likeness } from '../../media/level.ts';

export interface TakeFacts extends Omit<TakeData, 'error'> {
  /** Milliseconds, in the order of a call. */
  readonly times: readonly (readonly [name: string, value: number | null])[];
  readonly error: readonly [code: string, message: string] | null;
}

export interface OutputFacts extends OutputData {
  readonly cell: CellFacts;
  readonly number: number;
  readonly takes: readonly TakeFacts[];
}

export interface CellFacts extends Pick<CellData, 'seed' | 'level' | 'pairs'> {
  readonly number: number;
  readonly variant: string;
  /** The baseline variant of its kind; null for that itself, and where there is none. */
  readonly baseline: string | null;
  readonly unit: DurationUnit;
  readonly prompt: string;
  readonly promptText: string;
  readonly outcomes: readonly string[];
  readonly takes: readonly TakeFacts[];
  readonly outputs: readonly OutputFacts[];
  /** The first input image, like an output without takes; empty without one. */
  readonly inputs: readonly OutputFacts[];
  /** What the stored baseline has in place of its output; empty of a cell that did not change. */
  readonly stored: readonly OutputFacts[];
  /** Null of a variant that is compared with none. */
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
    readonly failures: readonly string[];
  };
  readonly tagsOf: (prompt: string) => readonly string[];
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

/** `fast, seed 1, take 2`: within one prompt; `input`. */
export function nameOfOutput({ cell, number, takes }: OutputFacts): string {
  if (number === INPUT) return 'input';
  if (number === STORED) return `${cell.variant}, seed ${cell.seed}, stored`;
  const [first] = takes;
  const place = `${cell.variant}, seed ${cell.seed}`;
  return first === undefined ? place : `${place}, ${takeName(first)}`;
}

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

/** Empty for a column that the page lacks. */
function valuesOf<T>(column: DataColumn<T> = []): readonly T[] {
  return [...new Set('usual' in column ? [column.usual, ...column.others.map(([, value]) => value)] : column)];
}

function rowOf<Row>(columns: Columns<Row>, row: number): Row {
  const values = Object.entries<DataColumn<unknown>>(columns).map(([name, column]) => [name, valueIn(column, row)]);
  return Object.fromEntries(values) as Row;
}

interface CellStart {
  readonly output: number;
  readonly take: number;
}

function startsOfCells({ cells, cellCount }: PageData): readonly CellStart[] {
  const starts: CellStart[] = [];
  let [output, take] = [0, 0];
  for (let cell = 0; cell < cellCount; cell += 1) {
    starts.push({ output, take });
    output += valueIn(cells.outputs, cell);
    take += valueIn(cells.takes, cell);
  }
  return starts;
}

function readCell(page: PageData, number: number, start: CellStart): CellFacts {
  const { variants, baselines, units, prompts } = page;
  const { seed, level, pairs, ...data } = rowOf(page.cells, number);
  const [prompt, promptText, , size] = prompts[data.prompt] ?? ['', '', []];
  const takes = Array.from({ length: data.takes }, (_, at) => readTake(page, start.take + at));
  const [outputs, inputs, stored]: [OutputFacts[], OutputFacts[], OutputFacts[]] = [[], [], []];
  const cell: CellFacts = {
    number,
    variant: variants[data.variant] ?? '',
    baseline: variants[baselines[data.variant] ?? -1] ?? null,
    unit: units[data.variant] ?? 'ms',
    prompt,
    promptText,
    seed,
    level,
    pairs,
    outcomes: [...new Set(takes.map(({ outcome }) => outcome))],
    likeness: readLikeness(data.likeness),
    takes,
    outputs,
    inputs,
    stored,
  };
  const unmeasured = { sha256: '', durationS: null, fps: null, level: null, takes: [] };
  if (size !== undefined) inputs.push({ ...unmeasured, width: size[0], height: size[1], cell, number: INPUT });
  if (data.stored !== null) stored.push({ ...data.stored, takes: [], cell, number: STORED });
  for (let at = 0; at < data.outputs; at += 1) {
    const takesOfOutput = takes.filter(({ output }) => output === at);
    outputs.push({ ...rowOf(page.outputs, start.output + at), cell, number: at, takes: takesOfOutput });
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
  const { error, ...take } = rowOf(takes, row);
  const times = TIMES.map((name) => [name, take[name]] as const);
  return { ...take, times, error: error === null ? null : [error[0], messages[error[1]] ?? ''] };
}

const TIMES = ['total', 'submit', 'queue', 'run', 'detect', 'download'] as const;

const DATA_ID = 'takes-data';

let facts: PageFacts | null = null;

export function shownFacts(): PageFacts {
  facts ??= pageFacts(JSON.parse(document.getElementById(DATA_ID)?.textContent ?? '') as PageData);
  return facts;
}

export function cellFacts(number: number): CellFacts | null {
  return shownFacts().cell(number);
}

export function outputOf({ dataset }: HTMLElement): OutputFacts | null {
  return outputAt(Number(dataset.cell ?? -1), Number(dataset.output ?? 0));
}

export function outputAt(number: number, output: number): OutputFacts | null {
  const cell = cellFacts(number);
  const of = output === INPUT ? cell?.inputs : output === STORED ? cell?.stored : cell?.outputs;
  return of?.[Math.max(0, output)] ?? null;
}
