import { html, type Markup, textOf, trusted } from '../../report/html/markup/markup.ts';
import { OUTCOME_STYLE } from '../../report/html/markup/outcome-style.ts';
import { sourceDigest } from '../../report/html/markup/policy.ts';
import { BASE_STYLE } from '../../report/html/markup/style.ts';
import { VIEW_STYLE } from './view-style.ts';

/** A page with the policy that it is sent under. */
export interface Page {
  readonly text: string;
  readonly policy: string;
}

/** A link of the navigation. */
export interface NavigationLink {
  readonly href: string;
  readonly title: string;
}

export interface PageParts {
  readonly title: string;
  /** What stands above this page, the outermost first, and pages beside it. */
  readonly links: readonly NavigationLink[];
  readonly content: Markup;
  /** Null: it has none. */
  readonly script?: string | null;
}

const STYLE = BASE_STYLE + OUTCOME_STYLE + VIEW_STYLE;

/** A whole page in the look of the reports. */
export function page({ title, links, content, script = null }: PageParts): Page {
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
<nav aria-label="Results"><ul>${links.map(({ href, title: name }) => html`<li><a href="${href}">${name}</a></li>`)}</ul></nav>
<main id="main">
${content}</main>
</div>
${script !== null && html`<script>${trusted(script)}</script>\n`}</body>
</html>
`);
  return { text, policy: policyOf(script) };
}

/** Nothing but what is served here, and this one style sheet and script. */
function policyOf(script: string | null): string {
  return [
    "default-src 'none'",
    "img-src 'self'",
    "media-src 'self'",
    `style-src ${sourceDigest(STYLE)}`,
    ...(script === null ? [] : [`script-src ${sourceDigest(script)}`, "connect-src 'self'"]),
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}
