import { html, type Markup } from '../../../report/html/markup/markup.ts';

/**
 * The list's script says here if it cannot keep it true; without script there is a link.
 *
 * @param here the address of the list
 */
export function freshness(here: string): Markup {
  return html`<p class="live" id="connection" role="status"></p>
<p class="note fine without-script"><a href="${here}">Load this page again</a></p>
`;
}
