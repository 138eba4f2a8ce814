import type { Analysis } from '../../../../analysis/analysis.ts';
import type { ProbeFindings } from '../../../../analysis/probes/probe-finding.ts';
import { count, plural } from '../../../../text/quantity.ts';
import { type ProbeQuestion, probeQuestions, probeStatement } from '../../../words/probe-words.ts';
import { html, type Markup } from '../../markup/markup.ts';

const HEADS: Readonly<Record<ProbeQuestion, string>> = {
  seed: 'What a seed does',
  no_seed: 'Without a seed',
  cache: 'Repeats',
  load: 'Concurrency',
};

/** What the probes found, a row a variant; null where the suite asks for none. */
export function probesSection(analysis: Analysis): Markup | null {
  const questions = probeQuestions(analysis);
  if (questions.length === 0) return null;
  const sent = analysis.run.plan.probes?.trials ?? 0;
  return html`<section id="probes" aria-labelledby="probes-title">
<h3 id="probes-title">Probes: tests of the assumptions behind the numbers</h3>
<p class="note">${plural(sent, 'request')} sent after all other requests; they count in no other number here.${questions.map(
    (question) => ` ${meaning(question, analysis)}`,
  )}</p>
<div class="scroll" tabindex="0" role="group" aria-label="Probes: scrolls sideways"><table class="plain">
<thead><tr><th scope="col">Variant</th>${questions.map((question) => html`<th scope="col">${HEADS[question]}</th>`)}</tr></thead>
<tbody>${analysis.probes.map((found) => row(found, questions))}</tbody></table></div>
</section>
`;
}

function row(found: ProbeFindings, questions: readonly ProbeQuestion[]): Markup {
  return html`<tr><th scope="row">${found.variant}</th>${questions.map((question) => {
    const statement = probeStatement(question, found);
    if (statement === null) return html`<td>–</td>`;
    const { word, evidence, bad } = statement;
    return html`<td>${bad ? html`<span class="state bad">${word}</span>` : word}<small>${evidence}</small></td>`;
  })}</tr>
`;
}

function meaning(question: ProbeQuestion, { run }: Analysis): string {
  switch (question) {
    case 'seed':
      return 'Seeds: takes of the first prompt and seed are compared with each other and with other seeds.';
    case 'no_seed':
      return 'Without a seed: two takes are compared.';
    case 'cache':
      return 'Repeats: each pair is a repeat and a fresh seed. A variant is cached if the service says so, or if byte-identical repeats are significantly more than 1.1 times as fast; latency then counts only first takes.';
    case 'load':
      return `Concurrency: each prompt and seed is sent alone, at concurrency ${count(run.plan.load.concurrency)}, and alone again; pixels are compared. The test needs five cells that disagree.`;
  }
}
