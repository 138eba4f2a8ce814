import { listed, unbroken } from '../../kit/wording.ts';
import { type Fill, html, type Markup } from '../../markup/markup.ts';

interface SectionParts {
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

/** A column of numbers is set to the right; false leaves a column out. */
type ColumnHead = string | Markup | { readonly number: string } | false;

/** A frame that may scroll must be reachable by keys. */
export function scrollingTable(
  label: string,
  heads: readonly ColumnHead[],
  rows: readonly Markup[],
  classes = 'plain',
): Markup {
  return html`<div class="scroll" tabindex="0" role="group" aria-label="${`${label}: scrolls sideways`}"><table class="${classes}">
<thead><tr>${heads.map(columnHead)}</tr></thead>
<tbody>${rows}</tbody></table></div>`;
}

function columnHead(head: ColumnHead): Markup | false {
  if (head === false) return false;
  if (typeof head === 'object' && 'number' in head)
    return html`<th scope="col" class="number">${unbroken(head.number)}</th>`;
  return html`<th scope="col">${typeof head === 'string' ? unbroken(head) : head}</th>`;
}

/** On a narrow screen its rows are blocks, which only roles still make a table. */
export function stackedTable(
  label: string,
  heads: readonly string[],
  rows: readonly Markup[],
  classes = 'side-by-side',
): Markup {
  return html`<table class="${classes}" role="table" aria-label="${label}"><thead role="rowgroup"><tr role="row">${heads.map(
    (head) => html`<th scope="col" role="columnheader">${head}</th>`,
  )}</tr></thead>
<tbody role="rowgroup">${rows}</tbody></table>`;
}

/** A row of a stacked table. @param cells the head of the column stands beside each where rows are blocks */
export function stackedRow(head: Fill, cells: readonly (readonly [column: string, cell: Fill])[]): Markup {
  return html`<tr role="row"><th scope="row" role="rowheader">${head}</th>${cells.map(
    ([column, cell]) => html`<td role="cell" data-label="${column}">${cell}</td>`,
  )}</tr>
`;
}

/** A number of a table, with its evidence below it. */
export function figure(value: string | null, ...evidence: readonly (string | null)[]): Markup {
  return html`<span class="${value === null ? 'figure none' : 'figure'}">${value ?? '–'}</span>${evidence.map(
    (line) => line !== null && html`<small>${line}</small>`,
  )}`;
}
