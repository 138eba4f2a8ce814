import type { Level } from '../../../media/compare/level.ts';
import type { CellData, PageData, PairData, TakeData } from '../markup/page-data.ts';

/** As markup/page-data.ts calls the element. */
const DATA_ID = 'takes-data';

let read: PageData | null = null;

/** The data of the page, read once it is needed. Empty where it is missing. */
function pageData(): PageData {
  const text = document.getElementById(DATA_ID)?.textContent ?? '';
  read ??= text === '' ? { variants: [], prompts: [], cells: [], messages: [] } : (JSON.parse(text) as PageData);
  return read;
}

/** A take, by the names of its parts. */
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
  /** Code and message; null where nothing went wrong. */
  readonly error: readonly [code: string, message: string] | null;
}

/** An output of a cell. */
export interface OutputFacts {
  readonly cell: CellFacts;
  readonly number: number;
  readonly sha256: string;
  readonly width: number | null;
  readonly height: number | null;
  readonly durationS: number | null;
  /** Against the usual output of its cell. */
  readonly level: Level | null;
  /** The takes that gave it. */
  readonly takes: readonly TakeFacts[];
}

export interface CellFacts {
  readonly number: number;
  readonly variant: string;
  readonly prompt: string;
  readonly promptText: string;
  readonly tags: readonly string[];
  readonly seed: number;
  readonly level: Level | null;
  readonly outcomes: readonly string[];
  readonly takes: readonly TakeFacts[];
  readonly outputs: readonly OutputFacts[];
  /** What is known of two of its outputs, by their numbers. */
  readonly pairs: readonly PairData[];
}

const cells = new Map<number, CellFacts>();

/** A cell by the number of its anchor; null where there is none. */
export function cellFacts(number: number): CellFacts | null {
  const known = cells.get(number);
  if (known !== undefined) return known;
  const data = pageData().cells[number];
  if (data === undefined) return null;
  const facts = readCell(number, data);
  cells.set(number, facts);
  return facts;
}

function readCell(number: number, [variant, prompt, seed, level, outputs, takes, pairs]: CellData): CellFacts {
  const { variants, prompts } = pageData();
  const [id, text, tags] = prompts[prompt] ?? ['', '', []];
  const facts = takes.map(readTake);
  const shown: OutputFacts[] = [];
  const outcomes = [...new Set(facts.map(({ outcome }) => outcome))];
  const about = { variant: variants[variant] ?? '', prompt: id, promptText: text, tags, seed, level };
  const cell: CellFacts = { number, ...about, outcomes, takes: facts, pairs, outputs: shown };
  for (const [at, [sha256, width, height, durationS, own]] of outputs.entries()) {
    const gave = facts.filter(({ output }) => output === at);
    shown.push({ cell, number: at, sha256, width, height, durationS, level: own, takes: gave });
  }
  return cell;
}

function readTake(data: TakeData): TakeFacts {
  const [repeat, step, outcome, output, timings, httpStatus, attempts, requestId, flags, error] = data;
  const times = TIMES.map((name, at) => [name, timings[at] ?? null] as const);
  const said = error === null ? null : ([error[0], pageData().messages[error[1]] ?? ''] as const);
  return { repeat, step, outcome, output, times, httpStatus, attempts, requestId, flags, error: said };
}

/** The names of timings, in the order of the data. */
const TIMES = ['total', 'submit', 'queue', 'run', 'detect', 'download'];

/** How long a take took in all; null where it did not end. */
export function totalOf({ times }: TakeFacts): number | null {
  return times[0]?.[1] ?? null;
}

/** The output that an element of the page shows; null where it shows none. */
export function outputOf({ dataset }: HTMLElement): OutputFacts | null {
  return cellFacts(Number(dataset.cell ?? -1))?.outputs[Number(dataset.output ?? -1)] ?? null;
}

/** `take 2`, `take 2 at concurrency 4`. */
export function nameOfTake({ repeat, step }: TakeFacts): string {
  return step === null ? `take ${repeat}` : `take ${repeat} at concurrency ${step}`;
}

/** `fast, seed 1, take 2`: within one prompt. */
export function nameOfOutput({ cell, takes }: OutputFacts): string {
  const [first] = takes;
  const place = `${cell.variant}, seed ${cell.seed}`;
  return first === undefined ? place : `${place}, ${nameOfTake(first)}`;
}
