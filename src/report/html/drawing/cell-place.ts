import type { Analysis, Cell } from '../../../analysis/analysis.ts';
import { cellOf } from '../../../plan/plan.ts';

/** Anchors are numbers, since names are hostile text. */
export interface Places {
  readonly cell: (variant: string, prompt: string, seed: number) => Cell | null;
  readonly number: (cell: Cell) => number;
}

export function cellsByPlace(analysis: Analysis): Places {
  const cells = new Map(analysis.cells.map((cell) => [cellOf(cell), cell]));
  const numbers = new Map(analysis.cells.map((cell, index) => [cell, index]));
  return {
    cell: (variant, prompt, seed) => cells.get(cellOf({ variant, prompt, seed })) ?? null,
    number: (cell) => numbers.get(cell) ?? 0,
  };
}

export function cellAnchor(places: Places, cell: Cell): string {
  return `cell-${places.number(cell)}`;
}
