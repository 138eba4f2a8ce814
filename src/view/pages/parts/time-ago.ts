import { html, type Markup } from '../../../report/html/markup/markup.ts';
import { epochMs, wallClock } from '../../../text/wall-clock.ts';
import { plural } from '../../../text/wording.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Before that, a date says more. */
const MOST_DAYS = 14;

/**
 * `5 minutes ago`, or a date where it is long ago. Pointing at it shows the exact time.
 *
 * @param iso UTC time in ISO form
 * @param nowMs milliseconds since 1970
 */
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
