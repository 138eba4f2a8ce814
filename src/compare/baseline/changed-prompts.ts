import { compareCodeUnits } from '../../analysis/code-units.ts';
import type { BaselinePrompt } from '../../record/model/baseline.ts';

/** The ids by which two runs ask for different things: an id made from a text may move to another prompt. */
export function changedPrompts(before: readonly BaselinePrompt[], now: readonly BaselinePrompt[]): ReadonlySet<string> {
  const then = new Map(before.map((prompt) => [prompt.id, asked(prompt)]));
  const changed = now.filter((prompt) => then.has(prompt.id) && then.get(prompt.id) !== asked(prompt));
  return new Set(changed.map(({ id }) => id));
}

function asked({ text, image, inputs }: BaselinePrompt): string {
  return JSON.stringify([text, image, Object.entries(inputs).sort(([a], [b]) => compareCodeUnits(a, b))]);
}
