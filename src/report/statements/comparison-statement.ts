import { headlineLatency } from '../../analysis/samples/headline.ts';
import type { Comparison } from '../../compare/comparison.ts';
import type { Load } from '../../suite/format/suite.ts';
import { count, plural } from '../../text/quantity.ts';
import { comparisonNoteWords } from '../words/comparison-note-words.ts';

/** The units of a comparison in words, with their number. */
const UNIT_NOUNS = { cells: 'cell pair', rounds: 'round', prompts: 'prompt' } as const;

/**
 * A comparison by ratio in a sentence that can be repeated: "fast is 2.15x as fast as standard [2.05, 2.22], faster in 12 of
 * 12 cell pairs", or "takes 1.20x as long as its stored baseline". Of a latency; a ratio below 1 is turned round, so that the number is above 1 and the word says which way.
 */
export function latencySentence(comparison: Comparison): string {
  const found = latencyFinding(comparison);
  return comparison.promptEffect?.code === 'differs' ? `${found}; the difference depends on the prompt` : found;
}

/** The same without the pairs and the prompts: "fast is 2.15x as fast as standard [2.05, 2.22]". */
export function latencySentenceInShort(comparison: Comparison): string {
  return latencyFinding(comparison, false);
}

function latencyFinding(comparison: Comparison, withPairs = true): string {
  const { variant, finding, cellPairs, cellPairsBetter, step } = comparison;
  const baseline = baselineWords(comparison);
  const at = step === null ? '' : ` at concurrency ${count(step)}`;
  const { value } = comparison;
  if (value === null || finding === 'too_few') return `${variant} and ${baseline}${at}: ${whyNone(comparison)}`;
  const [low, high] = ends(comparison);
  const pairs = withPairs ? `, faster in ${count(cellPairsBetter)} of ${plural(cellPairs, 'cell pair')}` : '';
  const apart = `${variant} and ${baseline} are not told apart${at}: ${ratioWords(value)} ${ratioInterval(low, high)}`;
  if (!tellsApart(comparison) && finding !== 'undecided')
    return `${apart}; the difference is within the noise floor of this machine`;
  switch (finding) {
    case 'lower':
      return `${variant} is ${times(1 / value)} as fast as ${baseline}${at} ${ratioInterval(inverse(high), inverse(low))}${pairs}`;
    case 'higher':
      return `${variant} takes ${times(value)} as long as ${baseline}${at} ${ratioInterval(low, high)}${pairs}`;
    case 'undecided':
      return apart;
  }
}

/** What a variant is compared with: `standard`, or `its stored baseline`. */
export function baselineWords({ baseline, baselineRun }: Pick<Comparison, 'baseline' | 'baselineRun'>): string {
  return baselineRun === null ? baseline : 'its stored baseline';
}

/** Whether a comparison finds a difference that is more than this machine may make. */
export function tellsApart({ finding, notes }: Pick<Comparison, 'finding' | 'notes'>): boolean {
  return (finding === 'lower' || finding === 'higher') && !notes.some(({ code }) => code === 'below_noise_floor');
}

/** The comparisons that are said first: of what a caller waits for, over all blocks; of a sweep at each step. */
export function headlineComparisons(
  comparisons: readonly Comparison[],
  load: Pick<Load, 'mode'>,
): readonly Comparison[] {
  const metric = headlineLatency(load);
  return comparisons.filter(
    (each) => each.metric === metric && (each.scope.of === 'cells' || each.scope.of === 'rounds'),
  );
}

/** `no comparison: 3 cell pairs, needs 6`. */
function whyNone({ units, nUnits, notes }: Pick<Comparison, 'units' | 'nUnits' | 'notes'>): string {
  const needs = notes.find((note) => note.code.startsWith('needs_'));
  if (nUnits === 0 || needs === undefined || !('value' in needs)) return `no comparison: ${comparisonNoteWords(notes)}`;
  return `no comparison: ${plural(nUnits, UNIT_NOUNS[units])}, needs ${count(needs.value)}`;
}

/** `2.15x`. */
export function times(ratio: number): string {
  return `${ratioWords(ratio)}x`;
}

/** Three digits, two of them behind the point where that is more: `1.01`, `12.4`, `0.0213`. */
export function ratioWords(ratio: number): string {
  if (ratio >= 100) return count(Math.round(ratio));
  if (ratio >= 10) return ratio.toFixed(1);
  return ratio >= 0.1 ? ratio.toFixed(2) : ratio.toPrecision(3);
}

/** `[2.05, 2.22]`; an open end is `above 2.05` or `below 2.22`. */
export function ratioInterval(low: number | null, high: number | null): string {
  if (low === null && high === null) return '[open]';
  if (low === null) return `[below ${endWords(high ?? 0)}]`;
  return high === null ? `[above ${endWords(low)}]` : `[${endWords(low)}, ${endWords(high)}]`;
}

/** As `ratioWords`; an end beside 1 keeps the digits that tell on which side of it it lies. */
function endWords(ratio: number): string {
  const words = ratioWords(ratio);
  return Number(words) === 1 && ratio !== 1 ? String(Number(ratio.toPrecision(ratio < 1 ? 4 : 5))) : words;
}

function ends({ ciLow, ciHigh }: Comparison): readonly [number | null, number | null] {
  return [ciLow, ciHigh];
}

/** One over a ratio: an open end stays open. */
export function inverse(value: number | null): number | null {
  return value === null ? null : 1 / value;
}
