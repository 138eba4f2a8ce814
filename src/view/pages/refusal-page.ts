import { html } from '../../markup/markup.ts';
import { INDEX_ADDRESS } from '../addresses.ts';
import { type NavigationLink, type Page, page } from './parts/page.ts';

export interface PageRefusal {
  readonly title: string;
  readonly causes: readonly string[];
  /** The outermost first; without any, the list of all suites. */
  readonly links?: readonly NavigationLink[];
  readonly actions?: readonly NavigationLink[];
}

const INDEX = { href: INDEX_ADDRESS, title: 'All suites' };

export function refusalPage({ title, causes, links = [INDEX], actions = [] }: PageRefusal): Page {
  const offered = [...actions, ...links.slice(0, 2)];
  return page({
    title,
    links,
    content: html`<header class="title">
<p class="eyebrow">Retake results</p>
<h1>${title}</h1>
</header>
${causes.map((cause) => html`<p class="lede">${cause}</p>`)}
<ul class="actions">${offered.map(({ href, title: name }) => html`<li><a href="${href}">${name}</a></li>`)}</ul>
`,
  });
}
