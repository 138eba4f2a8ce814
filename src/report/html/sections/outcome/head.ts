import type { RunSummary } from '../../../../analysis/analysis.ts';
import { wallClock } from '../../../../text/wall-clock.ts';
import { shardWords } from '../../../words/load-words.ts';
import { html, type Markup } from '../../markup/markup.ts';

export function pageHead(run: RunSummary): Markup {
  const split = shardWords(run);
  return html`<header class="title">
<h1>${run.suite}</h1>
${run.description !== null && html`<p class="lede">${run.description}</p>`}
<p class="meta"><span>Retake report</span><span>${run.id}</span>${run.label !== null && html`<span>${run.label}</span>`}${split !== null && html`<span>${split}</span>`}<span><time datetime="${run.startedAt}">${wallClock(run.startedAt)}</time></span><span>Retake ${run.machine.retake}</span></p>
</header>
`;
}
