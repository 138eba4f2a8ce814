import { html, type Markup } from '../../markup/markup.ts';

/** A number of a table, with its evidence below it. */
export function figure(value: string | null, ...evidence: readonly (string | null)[]): Markup {
  return html`<span class="${value === null ? 'figure none' : 'figure'}">${value ?? '–'}</span>${evidence.map(
    (line) => line !== null && html`<small>${line}</small>`,
  )}`;
}
