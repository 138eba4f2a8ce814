import type { Analysis, VariantSummary } from '../../analysis/analysis.ts';
import type { TimedSample } from '../../analysis/effective-sample.ts';
import type { NoteCode } from '../../analysis/note.ts';
import { headlineLatency } from '../../analysis/samples/headline.ts';
import type { Comparison } from '../../compare/comparison.ts';
import { clipped, padded, shortened, textWidth } from '../../text/text-width.ts';
import { visibleLine } from '../../text/visible.ts';
import { count, type DurationUnit } from '../../text/wording.ts';
import { headlineComparisons, tellsApart } from '../statements/comparison-statement.ts';
import { type ResultCell, resultColumns } from '../statements/result-columns.ts';
import { sameOutputs } from '../statements/sameness-statement.ts';
import { byKind, latencyUnits, type Measures, measuresOf } from '../statements/statement.ts';
import { LEVEL_WORDS } from '../words/level-words.ts';
import { sweepSteps } from '../words/load-words.ts';
import { KIND_NAMES } from '../words/names.ts';
import { noteClauses } from '../words/note-words.ts';
import {
  DIRECTION_WORDS,
  type Direction,
  inverse,
  ratioInterval,
  speedOf,
  speedWords,
  times,
} from '../words/value-words.ts';
import { distributionStrips } from './distribution-strip.ts';
import { GAP, type Paint } from './paint.ts';

/** More variants are ranked by their median, and the slowest folded. */
const MOST_VARIANTS = 16;
const FEWEST_OF_KIND = 3;

const NARROWEST_NAME = 8;
const WIDEST_NAME = 28;
const NARROWEST_STRIP = 6;
const WIDEST_STRIP = 24;

const DISTRIBUTION = 'distribution';

/** Sets a variant's name off from its kind. */
const INDENT = ' ';

/** Columns from which a speed has its interval beside it; below, only the sentences above have it. */
const WIDE = 100;

interface VariantRow {
  readonly name: string;
  readonly cells: readonly string[];
  readonly note: string;
}

interface Group {
  readonly title: string;
  readonly variants: readonly VariantSummary[];
  readonly unit: DurationUnit;
  readonly rows: readonly VariantRow[];
  readonly folded: number;
}

/** Kind by kind, a line for each variant; of a sweep without what depends on the load. */
export function variantTable(
  {
    analysis,
    samples,
    comparisons,
  }: {
    readonly analysis: Analysis;
    readonly samples: readonly TimedSample[];
    readonly comparisons: readonly Comparison[];
  },
  width: number,
  paint: Paint,
): readonly string[] {
  const { load } = analysis.run.plan;
  const sweep = sweepSteps(load) !== null;
  const columns = columnsOf(analysis, comparisons, width);
  const groups = groupsOf(analysis, columns);
  const heads = columns.map(({ head }) => head);
  const widths = heads.map((head, at) =>
    Math.max(textWidth(head), ...groups.flatMap(({ rows }) => rows.map(({ cells }) => textWidth(cells[at] ?? '')))),
  );
  const numbers = widths.reduce((sum, each) => sum + each + GAP.length, 0);
  const names = groups.flatMap(({ rows }) => rows.map(({ name }) => textWidth(name) + INDENT.length));
  const room = width - numbers;
  if (room < NARROWEST_NAME) return stacked(groups, heads, width, paint);
  // Where few names are long, a strip says more than a long name beside its numbers.
  const besideStrip = room - GAP.length - NARROWEST_STRIP;
  const mostFit = names.filter((each) => each <= besideStrip).length * 2 >= names.length;
  const widest = Math.min(!sweep && mostFit ? besideStrip : room, WIDEST_NAME);
  const first = Math.max(NARROWEST_NAME, ...names.filter((each) => each <= widest));
  const stripColumns = Math.max(0, Math.min(WIDEST_STRIP, room - first - GAP.length));
  const hasStrip = !sweep && stripColumns >= NARROWEST_STRIP;
  const line = (start: string, cells: readonly string[]): string =>
    [padded(start, first), ...cells.map((cell, at) => padded(cell, widths[at] ?? 0))].join(GAP);
  return [
    paint(
      'dim',
      line('', heads) + (hasStrip ? GAP + (stripColumns < DISTRIBUTION.length ? 'takes' : DISTRIBUTION) : ''),
    ),
    ...groups.flatMap(({ title, variants, unit, rows, folded }) => {
      const strips = hasStrip ? distributionStrips(variants, samples, { load, unit }, stripColumns) : null;
      // A long one begins before its strips, where the title's row is empty.
      const axis = padded(strips?.axis ?? '', stripColumns);
      const indent = padded('', first + numbers + GAP.length + stripColumns - textWidth(title) - textWidth(axis));
      return [
        paint('bold', title) + (strips === null ? '' : indent + paint('dim', axis)),
        ...rows.flatMap(({ name, cells, note }, at) => {
          const strip = strips === null ? '' : GAP + strips.of(variants[at]?.name ?? '');
          const isBeside = textWidth(name) + INDENT.length <= first;
          return [
            ...(isBeside ? [] : [INDENT + shortened(name, width - INDENT.length)]),
            line(isBeside ? INDENT + name : '', cells) + strip,
            ...(note === '' ? [] : [paint('dim', `${GAP.repeat(2)}${clipped(note, width - 2 * GAP.length)}`)]),
          ];
        }),
        ...(folded === 0 ? [] : [paint('dim', `${GAP}${clipped(foldedWords(folded), width - GAP.length)}`)]),
      ];
    }),
  ];
}

