import type { Analysis, FailureGroup } from '../../../../analysis/analysis.ts';
import { count, share } from '../../../../text/wording.ts';
import { failureMessage, OUTCOME_WORDS } from '../../../words/outcome-words.ts';
import { html, type Markup } from '../../markup/markup.ts';
import { section } from '../../markup/section.ts';
import { stackedTable } from '../../markup/tables.ts';

const HEADS = ['Variant', 'Outcome', 'Takes', 'Code', 'First message'] as const;

/** Grouped by variant, outcome, code and status. Code and message are the server's words. */
export function failuresSection(analysis: Analysis): Markup | null {
  if (analysis.failures.length === 0) return null;
  const sent = new Map(analysis.variants.map((variant) => [variant.name, variant.plannedTrials - variant.missing]));
  return section({
    anchor: 'failures',
    title: 'Failures',
    content: stackedTable(
      'Failures',
      HEADS,
      analysis.failures.map((group) => row(group, sent.get(group.variant) ?? 0)),
      'side-by-side failures',
    ),
  });
}

function row(group: FailureGroup, sent: number): Markup {
  const { variant, outcome, code, httpStatus, count: failed, exampleTrial } = group;
  const cells = [
    html`<span class="state bad">${OUTCOME_WORDS[outcome]}</span>`,
    html`<span class="whole">${count(failed)} of ${count(sent)}</span>${sent > 0 && html`<small class="whole">${share(failed / sent)}</small>`}`,
    html`<code>${code}</code>${httpStatus !== null && html`<small>HTTP ${httpStatus}</small>`}`,
    html`<q>${failureMessage(group)}</q><small>trial <code>${exampleTrial}</code></small>`,
  ];
  return html`<tr role="row"><th scope="row" role="rowheader">${variant}</th>${cells.map(
    (cell, at) =>
      html`<td role="cell" data-label="${HEADS[at + 1] ?? ''}"${at >= 2 && html` class="wide-cell"`}><div>${cell}</div></td>`,
  )}</tr>
`;
}
