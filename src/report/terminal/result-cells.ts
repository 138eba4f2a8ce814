import type { Analysis } from '../../analysis/analysis.ts';
import type { Comparison } from '../../analysis/comparison.ts';
import type { VariantSummary } from '../../analysis/summaries.ts';
import { DIRECTION_WORDS, speedOf, speedTimes } from '../../kit/value-words.ts';
import { count, rateUnit, significant } from '../../kit/wording.ts';
import { comparedSpeed, headlineComparisons, isCompared, isNoise, tellsApart } from '../comparison-statement.ts';
import { likenessToBaseline } from '../likeness-statement.ts';
import { latencyColumn, type ResultCell, resultColumns } from '../result-columns.ts';
import { sweepSteps } from '../run-statement.ts';
import { areEqualRepeats, equalWords, repeatsOf, type SameOutputs } from '../sameness-statement.ts';
import { measuresOf, throughputRange } from '../statement.ts';

export interface CellForm {
  readonly head: string;
  /** At a step of a sweep; null: over all. */
  readonly cell: (variant: VariantSummary, step: number | null) => string;
}

export interface TerminalColumn extends CellForm {
  /** What it is where room is scarce; null: nothing. */
  readonly narrow: CellForm | null;
  /** Of the columns that can be narrower, the lowest gives way first; Infinity: this one never does. */
  readonly givesWay: number;
}

export const MOST_STAGES = 3;

/** Of a sweep, what depends on the load, for each step; else a column only where it says something. */
export function terminalColumns(analysis: Analysis, comparisons: readonly Comparison[]): readonly TerminalColumn[] {
  const headlines = headlineComparisons(comparisons, analysis.run.plan.load).filter(
    ({ baselineRun }) => baselineRun === null,
  );
  const hasSpeeds = headlines.some((headline) => comparedSpeed(headline).speed !== null);
  const steps = sweepSteps(analysis.run.plan.load);
  if (steps !== null) {
    return [
      fixed({ head: 'p50', cell: latencyCell(analysis, 'p50') }),
      ...(hasSpeeds ? [speedColumn(headlines)] : []),
      fixed(throughputForm(analysis, steps)),
      ...otherColumns(analysis).filter(({ head }) => head === 'errors'),
    ];
  }
  return [
    ...(hasSpeeds
      ? [fixed({ head: 'p50', cell: latencyCell(analysis, 'p50') }), speedColumn(headlines)]
      : [
          fixed({ head: 'p50 [95 %]', cell: withInterval(latencyColumn(analysis, 'p50', '').cell) }),
          fixed({ head: 'p95', cell: latencyCell(analysis, 'p95') }),
        ]),
    ...(analysis.variants.some((variant) => likenessToBaseline(variant, analysis) !== null)
      ? [likenessColumn(analysis)]
      : []),
    ...(areEqualRepeats(repeatsOf(analysis)) ? [] : [repeatsColumn(analysis)]),
    ...otherColumns(analysis),
  ];
}

function fixed(form: CellForm): TerminalColumn {
  return { ...form, narrow: null, givesWay: Infinity };
}

const fraction = (part: number, whole: number) => `${count(part)}/${count(whole)}`;

function otherColumns(analysis: Analysis): readonly TerminalColumn[] {
  return resultColumns(analysis, analysis.variants, analysis.variants, fraction).flatMap(({ id, cell }) => {
    const form = (head: string): CellForm => ({ head, cell: (variant, step) => cell(variant, step).value ?? '–' });
    if (id === 'errors' || id === 'blocked' || id === 'dropped') return [fixed(form(id))];
    return id === 'cost' ? [{ ...form('cost each'), narrow: null, givesWay: 2 }] : [];
  });
}

function latencyCell(analysis: Analysis, statistic: 'p50' | 'p95'): CellForm['cell'] {
  return (variant, step) => latencyColumn(analysis, statistic, '', step).cell(variant).value ?? '–';
}

