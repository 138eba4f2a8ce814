import { allWithin, within } from '../../../markup/elements.ts';
import { INPUT } from '../../../markup/page-data.ts';
import type { OutputFacts } from '../page-facts.ts';
import { besideBaseline } from './between.ts';
import type { ComparedAddress } from './compare-hash.ts';

/** Rows of first outputs, for each prompt and seed of the output's kind, in the order of the page. */
export type RowsBeside = (output: OutputFacts) => readonly (readonly OutputFacts[])[];

export interface Turns {
  readonly show: (output: OutputFacts) => void;
  readonly by: (rows: number) => void;
}

/** @param to gets the outputs of the same variants there, else what the row has */
export function openTurns(
  bar: HTMLElement,
  rows: RowsBeside,
  now: () => ComparedAddress['outputs'] | null,
  to: (outputs: ComparedAddress['outputs']) => void,
): Turns {
  const words = within(bar, 'output', HTMLOutputElement);
  const placeOf = ({ cell }: OutputFacts, all: ReturnType<RowsBeside>): number =>
    all.findIndex((row) => row.some((other) => other.cell.prompt === cell.prompt && other.cell.seed === cell.seed));
  const by = (step: number): void => {
    const outputs = now();
    if (outputs === null || bar.hidden) return;
    const all = rows(outputs[0]);
    const row = all[(placeOf(outputs[0], all) + step + all.length) % all.length] ?? [];
    const [left, right] = outputs.map((output) => {
      const same = row.find(({ cell }) => cell.variant === output.cell.variant);
      return output.number === INPUT ? same?.cell.inputs[0] : same;
    });
    const [first] = row;
    if (left !== undefined && right !== undefined) to([left, right]);
    else if (first !== undefined) to(besideBaseline(first, row));
  };
  for (const button of allWithin(bar, 'button', HTMLButtonElement)) {
    button.addEventListener('click', () => by(Number(button.dataset.turn)));
  }
  return {
    show: (output) => {
      const all = rows(output);
      const at = placeOf(output, all);
      bar.hidden = all.length < 2 || at < 0;
      words.textContent = `${at + 1} of ${all.length}`;
    },
    by,
  };
}

/** True if Space belongs to the focused element. */
export function isControl(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('button, summary, select, input, a') !== null;
}

/** True if the control takes keys: arrows choose in it, letters search in it. */
export function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLSelectElement || target instanceof HTMLInputElement;
}

/** Directions in which the image moves, so that an arrow key shows what lies there. */
export const ARROWS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [1, 0],
  ArrowRight: [-1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

export const STEPS: Readonly<Record<string, number>> = { ',': -1, '.': 1 };

export const KEYS: Readonly<Record<string, string>> = { '+': 'in', '=': 'in', '-': 'out', '0': 'fit', '1': '1' };
