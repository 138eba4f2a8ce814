import type { Reporter, ReportSource } from '../reporter.ts';
import { type VariantMarks, variantMarks } from './drawing/variant-mark.ts';
import { SCRIPT } from './markup/client-script.ts';
import { contents, documentHead } from './markup/document.ts';
import { type Markup, html as markup, textOf, trusted } from './markup/markup.ts';
import { dataBlock } from './markup/page-data.ts';
import { STYLE } from './markup/style.ts';
import { comparisonSection } from './sections/certainty/comparison.ts';
import { distributionSection } from './sections/certainty/distribution.ts';
import { sweepSection } from './sections/certainty/sweep.ts';
import { timelineSection } from './sections/certainty/timeline.ts';
import { timingsSection } from './sections/certainty/timings.ts';
import { variantsSection } from './sections/certainty/variants.ts';
import { failuresSection } from './sections/details/failures.ts';
import { methodSection } from './sections/details/method.ts';
import { placesSection } from './sections/details/places.ts';
import { warningLines, warningsSection } from './sections/details/warnings.ts';
import { compareDialog, takesDialog } from './sections/images/dialogs.ts';
import { sheetSection } from './sections/images/sheet.ts';
import { sheetOf } from './sections/images/shown-outputs.ts';
import { stripsSection } from './sections/images/strip.ts';
import { takeData } from './sections/images/take-data.ts';
import { pageHead } from './sections/outcome/head.ts';
import { outcomeSection } from './sections/outcome/outcome.ts';
import { determinismSection } from './sections/sameness/determinism.ts';
import { probesSection } from './sections/sameness/probes.ts';

/**
 * report.html: one file that needs no network, no script and no other file, and may be opened from anywhere. Beside the media of its run
 * its links and its compare view lead to the originals.
 */
export const html: Reporter<'html'> = {
  format: 'html',
  description: 'one page with charts and images',
  files: ['report.html'],
  render: (source) => [{ name: 'report.html', content: { [Symbol.iterator]: () => page(source) } }],
};

/** A question that readers ask of a page, with the sections that answer it. Some runs have no comparison, sweep or probes. */
interface Part {
  readonly anchor: string;
  readonly title: string;
  readonly sections: readonly {
    readonly anchor: string;
    readonly title: string;
    readonly content: Markup | null | false;
  }[];
}

function partsOf(
  source: ReportSource,
  marks: VariantMarks,
): { readonly certainty: Part; readonly sameness: Part; readonly details: Part } {
  const { analysis, samples, comparisons } = source;
  return {
    certainty: {
      anchor: 'certainty',
      title: 'How sure is it',
      sections: [
        { anchor: 'bent', title: 'Reservations', content: warningLines(analysis.warnings) },
        { anchor: 'comparison', title: 'Ratios', content: comparisonSection(source, marks) },
        { anchor: 'sweep', title: 'By concurrency', content: sweepSection(analysis) },
        { anchor: 'latency', title: 'Latency', content: distributionSection(analysis, samples, marks) },
        { anchor: 'timings', title: 'Timings', content: timingsSection(analysis, samples, marks) },
        { anchor: 'timeline', title: 'Timeline', content: timelineSection(analysis, samples, marks) },
        { anchor: 'numbers', title: 'Numbers', content: variantsSection(analysis, marks) },
      ],
    },
    sameness: {
      anchor: 'sameness',
      title: 'Is it the same again',
      sections: [
        { anchor: 'same-output', title: 'Takes', content: determinismSection(analysis) },
        { anchor: 'probes', title: 'Probes', content: probesSection(analysis) },
      ],
    },
    details: {
      anchor: 'details',
      title: 'Everything else',
      sections: [
        { anchor: 'places', title: 'Prompts and tags', content: placesSection(analysis, comparisons, marks) },
        { anchor: 'failures', title: 'Failures', content: failuresSection(analysis) },
        { anchor: 'warnings', title: 'Warnings', content: warningsSection(analysis.warnings) },
        { anchor: 'method', title: 'Method', content: methodSection(analysis) },
      ],
    },
  };
}

function withContent({ sections }: Part): Part['sections'] {
  return sections.filter(({ content }) => content !== null && content !== false);
}

function* partText(part: Part): Generator<string> {
  yield textOf(markup`<section id="${part.anchor}" class="part" aria-labelledby="${part.anchor}-title">
<h2 id="${part.anchor}-title">${part.title}</h2>
`);
  for (const { content } of withContent(part)) yield textOf(markup`${content}`);
  yield '</section>\n';
}

function* page(source: ReportSource): Generator<string> {
  const { analysis } = source;
  const marks = variantMarks(analysis.variants);
  const sheet = sheetOf(source);
  const { certainty, sameness, details } = partsOf(source, marks);
  const entry = (part: Part) => ({
    anchor: part.anchor,
    title: part.title,
    under: withContent(part).map(({ anchor, title }) => ({ anchor, title })),
  });
  const title = `${analysis.run.suite} · Retake report ${analysis.run.id}`;
  yield textOf(documentHead({ title, style: STYLE, script: SCRIPT }));
  yield textOf(markup`<body>
<a class="skip" href="#outcome">Skip to the results</a>
<div class="page">
${contents([
  { anchor: 'outcome', title: 'What came out', under: [] },
  { anchor: 'looks', title: 'What it looks like', under: [] },
  entry(certainty),
  entry(sameness),
  { anchor: 'images', title: 'All images', under: [] },
  entry(details),
])}
<main>
`);
  yield textOf(pageHead(analysis.run));
  yield textOf(outcomeSection(source, marks));
  yield textOf(stripsSection(sheet, marks));
  yield* partText(certainty);
  yield* partText(sameness);
  for (const piece of sheetSection(sheet, marks)) yield textOf(piece);
  yield* partText(details);
  yield textOf(markup`</main>
<footer>Made by Retake ${analysis.run.machine.retake} from the record of run ${analysis.run.id}. This page loads nothing from a network.</footer>
</div>
${compareDialog()}
${takesDialog()}
${dataBlock(takeData(source, sheet))}
<script>${trusted(SCRIPT)}</script>
</body>
</html>
`);
}
