import type { Checked } from '../../../src/kit/diagnostic.ts';

/**
 * Holds a refusal to what users are promised: at least one diagnostic, each with a place in a file (or none at all), a
 * cause and a remedy.
 */
export function assertAnswered(checked: Checked<unknown>): void {
  if (checked.ok) return;
  if (checked.diagnostics.length === 0) throw new Error('refused without a diagnostic');
  for (const { place, cause, remedy } of checked.diagnostics) {
    if (cause.trim() === '' || remedy.trim() === '') throw new Error(`no cause or no remedy: ${cause}; ${remedy}`);
    if (place === null) continue;
    const { file, line, column } = place;
    if (file === '' || !(line >= 1) || !(column >= 1)) throw new Error(`no place: ${JSON.stringify(place)}`);
  }
}
