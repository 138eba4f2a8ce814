import { count } from '../../../kit/wording.ts';
import { OUTPUTS_STYLE, sourceDigest } from '../../../markup/document.ts';
import { html, type Markup, textOf, trusted } from '../../../markup/markup.ts';
import { SCRIPT as TIMES_SCRIPT } from '../../../markup/times-script.ts';
import { CSS as VIEW } from './view-css.ts';

export interface Page {
  readonly text: string;
  /** Without style sheet and script, for a page that puts in what has changed. */
  readonly bare: string;
  readonly policy: string;
}

export interface NavigationLink {
  readonly href: string;
  readonly title: string;
}

export interface PageParts {
  readonly title: string;
  /** Pages above this one, the outermost first, and those beside it. */
  readonly links: readonly NavigationLink[];
  /** One of `links`; by default none. */
  readonly here?: string;
  readonly content: Markup;
  /** By default the one that shows local times. */
  readonly script?: string;
}

export function linkList(links: readonly NavigationLink[], here?: string): Markup {
  return html`<ul>${links.map(
    ({ href, title }) => html`<li><a href="${href}"${href === here && html` aria-current="page"`}>${title}</a></li>`,
  )}</ul>`;
}

const STYLE = OUTPUTS_STYLE + VIEW;

export function page({ title, links, here, content, script = TIMES_SCRIPT }: PageParts): Page {
  const body = html`<div class="page">
<nav aria-label="Results">${linkList(links, here)}</nav>
<main id="main">
${content}</main>
</div>
`;
  const heading = html`<title>${title} · Retake</title>`;
  const bare = textOf(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${heading}
</head>
<body>
${body}</body>
</html>
`);
  const text = textOf(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${heading}
<style>${trusted(STYLE)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the results</a>
${body}<script>${trusted(script)}</script>
</body>
</html>
`);
  return { text, bare, policy: policyOf(script) };
}

/** Allows what this server serves, and this style sheet and script. */
function policyOf(script: string): string {
  return [
    "default-src 'none'",
    "img-src 'self'",
    "media-src 'self'",
    `style-src ${sourceDigest(STYLE)}`,
    `script-src ${sourceDigest(script)}`,
    ...(script === TIMES_SCRIPT ? [] : ["connect-src 'self'"]),
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

export interface Part {
  /** From 0. */
  readonly from: number;
  readonly size: number;
  /** Number of all. */
  readonly of: number;
}

/** Null if one part has all. */
export function pager({ from, size, of }: Part, noun: string, addressOf: (from: number) => string): Markup | null {
  if (from === 0 && of <= size) return null;
  const before = Math.max(0, from - size);
  return html`<p class="pages"><span>${noun} ${count(Math.min(from + 1, of))} to ${count(Math.min(from + size, of))} of ${count(of)}</span>${
    from > 0 && html`<a href="${addressOf(before)}">previous</a>`
  }${from + size < of && html`<a href="${addressOf(from + size)}">next</a>`}</p>
`;
}

/** Here the list's script says if it cannot keep it true. @param here the list's address, a link without script */
export function freshness(here: string): Markup {
  return html`<p class="live" id="connection" role="status"></p>
<p class="note fine without-script"><a href="${here}">Load this page again</a></p>
`;
}
