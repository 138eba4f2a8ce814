import type { Analysis } from '../../../analysis/analysis.ts';
import type { ProbeStatement } from '../../../analysis/note.ts';
import type { ProbeFindings } from '../../../analysis/probe.ts';
import { type ProbeQuestion, probeQuestions, probeStatement } from '../../../analysis/probes.ts';
import { count, plural } from '../../../kit/wording.ts';
import { html, type Markup } from '../../../markup/markup.ts';
import { section } from '../../markup/section.ts';
import { stackedRow, stackedTable } from '../../markup/tables.ts';

const HEADS: Readonly<Record<ProbeQuestion, string>> = {
  seed: 'What a seed does',
  no_seed: 'Without a seed',
  cache: 'Repeats',
  load: 'Concurrency',
};

export function probesSection(analysis: Analysis): Markup | null {
  const questions = probeQuestions(analysis);
  if (questions.length === 0) return null;
  const sent = analysis.run.plan.probes?.trials ?? 0;
  return section({
    anchor: 'probes',
    title: 'Probes: tests of the assumptions behind the numbers',
    note: `${plural(sent, 'request')} sent after all other requests; they count in no other number here.`,
    more: questions.map((question) => `${meaning(question, analysis)} `),
    content: stackedTable(
      'Probes',
      ['Variant', ...questions.map((question) => HEADS[question])],
      analysis.probes.map((probe) => row(probe, questions)),
      'side-by-side plain',
    ),
  });
}

function row(found: ProbeFindings, questions: readonly ProbeQuestion[]): Markup {
  const cells = questions.map(
    (question) => [HEADS[question], html`<div>${finding(probeStatement(question, found))}</div>`] as const,
  );
  return stackedRow(found.variant, cells);
}

function finding(statement: ProbeStatement | null): Markup {
  if (statement === null) return html`–`;
  const { word, evidence, bad } = statement;
  return html`${bad ? html`<span class="state bad">${word}</span>` : word}<small>${evidence}</small>`;
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