/** `245 ms [238–253]`, in the unit of the value; without an interval the reason: `245 ms, needs 22`. */
function withInterval(cell: (variant: VariantSummary) => ResultCell): CellForm['cell'] {
  return (variant) => {
    const { value, interval, needsN } = cell(variant);
    if (value === null) return '–';
    if (interval !== null) return `${value} [${interval.replace(' – ', '–').replace(/ [a-z]+$/, '')}]`;
    return needsN === null ? value : `${value}, needs ${count(needsN)}`;
  };
}

/** `2.50 [2.47, 2.53]`; where slices are too short for one number `4.84–5.36`. */
function throughputForm(analysis: Analysis, steps: readonly number[]): CellForm {
  const measures = measuresOf(analysis);
  const ranges = analysis.variants.flatMap(({ name }) => steps.map((step) => throughputRange(measures, name, step)));
  const per = rateUnit(ranges.map(({ value, high }) => value ?? high));
  const print = (perSecond: number) => significant(per === 's' ? perSecond : perSecond * 60);
  return {
    head: `assets/${per}`,
    cell: ({ name }, step) => {
      const { value, low, high } = throughputRange(measures, name, step);
      if (low === null || high === null) return value === null ? '–' : print(value);
      return value === null ? `${print(low)}–${print(high)}` : `${print(value)} [${print(low)}, ${print(high)}]`;
    },
  };
}

/** Against the baseline variant of the kind: `2.13x [2.01, 2.27]`, `– [0.93, 1.02]`, `too few`. */
function speedColumn(headlines: readonly Comparison[]): TerminalColumn {
  const form = (head: string, words: (comparison: Comparison, value: number) => string): CellForm => ({
    head,
    cell: ({ name, baseline }, step) => {
      const comparison = headlines.find((headline) => headline.variant === name && headline.step === step);
      if (comparison === undefined) return baseline ? 'baseline' : '–';
      const { value } = comparison;
      return value === null || !isCompared(comparison) ? '–' : words(comparison, value);
    },
  });
  return { ...form('speed [95 %]', speedCell), narrow: form('speed', shortSpeed), givesWay: 3 };
}

function speedCell(comparison: Comparison, value: number): string {
  const short = shortSpeed(comparison, value);
  const { interval } = comparedSpeed(comparison);
  if (interval === null) return short;
  return isNoise(comparison) ? `${short}, noise` : `${short} ${interval}`;
}

function shortSpeed(comparison: Comparison, value: number): string {
  const { ciLow, ciHigh } = comparison;
  if (comparedSpeed(comparison).speed === null) return 'too few';
  return tellsApart(comparison) ? `${speedTimes(value, ciLow, ciHigh)}${unitWords(value)}` : '–';
}

/** In this column `as fast` goes without saying. */
function unitWords(value: number): string {
  return speedOf(value).direction === 'slower' ? ` ${DIRECTION_WORDS.slower}` : '';
}

function likenessColumn(analysis: Analysis): TerminalColumn {
  return fixed({
    head: 'similar',
    cell: (variant) => {
      const tally = likenessToBaseline(variant, analysis);
      if (tally === null) return '';
      return tally.compared === 0 ? 'unknown' : fraction(tally.similar, tally.compared);
    },
  });
}

/** `11/16 pixel-identical`, narrow `11/16 pixels`. */
function repeatsColumn(analysis: Analysis): TerminalColumn {
  const repeats = new Map(repeatsOf(analysis).map((outputs) => [outputs.variant, outputs]));
  const form = (words: (outputs: SameOutputs) => string): CellForm => ({
    head: 'equal repeats',
    cell: ({ name }) => {
      const outputs = repeats.get(name);
      return outputs === undefined ? '–' : words(outputs);
    },
  });
  const short = ({ same, testable, level }: SameOutputs) => `${fraction(same, testable)} ${SHORT_LEVELS[level]}`;
  return { ...form((outputs) => equalWords(outputs, fraction)), narrow: form(short), givesWay: 1 };
}

const SHORT_LEVELS: Readonly<Record<SameOutputs['level'], string>> = {
  byte: 'bytes',
  pixel: 'pixels',
  near: 'near',
  similar: 'similar',
  related: 'related',
};
