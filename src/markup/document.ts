import { createHash } from 'node:crypto';
import type { Tone } from '../gate/verdict-statement.ts';
import { KIND_NAMES } from '../kit/names.ts';
import { wallClock } from '../kit/time.ts';
import { html, type Markup, trusted } from './markup.ts';
import { CSS as BASE } from './style/base-css.ts';
import { CSS as DIALOG } from './style/dialog-css.ts';
import { CSS as HISTORY } from './style/history-css.ts';
import { CSS as OUTCOME } from './style/outcome-css.ts';
import { CSS as PICK } from './style/pick-css.ts';
import { CSS as REPORT } from './style/report-css.ts';
import { CSS as SCREENS } from './style/screens-css.ts';
import { CSS as SHEET } from './style/sheet-css.ts';
import { CSS as STRIP } from './style/strip-css.ts';
import { CSS as TWO_RUNS } from './style/two-runs-css.ts';

interface DocumentParts {
  readonly title: string;
  /** The anchor of the results, which a reader may skip to; absent: nothing stands before them. */
  readonly results?: string;
  readonly style: string;
  readonly script: string;
  /** Allows files beside the page; else only data URLs. */
  readonly loadsBeside: boolean;
  /** Directives added to those of every page. */
  readonly also?: readonly string[];
}

/** To the beginning of its body. The icon is empty: otherwise browsers ask the server for one. */
export function documentHead({ title, results, ...policy }: DocumentParts): Markup {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>${title}</title>
<style>${trusted(policy.style)}</style>
</head>
<body>
${results !== undefined && html`<a class="skip" href="#${results}">Skip to the results</a>\n`}`;
}

export function documentEnd(script: string): Markup {
  return html`<script>${trusted(script)}</script>
</body>
</html>
`;
}

export interface ContentsEntry {
  readonly anchor: string;
  readonly title: string;
}

/** A server that shows the page puts its own links after this tag. */
export const CONTENTS_OPENING = '<nav aria-label="Contents">';

export function contents(entries: readonly ContentsEntry[]): Markup {
  return html`${trusted(CONTENTS_OPENING)}<ul>${entries.map(
    ({ anchor, title }) => html`<li><a href="#${anchor}">${title}</a></li>`,
  )}</ul></nav>`;
}

/** In Chromium `'self'` covers files beside a page; others need `file:`, which no page from a network can load. */
const BESIDE = "data: 'self' file:";

/** Allows nothing from a network but the page's origin, and one style sheet and script by their SHA-256. */
export function contentSecurityPolicy({
  style,
  script,
  loadsBeside,
  also = [],
}: Omit<DocumentParts, 'title' | 'results'>): string {
  return [
    "default-src 'none'",
    ...(loadsBeside ? [`img-src ${BESIDE}`, `media-src ${BESIDE}`] : ['img-src data:']),
    `style-src ${sourceDigest(style)}`,
    `script-src ${sourceDigest(script)}`,
    ...also,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

/** Source in a content security policy: the SHA-256 of the exact text. */
export function sourceDigest(text: string): string {
  return `'sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}'`;
}

/** Shows UTC; the script of a page replaces it by the reader's time. @param iso UTC time in ISO form */
export function clockTime(iso: string): Markup {
  return html`<time datetime="${iso}">${wallClock(iso)}</time>`;
}

export function toned({ words, tone }: { readonly words: string; readonly tone: Tone }): Markup {
  return html`<span class="${tone === null ? 'state' : `state ${tone}`}">${words}</span>`;
}

export function dataUrl(mime: string, bytes: Uint8Array): string {
  return `data:${mime};base64,${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')}`;
}

/** For every page: colours, text, layout, tables and charts. */
export const BASE_STYLE = BASE + SCREENS;

/** Shows one kind: as the script says, or that of the address, else the first. */
const KIND_STYLE = Object.keys(KIND_NAMES)
  .map((kind) => {
    const own = `[data-kind="${kind}"]`;
    const address = `:not([data-shown]):has(${own}:target, ${own} :target)`;
    const first = `:not([data-shown], :has([data-kind]:target, [data-kind] :target)):has(main[data-first="${kind}"])`;
    const shown = `html:is([data-shown="${kind}"], ${address}, ${first}) main`;
    return `${shown} [data-kind]:not(${own}) { display: none; }
${shown} .kinds a[href="#${kind}"] { color: var(--accent); border-color: var(--accent); background: var(--tint); font-weight: 600; }`;
  })
  .join('\n');

export const STYLE = `${BASE_STYLE}${PICK}${SHEET}${DIALOG}${STRIP}${OUTCOME}${REPORT}${KIND_STYLE}`;

export const HISTORY_STYLE = BASE + HISTORY + SCREENS;

export const TWO_RUNS_STYLE = BASE + OUTCOME + PICK + DIALOG + TWO_RUNS + SCREENS;
