import { html, type Markup, trusted } from './markup.ts';
import { contentSecurityPolicy } from './policy.ts';

/** What a page is called, and the one style sheet and the one script that it may run. */
export interface DocumentParts {
  readonly title: string;
  readonly style: string;
  /** Null: it has none. */
  readonly script: string | null;
}

/** A page up to the beginning of its body: it may load nothing. Without an icon of its own, browsers ask the server of a page for one. */
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

/** An entry of a table of contents, with those under it. */
export interface ContentsEntry {
  readonly anchor: string;
  readonly title: string;
  readonly under: readonly { readonly anchor: string; readonly title: string }[];
}

/** How the table of contents begins in a page: a server that shows it puts its own links there. */
export const CONTENTS_OPENING = '<nav aria-label="Contents">';

/** The table of contents of a page. */
export function contents(entries: readonly ContentsEntry[]): Markup {
  return html`${trusted(CONTENTS_OPENING)}<ul>${entries.map(
    ({ anchor, title, under }) =>
      html`<li><a href="#${anchor}">${title}</a>${
        under.length > 1 &&
        html`<ul>${under.map((each) => html`<li><a href="#${each.anchor}">${each.title}</a></li>`)}</ul>`
      }</li>`,
  )}</ul></nav>`;
}
