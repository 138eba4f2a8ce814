import type { Analysis } from '../../analysis/analysis.ts';
import { headlineLatency } from '../../analysis/effective-sample.ts';
import type { VariantSummary } from '../../analysis/summaries.ts';
import { sweepSteps } from '../load-words.ts';
import { byKind, measuresOf, ownVariants } from '../statement.ts';
import { blockOf, fold, type TableBlock } from '../story-block.ts';

/** More variants are ranked by their median, and the slowest left out. */
const MOST_VARIANTS = 16;
/** Of a sweep, each has a row for each step too. */
const MOST_STEPS = 24;
const FEWEST_OF_KIND = 3;

/** Kind by kind; of many variants the baseline variant and the fastest. Twins have a line of their own. */
export function fastestVariants(analysis: Analysis): TableBlock {
  const median = medianOf(analysis);
  const own = ownVariants(analysis);
  const kinds = byKind(own);
  const steps = sweepSteps(analysis.run.plan.load);
  const all = steps === null ? MOST_VARIANTS : Math.max(1, Math.floor(MOST_STEPS / (1 + steps.length)));
  const most = Math.max(steps === null ? FEWEST_OF_KIND : 1, Math.floor(all / kinds.length));
  const bySpeed = (a: VariantSummary, b: VariantSummary) => order(median(a), median(b));
  const tables = kinds.map(([kind, ofKind]) => {
    const variants =
      own.length > all && ofKind.length > most
        ? ofKind
            .toSorted((a, b) => Number(b.baseline) - Number(a.baseline) || bySpeed(a, b))
            .slice(0, most)
            .toSorted(bySpeed)
        : ofKind;
    return { kind, variants, folded: ofKind.length - variants.length };
  });
  return blockOf('tables', 'facts', 'kind', fold(tables));
}

/** Table of all variants. */
export function allVariants({ variants }: Pick<Analysis, 'variants'>): TableBlock {
  return blockOf(
    'tables',
    'facts',
    'kind',
    fold(byKind(variants).map(([kind, own]) => ({ kind, variants: own, folded: 0 }))),
  );
}

function medianOf(analysis: Analysis): (variant: Pick<VariantSummary, 'name'>) => number {
  const measures = measuresOf(analysis);
  const metric = headlineLatency(analysis.run.plan.load);
  return ({ name }) => measures(name, metric, 'p50')?.value ?? Infinity;
}

/** Handles two missing medians: their difference is not a number. */
function order(a: number, b: number): number {
  return a === b ? 0 : a - b;
}
