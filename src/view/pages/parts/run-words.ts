import { epochMs, wallClock } from '../../../kit/time.ts';
import { count, plural, usd } from '../../../kit/wording.ts';
import { html, type Markup } from '../../../markup/markup.ts';
import type { HistoryLine } from '../../../record/kept-run.ts';
import type { Spend } from '../../../record/run.ts';
import {
  COMPARE_ADDRESS,
  historyAddress,
  INDEX_ADDRESS,
  type RunPlace,
  reportAddress,
  runAddress,
  suiteAddress,
} from '../../addresses.ts';
import type { ArrivedOutput, Measuring } from '../../progress/tally.ts';
import type { NavigationLink } from './page.ts';

export const INDEX_LINK: NavigationLink = { href: INDEX_ADDRESS, title: 'All suites' };
export const COMPARE_LINK: NavigationLink = { href: COMPARE_ADDRESS, title: 'Compare two runs' };

export function suiteLinks(suite: string): readonly NavigationLink[] {
  return [INDEX_LINK, { href: suiteAddress(suite), title: suite }, { href: historyAddress(suite), title: 'Trend' }];
}

export function runLinks(place: RunPlace): readonly NavigationLink[] {
  return [
    ...suiteLinks(place.suite),
    { href: reportAddress(place), title: 'Report' },
    { href: runAddress(place), title: 'Files and media' },
  ];
}

/** `fox, seed 1, take 2`. */
export function takeWords({ prompt, seed, repeat }: Pick<ArrivedOutput, 'prompt' | 'seed' | 'repeat'>): string {
  return `${prompt}, ${seed === null ? 'no seed' : `seed ${count(seed)}`}, take ${count(repeat)}`;
}

export interface MeasuringState {
  readonly measuring: Measuring;
  /** Another process measures or reports it. */
  readonly isInUse: boolean;
  /** Null if the history of its suite has no line of it. */
  readonly line: Pick<HistoryLine, 'complete' | 'verdict'> | null;
}

/** Whether requests may still be sent. */
export function isLive({ measuring, isInUse }: Pick<MeasuringState, 'measuring' | 'isInUse'>): boolean {
  return isInUse && measuring.state !== 'ended';
}

export function stateMarkup(state: MeasuringState): Markup {
  const { measuring, isInUse, line } = state;
  if (isInUse) {
    return html`<span class="state warn">${isLive(state) ? 'in progress' : 'writing reports'}</span>`;
  }
  if (line !== null) return line.complete ? html`complete` : html`<span class="state bad">incomplete</span>`;
  if (measuring.state === 'waiting') return html`<span class="state bad">nothing sent</span>`;
  if (measuring.state === 'measuring') return html`<span class="state bad">killed</span>`;
  return measuring.stop.reason === 'finished' ? html`measured` : html`<span class="state bad">ended early</span>`;
}

/** `$1.20`, `$1.20 + 3 unknown`, `unknown`; a dash if nothing has a price. */
export function spendWords(spend: Spend | null): string {
  if (spend === null) return '–';
  const { requests, usd: known, unknownRequests } = spend;
  if (unknownRequests === 0) return usd(known);
  return unknownRequests === requests ? 'unknown' : `${usd(known)} + ${count(unknownRequests)} unknown`;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const MOST_DAYS = 14;

/** `5 minutes ago`, or a date; its hint is the time. @param iso UTC in ISO form @param nowMs milliseconds since 1970 */
export function timeAgo(iso: string, nowMs: number): Markup {
  return html`<time datetime="${iso}" title="${wallClock(iso)}">${agoWords(iso, nowMs)}</time>`;
}

/** `just now`, `5 minutes ago`, `3 days ago`, `2026-05-01`. */
export function agoWords(iso: string, nowMs: number): string {
  const atMs = epochMs(iso);
  const agoMs = atMs === null ? Number.NaN : nowMs - atMs;
  // A clock that was set back, or another machine's: a date is true in any case.
  if (!(agoMs > -MINUTE_MS) || agoMs >= MOST_DAYS * DAY_MS) return iso.slice(0, 10);
  if (agoMs < MINUTE_MS) return 'just now';
  if (agoMs < HOUR_MS) return `${plural(Math.floor(agoMs / MINUTE_MS), 'minute')} ago`;
  if (agoMs < DAY_MS) return `${plural(Math.floor(agoMs / HOUR_MS), 'hour')} ago`;
  return `${plural(Math.floor(agoMs / DAY_MS), 'day')} ago`;
}
