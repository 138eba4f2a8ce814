import type { Analysis } from '../../../../analysis/analysis.ts';
import { headlineLatency } from '../../../../analysis/samples/headline.ts';
import type { Comparison } from '../../../../compare/comparison.ts';
import { count } from '../../../../text/quantity.ts';
import { headlineComparisons, times } from '../../../statements/comparison-statement.ts';
import { markedName, type VariantMarks } from '../../drawing/variant-mark.ts';
import { html, type Markup } from '../../markup/markup.ts';

const MOST_PLACES = 3;

/** Where each variant does worst against its baseline variant: its highest latency ratios by prompt and by tag. Null where nothing was compared by prompt. */
export function placesSection(
  { run: { plan } }: Analysis,
  comparisons: readonly Comparison[],
  marks: VariantMarks,
): Markup | null {
  const metric = headlineLatency(plan.load);
  const rows = headlineComparisons(comparisons, plan.load).flatMap((headline) => {
    const own = comparisons
      .filter(
        (each) =>
          each.metric === metric &&
          each.variant === headline.variant &&
          each.baseline === headline.baseline &&
          each.step === headline.step &&
          each.value !== null,
      )
      .toSorted((a, b) => (b.value ?? 0) - (a.value ?? 0));
    const prompts = own.flatMap(({ scope, value }) =>
      scope.of === 'prompt' ? [`${scope.id} ${times(value ?? 0)}`] : [],
    );
    const tags = own.flatMap(({ scope, value }) => (scope.of === 'tag' ? [`${scope.tag} ${times(value ?? 0)}`] : []));
    if (prompts.length < 2) return [];
    return [
      html`<tr><th scope="row">${markedName(headline.variant, marks)}<small>${notesOf(headline)}</small></th><td>${prompts.slice(0, MOST_PLACES).join(', ')}</td><td>${
        tags.length < 2 ? '–' : tags.slice(0, MOST_PLACES).join(', ')
      }</td></tr>
`,
    ];
  });
  if (rows.length === 0) return null;
  return html`<section id="places" aria-labelledby="places-title">
<h3 id="places-title">Where each variant does worst</h3>
<p class="note">The highest latency ratios to the baseline variant, by prompt and by tag. comparisons.csv has all of them, with intervals.</p>
<div class="scroll" tabindex="0" role="group" aria-label="Worst prompts and tags: scrolls sideways"><table class="plain">
<thead><tr><th scope="col">Variant</th><th scope="col">By prompt</th><th scope="col">By tag</th></tr></thead>
<tbody>${rows}</tbody></table></div>
</section>
`;
}

function notesOf({ step, baseline, baselineRun }: Comparison): string {
  const against = baselineRun === null ? `against ${baseline}` : 'against its stored baseline';
  return step === null ? against : `${against}, at concurrency ${count(step)}`;
}