function foldedWords(folded: number): string {
  return `${count(folded)} more in the report; shown are the baseline and those with the lowest p50`;
}

function stacked(groups: readonly Group[], heads: readonly string[], width: number, paint: Paint): readonly string[] {
  const widest = Math.max(...heads.map(textWidth));
  return groups.flatMap(({ title, rows, folded }) => [
    paint('bold', title),
    ...rows.flatMap(({ name, cells, note }) => [
      shortened(name, width),
      ...cells.map((cell, at) => clipped(`${GAP}${padded(heads[at] ?? '', widest)}${GAP}${cell}`, width)),
      ...(note === '' ? [] : [paint('dim', GAP + clipped(note, width - GAP.length))]),
    ]),
    ...(folded === 0 ? [] : [paint('dim', clipped(foldedWords(folded), width))]),
  ]);
}

interface TerminalColumn {
  readonly head: string;
  readonly cell: (variant: VariantSummary) => string;
}

function columnsOf(analysis: Analysis, comparisons: readonly Comparison[], width: number): readonly TerminalColumn[] {
  const { variants, run } = analysis;
  const headlines = headlineComparisons(comparisons, run.plan.load).filter(({ step }) => step === null);
  const fraction = (part: number, whole: number) => `${count(part)}/${count(whole)}`;
  return resultColumns(analysis, variants, variants, fraction).flatMap(({ id, cell }, at): TerminalColumn[] => {
    const valueAs = (head: string): TerminalColumn => ({ head, cell: (variant) => cell(variant).value ?? '–' });
    switch (id) {
      case 'latency':
        if (at > 0) return [];
        return [
          valueAs('p50'),
          { head: '95 % CI', cell: (variant) => intervalCell(cell(variant)) },
          ...(headlines.length === 0 ? [] : [speedColumn(headlines, width >= WIDE)]),
        ];
      case 'same':
        return [sameColumn(analysis, measuresOf(analysis))];
      case 'likeness':
      case 'dropped':
      case 'throughput':
        return [];
      case 'cost':
        return [valueAs('cost each')];
      default:
        return [valueAs(id)];
    }
  });
}

/** `300–342`, in the unit of the value; without an interval the reason: `n < 22`. */
function intervalCell({ interval, needsN }: ResultCell): string {
  if (interval !== null) return interval.replace(' – ', '–').replace(/ [a-z]+$/, '');
  return needsN === null ? '–' : `n < ${count(needsN)}`;
}

/**
 * Where all speeds go one way the head says which: `as fast`, and below it `1.95x`; else each cell does. Cells that are
 * not told apart have no number. @param isWide whether there is room for intervals
 */
function speedColumn(headlines: readonly Comparison[], isWide: boolean) {
  const shared = sharedDirection(headlines);
  return {
    head: shared === null ? 'speed' : DIRECTION_WORDS[shared],
    cell: ({ name, baseline }: VariantSummary): string => {
      const comparison = comparisonOf(name, headlines);
      if (comparison === null) return baseline ? 'baseline' : '–';
      const { value, ciLow, ciHigh, ciLevel, finding } = comparison;
      if (value === null || finding === 'too_few') return '–';
      if (!tellsApart(comparison)) return 'undecided';
      const { ratio, direction } = speedOf(value);
      const [low, high] = direction === 'faster' ? [inverse(ciHigh), inverse(ciLow)] : [ciLow, ciHigh];
      const words = shared === null ? speedWords(value) : times(ratio);
      return isWide && ciLevel !== null ? `${words} ${ratioInterval(low, high)}` : words;
    },
  };
}

