import { KIND_NAMES } from '../../../kit/names.ts';
import { plural } from '../../../kit/wording.ts';
import { html, type Markup } from '../../../markup/markup.ts';
import type { ReportSource } from '../../../report/reporter.ts';
import { answersOf, type VariantAnswer } from '../../../report/statements/answer-statement.ts';
import { adjustedWords } from '../../../report/statements/comparison-statement.ts';
import { type ScoreSentence, scoreSentences } from '../../../report/statements/score-statement.ts';
import { byKind } from '../../../report/statements/statement.ts';
import { stabilitySentences } from '../../../report/statements/two-runs-statement.ts';
import { anyDelivered, hasTabs } from '../../markup/scope.ts';
import type { Sheet } from '../../shown-outputs.ts';
import { trouble } from './trouble.ts';

/** What must be known first, then a sentence for each variant of the chosen kind. */
export function outcomeSection(
  {
    analysis,
    comparisons,
    verdict,
    stability,
  }: Pick<ReportSource, 'analysis' | 'comparisons' | 'verdict' | 'stability'>,
  sheet: Sheet,
): Markup {
  const tabs = hasTabs(analysis.variants);
  const adjusted = adjustedWords(comparisons, analysis.run.plan.load);
  const stored = stabilitySentences(stability).map((sentence) => html`<li>${sentence}.</li>`);
  return html`<section id="outcome" aria-labelledby="outcome-title">
<h2 id="outcome-title" class="quiet">What came out</h2>
${trouble(analysis, verdict, sheet)}
${
  anyDelivered(analysis.variants) &&
  byKind(analysis.variants).map(
    ([
      kind,
      variants,
    ]) => html`<div class="answer"${tabs && html` id="${kind}" data-kind="${kind}"`}>${tabs && html`<h3 class="kind-name">${KIND_NAMES[kind]}</h3>`}
${answerList(answersOf(analysis, comparisons, variants))}${scoreList(scoreSentences(analysis, comparisons, variants))}</div>
`,
  )
}${adjusted !== null && html`<p class="note">${adjusted}.</p>`}${stored.length > 0 && html`<ul class="statements">${stored}</ul>`}
</section>
`;
}

/** More are folded: as many candidates as the first images show. */
const MOST_ANSWERS = 3;

function answerList(answers: readonly VariantAnswer[]): Markup {
  const item = ({ sentence, isDoubted }: VariantAnswer) =>
    html`<li${isDoubted && html` class="void"`}>${sentence}</li>`;
  // One more sentence takes no more room than the words that fold it.
  const leading = answers.filter(({ leads }) => leads);
  const few = answers.length === MOST_ANSWERS + 1 ? answers : answers.slice(0, MOST_ANSWERS);
  const shown = leading.length > 0 ? leading : few;
  const folded = answers.slice(shown.length);
  return html`<ul class="headlines">${shown.map(item)}</ul>${
    folded.length > 0 &&
    html`<details class="fold"><summary>${plural(folded.length, 'more variant')}</summary><ul class="headlines more">${folded.map(item)}</ul></details>`
  }`;
}

/** More are folded, and what nobody may rely on; not what says so. */
const MOST_SCORES = 4;

/** In smaller type than the speeds. */
function scoreList(sentences: readonly ScoreSentence[]): Markup | false {
  const found = sentences.filter(({ is }) => is === 'found');
  // One more sentence takes no more room than the words that fold it.
  const shown = found.length === MOST_SCORES + 1 ? found : found.slice(0, MOST_SCORES);
  const isFolded = (each: ScoreSentence) => each.is === 'void' || (each.is === 'found' && !shown.includes(each));
  const folded = sentences.filter(isFolded);
  const item = ({ sentence, is }: ScoreSentence) =>
    html`<li${is === 'void' && html` class="void"`}>${TONES[is] === undefined ? sentence : html`<span class="${`state ${TONES[is]}`}">${sentence}</span>`}</li>`;
  return (
    sentences.length > 0 &&
    html`<ul class="headlines more scores">${sentences.filter((each) => !isFolded(each)).map(item)}</ul>${
      folded.length > 0 &&
      html`<details class="fold"><summary>${plural(folded.length, 'more score')}</summary><ul class="headlines more">${folded.map(item)}</ul></details>`
    }`
  );
}

const TONES: Readonly<Partial<Record<ScoreSentence['is'], string>>> = { bad: 'bad', missing: 'warn' };
