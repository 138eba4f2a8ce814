import { html, type Markup } from '../../../report/html/markup/markup.ts';

/**
 * What keeps a list true: its script, which says here if it cannot; without script a link.
 *
 * @param here the address of the list
 */
export function freshness(here: string): Markup {
  return html`<p class="live" id="connection" role="status"></p>
<p class="note fine without-script"><a href="${here}">Load this page again</a></p>
`;
}
