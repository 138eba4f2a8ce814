import { comparesOutputs } from '../analysis/stability.ts';
import { contents, documentEnd, documentHead, STYLE } from '../markup/document.ts';
import { type Markup, html as markup, textOf } from '../markup/markup.ts';
import { dataBlock } from '../markup/page-data.ts';
import type { Reporter, ReportSource } from '../report/reporter.ts';
import { SCRIPT } from './client-script.ts';
import { compareDialog } from './dialogs.ts';
import { type VariantMarks, variantMarks } from './drawing/variant-mark.ts';
import { anyDelivered, hasTabs } from './markup/section.ts';
import { comparisonSection } from './sections/certainty/comparison.ts';
import { distributionSection } from './sections/certainty/distribution.ts';
import { scoresSection } from './sections/certainty/scores.ts';
import { sweepSection } from './sections/certainty/sweep.ts';
import { timelineSection } from './sections/certainty/timeline.ts';
import { timingsSection } from './sections/certainty/timings.ts';
import { failuresSection, warningsSection } from './sections/details/failures-and-warnings.ts';
import { methodSection } from './sections/details/method.ts';
import { sheetSection } from './sections/images/sheet.ts';
import { sheetData } from './sections/images/sheet-data.ts';
import { outcomeSection, runHead } from './sections/outcome/outcome.ts';
import { determinismSection, probesSection } from './sections/sameness/determinism.ts';
import { kindTabs, numbersSection, sideBySideSection } from './sections/side-by-side/side-by-side.ts';
import { type Sheet, sheetOf } from './shown-outputs.ts';

/** One file: no network, works without script. Beside the media of its run, its links lead to the originals. */
export const html: Reporter<'html'> = {
  format: 'html',
  description: 'one page with charts and images',
  render: (source) => [{ name: 'report.html', content: { [Symbol.iterator]: () => page(source) } }],
};

interface PagePart {
  readonly anchor: string;
  readonly title: string;
  readonly sections: readonly {
    readonly anchor: string;
    readonly title: string;
    readonly content: Markup | null | false;
  }[];
}

/** Without a delivered take, sections that show takes are left out. */
function partsOf(
  source: ReportSource,
  sheet: Sheet,
  marks: VariantMarks,
): { readonly certainty: PagePart; readonly sameness: PagePart; readonly details: PagePart } {
  const { analysis, samples, verdict } = source;
  const delivered = anyDelivered(analysis.variants);
  return {
    certainty: {
      anchor: 'certainty',
      title: 'Speed',
      sections: [
        { anchor: 'warnings', title: 'Warnings', content: warningsSection(analysis) },
        { anchor: 'comparison', title: 'Speed', content: comparisonSection(source, marks) },
        { anchor: 'scores', title: 'Scores', content: delivered && scoresSection(source) },
        { anchor: 'latency', title: 'Latency', content: delivered && distributionSection(source, marks) },
        { anchor: 'timings', title: 'Timings', content: delivered && timingsSection(analysis, samples, marks) },
        {
          anchor: 'timeline',
          title: 'Timeline',
          content: samples.length > 0 && timelineSection(analysis, samples, marks),
        },
        { anchor: 'numbers', title: 'Numbers', content: !delivered && numbersSection(source, marks) },
      ],
    },
    sameness: {
      anchor: 'sameness',
      title: verdict.rules.some(({ rule }) => comparesOutputs(rule)) ? 'Same again within this run' : 'Same again',
      sections: [
        { anchor: 'same-output', title: 'Takes', content: delivered && determinismSection(analysis, sheet) },
        { anchor: 'probes', title: 'Probes', content: probesSection(analysis) },
      ],
    },
    details: {
      anchor: 'details',
      title: 'Details',
      sections: [
        { anchor: 'failures', title: 'Failures', content: failuresSection(analysis, sheet) },
        { anchor: 'method', title: 'Method', content: methodSection(analysis) },
      ],
    },
  };
}

/** A section with more elements is laid out when it comes into view. */
const MOST_AT_ONCE = 5000;

function isLong(text: string): boolean {
  let elements = 0;
  let folds = 0;
  for (const [tag] of text.matchAll(/<\/?details|<[a-z]/g)) {
    if (tag === '<details') folds += 1;
    else if (tag === '</details') folds -= 1;
    else if (folds === 0) elements += 1;
    if (elements > MOST_AT_ONCE) return true;
  }
  return false;
}

function withContent({ sections }: PagePart): PagePart['sections'] {
  return sections.filter(({ content }) => content !== null && content !== false);
}

function* partText(part: PagePart): Generator<string> {
  const under = withContent(part);
  if (under.length === 0) return;
  yield textOf(markup`<section id="${part.anchor}" class="part" aria-labelledby="${part.anchor}-title">
<h2 id="${part.anchor}-title">${part.title}</h2>
${under.length > 1 && markup`<p class="under">${under.map(({ anchor, title }) => markup`<a href="#${anchor}">${title}</a> `)}</p>`}
`);
  for (const { content } of under) {
    const text = textOf(markup`${content}`);
    yield isLong(text) ? `<div class="long">${text}</div>` : text;
  }
  yield '</section>\n';
}

function* page(source: ReportSource): Generator<string> {
  const { analysis } = source;
  const marks = variantMarks(analysis.variants);
  const sheet = sheetOf(source);
  const { certainty, sameness, details } = partsOf(source, sheet, marks);
  const delivered = anyDelivered(analysis.variants);
  const partLink = (part: PagePart) => (withContent(part).length === 0 ? [] : [part]);
  const links = contents([
    ...partLink(certainty),
    ...partLink(sameness),
    ...(delivered ? [{ anchor: 'images', title: 'Images' }] : []),
    ...partLink(details),
  ]);
  const title = `${analysis.run.suite} · Retake report ${analysis.run.id}`;
  yield textOf(documentHead({ title, results: 'outcome', style: STYLE, script: SCRIPT, loadsBeside: true }));
  yield textOf(markup`<div class="page report">
${runHead(analysis, source.verdict, links)}<main${hasTabs(analysis.variants) && markup` data-first="${analysis.variants[0]?.kind ?? ''}"`}>
`);
  yield textOf(outcomeSection(source, sheet));
  if (delivered) yield textOf(markup`${kindTabs(source)}`);
  // A sweep asks first what concurrency costs.
  const sweep = delivered && sweepSection(analysis, marks);
  if (sweep) yield textOf(markup`<div class="part">${sweep}</div>`);
  if (delivered) yield textOf(sideBySideSection(source, sheet, marks));
  yield* partText(certainty);
  yield* partText(sameness);
  if (delivered) for (const piece of sheetSection(sheet, marks)) yield textOf(piece);
  yield* partText(details);
  yield textOf(markup`</main>
<footer>Made by Retake ${analysis.run.machine.retake} from the record of run ${analysis.run.id}. This page loads nothing from a network.</footer>
</div>
${compareDialog()}
${dataBlock(sheetData(source, sheet))}
${documentEnd(SCRIPT)}`);
}
