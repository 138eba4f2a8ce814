import { listed } from '../../kit/wording.ts';
import { type Fill, html, type Markup } from '../../markup/markup.ts';

export interface SectionParts {
  readonly anchor: string;
  readonly title: string;
  readonly note?: Fill;
  /** Folded: how to read it, and where its numbers come from. */
  readonly more?: Fill;
  readonly content: Fill;
}

/** Where there is room, title and notes stand beside the content. */
export function section({ anchor, title, note, more, content }: SectionParts): Markup {
  const heading = `${anchor}-title`;
  return html`<section id="${anchor}" aria-labelledby="${heading}">
<div class="about"><h3 id="${heading}">${title}</h3>
${isSaid(note) && html`<p class="note">${note}</p>`}${
  isSaid(more) && html`<details class="fold"><summary>How to read it</summary><p class="note">${more}</p></details>`
}</div>
<div class="content">
${content}
</div></section>
`;
}

function isSaid(words: Fill): boolean {
  return words !== undefined && words !== null && words !== false && words !== '';
}

/** Headings of results/README.md, which is part of the package: a page names them where a definition is meant. */
export const DEFINED_UNDER = [
  'measures.csv',
  'comparisons.csv',
  'Series',
  'Score outputs',
  'How far to trust a number',
] as const;

export function definedIn(...headings: readonly (typeof DEFINED_UNDER)[number][]): Markup {
  return html`More in <code>results/README.md</code> of Retake, under ${listed(headings)}.`;
}
