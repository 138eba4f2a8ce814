import type { Analysis } from '../../../../analysis/analysis.ts';
import { groupBy } from '../../../../analysis/grouping.ts';
import { headlineLatency } from '../../../../analysis/samples/headline.ts';
import type { Comparison } from '../../../../compare/comparison.ts';
import { count } from '../../../../text/wording.ts';
import type { ReportSource } from '../../../reporter.ts';
import { headlineComparisons } from '../../../statements/comparison-statement.ts';
import { speedWords } from '../../../words/value-words.ts';
import { markedName, type VariantMarks } from '../../drawing/variant-mark.ts';
import { html, type Markup } from '../../markup/markup.ts';
import { tagTables } from './tags.ts';

const MOST_PLACES = 3;

/** A longer table scrolls within its frame. */
const MOST_ROWS = 12;

export function placesSection(
  { analysis, samples, comparisons }: Pick<ReportSource, 'analysis' | 'samples' | 'comparisons'>,
  marks: VariantMarks,
): Markup | null {
  const worst = worstPlaces(analysis, comparisons, marks);
  const byTag = tagTables(analysis, samples, marks);
  if (worst === null && byTag.length === 0) return null;
  return html`<section id="places" aria-labelledby="places-title">
<h3 id="places-title">${worst === null ? 'Latency by tag' : 'Where each variant does worst'}</h3>
${worst !== null && worst}
${byTag}
</section>
`;
}

/** The lowest speed by prompt and by tag; null where nothing was compared by prompt. */
function worstPlaces(
  { run: { plan } }: Analysis,
  comparisons: readonly Comparison[],
  marks: VariantMarks,
): Markup | null {
  const metric = headlineLatency(plan.load);
  const byVariant = groupBy(
    comparisons.filter((each) => each.metric === metric && each.value !== null),
    ({ variant }) => variant,
  );
  const rows = headlineComparisons(comparisons, plan.load).flatMap((headline) => {
    const own = (byVariant.get(headline.variant) ?? [])
      .filter(({ baseline, step }) => baseline === headline.baseline && step === headline.step)
      .toSorted((a, b) => (b.value ?? 0) - (a.value ?? 0));
    const prompts = own.flatMap(({ scope, value }) => (scope.of === 'prompt' ? [place(scope.id, value)] : []));
    const tags = own.flatMap(({ scope, value }) => (scope.of === 'tag' ? [place(scope.tag, value)] : []));
    if (prompts.length < 2) return [];
    return [
      html`<tr><th scope="row">${markedName(headline.variant, marks)}<small>${notesOf(headline)}</small></th><td>${listed(prompts)}</td><td>${
        tags.length < 2 ? '–' : listed(tags)
      }</td></tr>
`,
    ];
  });
  if (rows.length === 0) return null;
  return html`<p class="note">The prompts and tags with the lowest speed against the baseline variant. comparisons.csv has all of them, with intervals.</p>
<div class="${rows.length > MOST_ROWS ? 'scroll tall' : 'scroll'}" tabindex="0" role="group" aria-label="Worst prompts and tags: scrolls"><table class="plain">
<thead><tr><th scope="col">Variant</th><th scope="col">By prompt</th><th scope="col">By tag</th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
}

/** A name may be written from right to left. */
function place(name: string, value: number | null): Markup {
  return html`<bdi>${name}</bdi> ${value === null ? '–' : speedWords(value)}`;
}

function listed(places: readonly Markup[]): readonly Markup[] {
  return places.slice(0, MOST_PLACES).map((each, at) => html`${at > 0 && ', '}${each}`);
}

function notesOf({ step, baseline, baselineRun }: Comparison): string {
  const against = baselineRun === null ? `against ${baseline}` : 'against its stored baseline';
  return step === null ? against : `${against}, at concurrency ${count(step)}`;
}
