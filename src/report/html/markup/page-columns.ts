import type { CellData, DataColumn, OutputData, PageData, TakeData } from './page-data.ts';

export interface CellRow extends Omit<CellData, 'outputs' | 'takes'> {
  readonly outputs: readonly OutputData[];
  readonly takes: readonly TakeData[];
}

export function columnsOfCells(cells: readonly CellRow[]): Pick<PageData, 'cellCount' | 'cells' | 'outputs' | 'takes'> {
  const outputs = cells.flatMap((cell) => cell.outputs);
  const takes = cells.flatMap((cell) => cell.takes);
  return {
    cellCount: cells.length,
    cells: {
      variant: columnOf(cells.map(({ variant }) => variant)),
      prompt: columnOf(cells.map(({ prompt }) => prompt)),
      seed: columnOf(cells.map(({ seed }) => seed)),
      level: columnOf(cells.map(({ level }) => level)),
      outputs: columnOf(cells.map((cell) => cell.outputs.length)),
      takes: columnOf(cells.map((cell) => cell.takes.length)),
      pairs: columnOf(cells.map(({ pairs }) => pairs)),
    },
    outputs: {
      sha256: columnOf(outputs.map(({ sha256 }) => sha256)),
      width: columnOf(outputs.map(({ width }) => width)),
      height: columnOf(outputs.map(({ height }) => height)),
      durationS: columnOf(outputs.map(({ durationS }) => durationS)),
      fps: columnOf(outputs.map(({ fps }) => fps)),
      level: columnOf(outputs.map(({ level }) => level)),
    },
    takes: {
      repeat: columnOf(takes.map(({ repeat }) => repeat)),
      step: columnOf(takes.map(({ step }) => step)),
      outcome: columnOf(takes.map(({ outcome }) => outcome)),
      output: columnOf(takes.map(({ output }) => output)),
      total: columnOf(takes.map(({ total }) => total)),
      submit: columnOf(takes.map(({ submit }) => submit)),
      queue: columnOf(takes.map(({ queue }) => queue)),
      run: columnOf(takes.map(({ run }) => run)),
      detect: columnOf(takes.map(({ detect }) => detect)),
      download: columnOf(takes.map(({ download }) => download)),
      httpStatus: columnOf(takes.map(({ httpStatus }) => httpStatus)),
      attempts: columnOf(takes.map(({ attempts }) => attempts)),
      requestId: columnOf(takes.map(({ requestId }) => requestId)),
      flags: columnOf(takes.map(({ flags }) => flags)),
      error: columnOf(takes.map(({ error }) => error)),
    },
  };
}

/** A share of values unlike the usual one: beyond it, a plain list is shorter. */
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
