import type { Verdict } from '../analysis/verdict.ts';
import { GATE_STATES } from '../report/gate-words.ts';
import { html, type Markup } from './markup.ts';

/** `passed` in its colour. @param shown how its words are written */
export function gateState(verdict: Verdict['verdict'], shown = (words: string) => words): Markup {
  const { words, tone } = GATE_STATES[verdict];
  return html`<span class="${tone === null ? 'state' : `state ${tone}`}">${shown(words)}</span>`;
}
