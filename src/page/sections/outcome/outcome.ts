import { KIND_NAMES } from '../../../kit/names.ts';
import { html, type Markup } from '../../../markup/markup.ts';
import { type StorySource, screenAnswers } from '../../../report/story.ts';
import type { SentenceBlock, StoryLine } from '../../../report/story-block.ts';
import { anyDelivered, hasTabs } from '../../markup/scope.ts';
import type { Sheet } from '../../shown-outputs.ts';
import { trouble } from './trouble.ts';

/** Outcome: what must be known first, then a sentence for each variant of the chosen kind. */
export function outcomeSection(source: StorySource, sheet: Sheet): Markup {
  const { analysis, verdict } = source;
  const tabs = hasTabs(analysis.variants);
  const { kinds, adjusted, stored } = screenAnswers(source);
  return html`<section id="outcome" aria-labelledby="outcome-title">
<h2 id="outcome-title" class="quiet">What came out</h2>
${trouble(analysis, verdict, sheet)}
${
  anyDelivered(analysis.variants) &&
  kinds.map(
    ({
      kind,
      answers,
      scores,
    }) => html`<div class="answer"${tabs && html` id="${kind}" data-kind="${kind}"`}>${tabs && html`<h3 class="kind-name">${KIND_NAMES[kind]}</h3>`}
${sentenceList(answers, 'headlines')}${scores.shown.length + scores.folded.length > 0 && sentenceList(scores, 'headlines more scores')}</div>
`,
  )
}${adjusted.map((words) => html`<p class="note">${words}.</p>`)}${stored.shown.length > 0 && html`<ul class="statements">${stored.shown.map(({ sentence }) => html`<li>${sentence}</li>`)}</ul>`}
</section>
`;
}

function sentenceList({ shown, folded, more }: SentenceBlock, style: string): Markup {
  return html`<ul class="${style}">${shown.map(item)}</ul>${
    more !== null &&
    html`<details class="fold"><summary>${more}</summary><ul class="headlines more">${folded.map(item)}</ul></details>`
  }`;
}

function item({ sentence, tone }: StoryLine): Markup {
  const isState = tone === 'bad' || tone === 'warn';
  return html`<li${tone === 'void' && html` class="void"`}>${isState ? html`<span class="${`state ${tone}`}">${sentence}</span>` : sentence}</li>`;
}
