import type { Comparison } from '../../../../compare/comparison.ts';
import { isCompared, speedEvidenceWords, tellsApart } from '../../../statements/comparison-statement.ts';
import { estimatorWords } from '../../../words/method-words.ts';
import { inverse, speedWords } from '../../../words/value-words.ts';
import { type RatioLine, ratioLines } from '../../drawing/ratio-line.ts';
import type { VariantMarks } from '../../drawing/variant-mark.ts';
import { html } from '../../markup/markup.ts';
import type { BoardColumn, Score } from './board-column.ts';

interface SpeedLook {
  readonly marks: VariantMarks;
  readonly isDrawn: boolean;
}

/** Against the baseline variant, and against variants of the stored baseline sent again: never in one column. */
export function speedColumns(headlines: readonly Comparison[], look: SpeedLook): readonly BoardColumn[] {
  const columns = [
    { head: 'Speed against baseline variant', own: headlines.filter(({ baselineRun }) => baselineRun === null) },
    { head: 'Against stored baseline', own: headlines.filter(({ baselineRun }) => baselineRun !== null) },
  ];
  const shown = columns.filter(({ own }) => own.length > 0);
  // Beside a second column, drawings have no room.
  const isDrawn = look.isDrawn && shown.length === 1;
  return shown.map(({ head, own }) => speedColumn({ head, comparisons: own, isDrawn }, look));
}

/** Of speeds, not latencies: faster is further right. Null where too little was compared. */
function lineOf(comparison: Comparison): RatioLine | null {
  const { value, ciLow, ciHigh, ciLevel } = comparison;
  return value === null || !isCompared(comparison)
    ? null
    : { value: 1 / value, low: inverse(ciHigh), high: inverse(ciLow), hasInterval: ciLevel !== null };
}

function speedColumn(
  {
    head,
    comparisons,
    isDrawn,
  }: { readonly head: string; readonly comparisons: readonly Comparison[]; readonly isDrawn: boolean },
  { marks }: SpeedLook,
): BoardColumn {
  const { line: draw, scale } = ratioLines(comparisons.flatMap((each) => lineOf(each) ?? []));
  const baselines = new Set(comparisons.map(({ baseline }) => baseline));
  return {
    head,
    ...(isDrawn ? { room: 'speed', scale } : {}),
    score: ({ name }) => {
      const comparison = comparisons.find(({ variant }) => variant === name);
      if (comparison === undefined) return baselines.has(name) ? BASELINE_SCORE : { value: '–', small: '', by: null };
      const line = lineOf(comparison);
      if (line === null || comparison.value === null)
        return { value: '–', small: speedEvidenceWords(comparison), by: null };
      return {
        value: html`<span class="${tellsApart(comparison) ? 'speed' : 'speed undecided'}">${speedWords(comparison.value)}</span>${isDrawn && draw(line, marks(name))}`,
        small: html`<span class="whole">${speedEvidenceWords(comparison)}</span>`,
        by: comparison.value,
      };
    },
  };
}

const BASELINE_SCORE: Score = { value: html`<span class="tag">baseline</span>`, small: '', by: 1 };

export function speedNote([first]: readonly Comparison[], columns: readonly BoardColumn[]): string {
  if (first === undefined) return '';
  const drawing = columns.some(({ scale }) => scale !== undefined && scale !== null)
    ? 'In the drawing (log scale), right is faster and the dashed line is as fast as the baseline. '
    : '';
  return `Speed: ${estimatorWords(first.units)}. The latencies in the table are medians over all takes, so their ratio may differ. ${drawing}`;
}
