import type { HistoryLine } from '../../../record/model/history-line.ts';
import type { Spend } from '../../../record/model/run.ts';
import { html, type Markup } from '../../../report/html/markup/markup.ts';
import { count, usd } from '../../../text/wording.ts';
import type { Measuring } from '../../progress/tally.ts';

export interface RunState {
  readonly measuring: Measuring;
  /** Another process measures or reports it. */
  readonly isInUse: boolean;
  /** Null where its suite's history has no line of it. */
  readonly line: Pick<HistoryLine, 'complete' | 'verdict'> | null;
}

/** Requests may still be sent. */
export function isLive({ measuring, isInUse }: Pick<RunState, 'measuring' | 'isInUse'>): boolean {
  return isInUse && measuring.state !== 'ended';
}

export function stateMarkup(state: RunState): Markup {
  const { measuring, isInUse, line } = state;
  if (isInUse) {
    return html`<span class="state warn">${isLive(state) ? 'in progress' : 'writing reports'}</span>`;
  }
  if (line !== null) return line.complete ? html`complete` : html`<span class="state bad">incomplete</span>`;
  if (measuring.state === 'waiting') return html`<span class="state bad">nothing sent</span>`;
  if (measuring.state === 'measuring') return html`<span class="state bad">killed</span>`;
  return measuring.stop.reason === 'finished' ? html`measured` : html`<span class="state bad">ended early</span>`;
}

/** `$1.20`, `$1.20 + 3 unknown`, `unknown`; a dash where nothing is known to cost anything. */
export function spendWords(spend: Spend | null): string {
  if (spend === null) return '–';
  const { requests, usd: known, unknownRequests } = spend;
  if (unknownRequests === 0) return usd(known);
  return unknownRequests === requests ? 'unknown' : `${usd(known)} + ${count(unknownRequests)} unknown`;
}
