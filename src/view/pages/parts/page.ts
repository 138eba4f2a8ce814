import { BASE_STYLE, documentEnd, sourceDigest } from '../../../markup/document.ts';
import { html, type Markup, textOf, trusted } from '../../../markup/markup.ts';
import { SCRIPT as TIMES_SCRIPT } from '../../../markup/times-script.ts';
import { findAddress, historyAddress, INDEX_ADDRESS } from '../../addresses.ts';
import { CSS as VIEW } from './view-css.ts';

export interface Page {
  readonly text: string;
  readonly policy: string;
}

export interface NavigationLink {
  readonly href: string;
  readonly title: string;
}

export const INDEX_LINK: NavigationLink = { href: INDEX_ADDRESS, title: 'All runs' };

export function suiteLinks(suite: string): readonly NavigationLink[] {
  return [INDEX_LINK, { href: findAddress(suite), title: suite }, { href: historyAddress(suite), title: 'Trend' }];
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

const STYLE = BASE_STYLE + VIEW;

export function page({ title, links, here, content, script = TIMES_SCRIPT }: PageParts): Page {
  const text = textOf(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Retake</title>
<style>${trusted(STYLE)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the results</a>
<div class="page">
<nav aria-label="Results">${linkList(links, here)}</nav>
<main id="main">
${content}</main>
</div>
${documentEnd(script)}`);
  return { text, policy: policyOf(script) };
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
