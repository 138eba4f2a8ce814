/** Whether Space belongs to the focused element. */
export function isControl(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('button, summary, select, input, a') !== null;
}

/** Whether keys belong to a control: arrows choose in it, letters find in it. */
export function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLSelectElement || target instanceof HTMLInputElement;
}

/** Directions, in which an arrow key brings what lies there into view. */
export const ARROWS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [1, 0],
  ArrowRight: [-1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

export const STEPS: Readonly<Record<string, number>> = { ',': -1, '.': 1 };

export const KEYS: Readonly<Record<string, string>> = { '+': 'in', '=': 'in', '-': 'out', '0': 'fit', '1': '1' };
