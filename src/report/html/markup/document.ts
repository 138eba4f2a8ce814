import { createHash } from 'node:crypto';
import { html, type Markup, trusted } from './markup.ts';

export interface DocumentParts {
  readonly title: string;
  readonly style: string;
  readonly script: string | null;
}

/** The page may load nothing. It has an empty icon: otherwise browsers ask the server for one. */
export function documentHead({ title, style, script }: DocumentParts): Markup {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy(style, script)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>${title}</title>
<style>${trusted(style)}</style>
</head>
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

/**
 * `'self'` is the server of a page and, in Chromium, this machine's files for a page that was opened from one; other
 * browsers need `file:`, which a page from a network cannot load.
 */
const BESIDE = "data: 'self' file:";

/**
 * Allows nothing from a network except the page's own origin, and one style sheet and one script by the SHA-256 of
 * their exact text: an injected script or style does not run.
 *
 * @param script null for a page without script, which may show only an empty icon
 */
export function contentSecurityPolicy(style: string, script: string | null): string {
  return [
    "default-src 'none'",
    ...(script === null ? ['img-src data:'] : [`img-src ${BESIDE}`, `media-src ${BESIDE}`]),
    `style-src ${sourceDigest(style)}`,
    ...(script === null ? [] : [`script-src ${sourceDigest(script)}`]),
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

/** The SHA-256 of the exact text, as a policy names it. */
export function sourceDigest(text: string): string {
  return `'sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}'`;
}
