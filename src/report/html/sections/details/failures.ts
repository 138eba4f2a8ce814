import type { Analysis, FailureGroup } from '../../../../analysis/analysis.ts';
import { count, share } from '../../../../text/quantity.ts';
import { failureMessage } from '../../../words/decode-reason.ts';
import { html, type Markup } from '../../markup/markup.ts';

/** What failed, grouped by variant, outcome, code and status. Code and message are the server's words. */
export function failuresSection(analysis: Analysis): Markup {
  const sent = new Map(analysis.variants.map((variant) => [variant.name, variant.plannedTrials - variant.missing]));
  return html`<section id="failures" aria-labelledby="failures-title">
<h3 id="failures-title">Failures</h3>
${
  analysis.failures.length === 0
    ? html`<p class="empty">No take failed.</p>`
    : html`<div class="scroll" tabindex="0" role="group" aria-label="Failures: scrolls sideways"><table class="failures">
<thead><tr><th scope="col">Variant</th><th scope="col">Outcome</th><th scope="col" class="number">Takes</th><th scope="col">Code</th><th scope="col">First message</th></tr></thead>
<tbody>${analysis.failures.map((group) => row(group, sent.get(group.variant) ?? 0))}</tbody></table></div>`
}
</section>
`;
}

function row(group: FailureGroup, sent: number): Markup {
  const { variant, outcome, code, httpStatus, count: failed, exampleTrial } = group;
  return html`<tr><th scope="row">${variant}</th><td><span class="state bad">${outcome.replaceAll('_', ' ')}</span></td>
<td class="number">${count(failed)} of ${count(sent)}${sent > 0 && html`<small>${share(failed / sent)}</small>`}</td>
<td><code>${code}</code>${httpStatus !== null && html`<small>HTTP ${httpStatus}</small>`}</td>
<td class="message"><q>${failureMessage(group)}</q><small>trial <code>${exampleTrial}</code></small></td></tr>
`;
}
