import { html } from '../../report/html/markup/markup.ts';
import { INDEX_ADDRESS } from './addresses.ts';
import { type NavigationLink, type Page, page } from './page.ts';

/** Why there is no other page. */
export function refusalPage(title: string, causes: readonly string[], links: readonly NavigationLink[] = []): Page {
  return page({
    title,
    links: [{ href: INDEX_ADDRESS, title: 'All suites' }, ...links],
    content: html`<header class="title">
<p class="eyebrow">Retake results</p>
<h1>${title}</h1>
</header>
${causes.map((cause) => html`<p class="lede">${cause}</p>`)}
`,
  });
}