/** Against the stored baseline only where there is no comparison with the baseline variant. */
function comparisonOf(name: string, headlines: readonly Comparison[]): Comparison | null {
  const own = headlines.filter(({ variant }) => variant === name);
  return own.find(({ baselineRun }) => baselineRun === null) ?? own[0] ?? null;
}

/** Null where speeds go both ways, or none is told apart. */
function sharedDirection(headlines: readonly Comparison[]): Direction | null {
  const told = headlines.flatMap((comparison) =>
    comparison.value !== null && tellsApart(comparison) ? [speedOf(comparison.value).direction] : [],
  );
  const [first = null] = told;
  return told.every((direction) => direction === first) ? first : null;
}

/** In how many cells takes are equal, and at which level; the head names a level that all variants share. */
function sameColumn({ variants, cells }: Analysis, measures: Measures): TerminalColumn {
  const found = new Map(variants.map((variant) => [variant.name, sameOutputs(variant, cells, measures)]));
  const levels = new Set([...found.values()].flatMap(({ value, level }) => (value === null ? [] : [level])));
  const [shared] = levels.size === 1 ? levels : [];
  return {
    head: shared === undefined ? 'equal repeats' : LEVEL_WORDS[shared].same,
    cell: ({ name }) => {
      const own = found.get(name);
      if (own === undefined || own.value === null) return '–';
      const cellsOf = `${count(own.same)}/${count(own.testable)}`;
      return shared === undefined ? `${cellsOf} ${LEVEL_WORDS[own.level].same}` : cellsOf;
    },
  };
}

/** Of many variants, the baseline variant and the fastest, ranked by their median. */
function groupsOf(analysis: Analysis, columns: readonly TerminalColumn[]): readonly Group[] {
  const measures = measuresOf(analysis);
  const metric = headlineLatency(analysis.run.plan.load);
  const median = ({ name }: VariantSummary) => measures(name, metric, 'p50')?.value ?? Infinity;
  const kinds = byKind(analysis.variants);
  const unitOf = latencyUnits(analysis);
  const isFolded = analysis.variants.length > MOST_VARIANTS;
  const most = Math.max(FEWEST_OF_KIND, Math.floor(MOST_VARIANTS / kinds.length));
  return kinds.map(([kind, all]) => {
    const variants =
      isFolded && all.length > most
        ? all
            .toSorted((a, b) => Number(b.baseline) - Number(a.baseline) || order(median(a), median(b)))
            .slice(0, most)
            .toSorted((a, b) => order(median(a), median(b)))
        : all;
    const unit = unitOf(all[0]?.name ?? '');
    const rows = variants.map((variant) => ({
      name: visibleLine(variant.name),
      cells: columns.map(({ cell }) => cell(variant)),
      note: noteOf(variant, analysis, measures),
    }));
    return { title: KIND_NAMES[kind], variants, unit, rows, folded: all.length - variants.length };
  });
}

/** Handles two missing medians: their difference is not a number. */
function order(a: number, b: number): number {
  return a === b ? 0 : a - b;
}

/** Notes on a median without an interval that the table has no room for. */
const TOLD: ReadonlySet<NoteCode> = new Set(['no_interval', 'next_to_time_outs', 'ci_high_above_ms', 'ci_above_ms']);

/** Why a median, its interval or a knee is missing, and how many starts were dropped. */
function noteOf(variant: VariantSummary, { run }: Analysis, measures: Measures): string {
  const isSweep = sweepSteps(run.plan.load) !== null;
  const measure = isSweep
    ? measures(variant.name, 'knee', 'concurrency')
    : measures(variant.name, headlineLatency(run.plan.load), 'p50');
  const notes = (measure?.notes ?? []).filter(({ code }) =>
    measure?.value === null ? code !== 'needs_n' && code !== 'censored_above_ms' : TOLD.has(code),
  );
  const [missing] = noteClauses(notes);
  const dropped = variant.outcomes.dropped ?? 0;
  return [
    ...(missing === undefined ? [] : [visibleLine(missing)]),
    ...(dropped === 0 ? [] : [`${count(dropped)} dropped of ${count(variant.plannedTrials)}`]),
  ].join('; ');
}
