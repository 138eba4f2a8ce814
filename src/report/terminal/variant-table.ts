import type { Analysis } from '../../analysis/analysis.ts';
import type { Comparison } from '../../analysis/comparison.ts';
import { headlineLatency, headlineMs, type TimedSample } from '../../analysis/effective-sample.ts';
import { type NoteCode, noteClauses } from '../../analysis/note.ts';
import type { VariantSummary } from '../../analysis/summaries.ts';
import { KIND_NAMES, shownName } from '../../kit/names.ts';
import { clipped, padded, shortened, textWidth } from '../../kit/text-width.ts';
import { visibleLine } from '../../kit/visible.ts';
import { count, type DurationUnit, durationInterval } from '../../kit/wording.ts';
import type { Load } from '../../suite/load.ts';
import { sweepSteps } from '../../suite/sweep.ts';
import { likenessToBaseline } from '../likeness-statement.ts';
import { bar, GAP, NARROWEST_NAME, type Paint, WIDEST_NAME } from '../paint.ts';

import { loadStepWords } from '../run-statement.ts';
import { latencyUnits, measuresOf } from '../statement.ts';
import type { StoryTable } from '../story-block.ts';
import { type CellForm, MOST_STAGES, type TerminalColumn, terminalColumns } from './result-cells.ts';

const NARROWEST_STRIP = 5;
const WIDEST_STRIP = 24;

/** Of more rows, long names are cut in the middle instead of having a line of their own. */
const MOST_TALL = 8;

const INDENT = ' ';

interface Row {
  readonly variant: VariantSummary;
  readonly name: string;
  readonly step: number | null;
  readonly words: string | null;
  readonly note: string;
}

interface Group {
  readonly title: string;
  readonly variants: readonly VariantSummary[];
  readonly unit: DurationUnit;
  readonly rows: readonly Row[];
  readonly folded: number;
}

interface TableLayout {
  readonly forms: readonly CellForm[];
  readonly widths: readonly number[];
  /** Columns of a name, its indent included. */
  readonly first: number;
  /** Columns of a strip; 0: there is none. */
  readonly strip: number;
}

/** Kind by kind, a line for each variant; of a sweep, one for each of its steps too. */
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
  tables: readonly StoryTable[],
  width: number,
  paint: Paint,
): readonly string[] {
  const { load } = analysis.run.plan;
  const groups = groupsOf(tables, analysis);
  const columns = terminalColumns({ analysis, comparisons });
  const layout = layoutOf(groups, columns, width, sweepSteps(load) === null);
  if (layout === null) return stacked(groups, columns, width, paint);
  const { forms, widths, first, strip } = layout;
  const line = (start: string, cells: readonly string[]): string =>
    [padded(start, first), ...cells.map((cell, at) => padded(cell, widths[at] ?? 0))].join(GAP);
  const heads = line(
    '',
    forms.map(({ head }) => head),
  );
  return [
    paint('dim', heads),
    ...groups.flatMap(({ title, variants, unit, rows, folded }) => {
      const strips = strip === 0 ? null : distributionStrips(variants, samples, { load, unit }, strip);
      // A long one begins before its strips, where the title's row is empty.
      const axis = padded(strips?.axis ?? '', strip);
      const indent = padded('', textWidth(heads) + GAP.length + strip - textWidth(title) - textWidth(axis));
      return [
        paint('bold', title) + (strips === null ? '' : indent + paint('dim', axis)),
        ...rows.flatMap(({ variant, name, step, words, note }) => {
          const drawn = strips === null || step !== null ? '' : GAP + strips.of(variant.name);
          const isCut = groups.reduce((sum, group) => sum + group.rows.length, 0) > MOST_TALL;
          const shown = isCut ? shortened(name, first - INDENT.length) : name;
          const isBeside = textWidth(shown) + INDENT.length <= first;
          const cells = words === null ? forms.map(({ cell }) => cell(variant, step)) : [];
          const start = isBeside ? INDENT + shown : '';
          return [
            ...(isBeside ? [] : [INDENT + shortened(name, width - INDENT.length)]),
            words === null ? line(start, cells) + drawn : clipped(padded(start, first) + GAP + words, width),
            ...(note === '' ? [] : [paint('dim', `${GAP.repeat(2)}${clipped(note, width - 2 * GAP.length)}`)]),
          ];
        }),
        ...(folded === 0 ? [] : [paint('dim', `${GAP}${clipped(foldedWords(folded), width - GAP.length)}`)]),
      ];
    }),
  ];
}

/** Columns give way until most names fit beside their cells. Null where even the narrowest have no room. */
function layoutOf(
  groups: readonly Group[],
  columns: readonly TerminalColumn[],
  width: number,
  isDrawn: boolean,
): TableLayout | null {
  const rows = groups.flatMap((group) => group.rows);
  const names = rows.map(({ name }) => textWidth(name) + INDENT.length);
  const layouts = Array.from({ length: MOST_STAGES + 1 }, (_, stage) => {
    const forms = columns.flatMap((column): CellForm[] => {
      if (column.givesWay > stage) return [column];
      return column.narrow === null ? [] : [column.narrow];
    });
    const widths = forms.map(({ head, cell }) =>
      Math.max(
        textWidth(head),
        ...rows.map(({ variant, step, words }) => (words === null ? textWidth(cell(variant, step)) : 0)),
      ),
    );
    return { forms, widths, room: width - widths.reduce((sum, columnWidth) => sum + columnWidth + GAP.length, 0) };
  });
  const longest = Math.min(WIDEST_NAME, Math.max(NARROWEST_NAME, ...names));
  const strip = isDrawn ? GAP.length + NARROWEST_STRIP : 0;
  // A strip says more than long words in a column, but less than an interval.
  const chosen =
    layouts.slice(0, MOST_STAGES).find(({ room }) => room >= longest + strip) ??
    layouts.find(({ room }) => room >= longest) ??
    layouts.at(-1);
  if (chosen === undefined || chosen.room < NARROWEST_NAME) return null;
  const { room } = chosen;
  // Where few names are long, a strip says more than a long name beside its numbers.
  const besideStrip = room - strip;
  const mostFit = names.filter((nameWidth) => nameWidth <= besideStrip).length * 2 >= names.length;
  const widest = Math.min(isDrawn && mostFit ? besideStrip : room, WIDEST_NAME);
  const first =
    rows.length > MOST_TALL
      ? Math.min(longest, Math.max(NARROWEST_NAME, widest))
      : Math.max(NARROWEST_NAME, ...names.filter((nameWidth) => nameWidth <= widest));
  const left = Math.min(WIDEST_STRIP, room - first - GAP.length);
  return { ...chosen, first, strip: isDrawn && left >= NARROWEST_STRIP ? left : 0 };
}

function foldedWords(folded: number): string {
  return `${count(folded)} more in the report; shown: the baseline variant and the lowest p50`;
}

function stacked(
  groups: readonly Group[],
  columns: readonly TerminalColumn[],
  width: number,
  paint: Paint,
): readonly string[] {
  const forms = columns.map((column) => column.narrow ?? column);
  const widest = Math.max(...forms.map(({ head }) => textWidth(head)));
  return groups.flatMap(({ title, rows, folded }) => [
    paint('bold', title),
    ...rows.flatMap(({ variant, name, step, words, note }) => [
      shortened(name, width),
      ...(words === null ? forms : []).map(({ head, cell }) =>
        clipped(`${GAP}${padded(head, widest)}${GAP}${cell(variant, step)}`, width),
      ),
      ...[words ?? '', note].flatMap((line) =>
        line === '' ? [] : [paint('dim', GAP + clipped(line, width - GAP.length))],
      ),
    ]),
    ...(folded === 0 ? [] : [paint('dim', clipped(foldedWords(folded), width))]),
  ]);
}

function groupsOf(tables: readonly StoryTable[], analysis: Analysis): readonly Group[] {
  const unitOf = latencyUnits(analysis);
  const steps = sweepSteps(analysis.run.plan.load);
  return tables.map(({ kind, variants, folded }) => ({
    title: KIND_NAMES[kind],
    variants,
    unit: unitOf(variants[0]?.name ?? ''),
    rows: variants.flatMap((variant) => rowsOf(variant, steps, analysis)),
    folded,
  }));
}

function rowsOf(variant: VariantSummary, steps: readonly number[] | null, analysis: Analysis): readonly Row[] {
  const shared = { variant, name: visibleLine(shownName(variant.name)) };
  const note = noteOf(variant, analysis);
  if (steps === null) return [{ ...shared, step: null, words: null, note }];
  const tally = likenessToBaseline(variant, analysis);
  const words =
    tally === null || tally.compared === 0 ? '' : `${count(tally.similar)}/${count(tally.compared)} similar`;
  const { load } = analysis.run.plan;
  return [
    { ...shared, step: null, words, note: '' },
    ...steps.map((step) => ({
      variant,
      name: `${INDENT}at ${loadStepWords(step, load)}`,
      step,
      words: null,
      note: '',
    })),
  ];
}

/** Notes on a median without an interval that the table has no room for. */
const TOLD: ReadonlySet<NoteCode> = new Set(['no_interval', 'next_to_time_outs', 'ci_high_above_ms', 'ci_above_ms']);

function noteOf(variant: VariantSummary, analysis: Analysis): string {
  const { load } = analysis.run.plan;
  const measures = measuresOf(analysis);
  const measure = sweepSteps(load) === null ? measures(variant.name, headlineLatency(load), 'p50') : null;
  const notes = (measure?.notes ?? []).filter(({ code }) =>
    measure?.value === null ? code !== 'needs_n' && code !== 'censored_above_ms' : TOLD.has(code),
  );
  const [missing = ''] = noteClauses(notes);
  return visibleLine(missing);
}

interface Strips {
  /** `96.1–487 ms`. */
  readonly axis: string;
  /** Empty where the variant delivered nothing. */
  readonly of: (variant: string) => string;
}

/** The axis is logarithmic from this ratio of the slowest to the fastest take. */
const LOGARITHMIC_FROM = 20;

/** Each strip is as high as its fullest bar; time-outs are not drawn. @param columns of a strip */
function distributionStrips(
  variants: readonly { readonly name: string }[],
  samples: readonly TimedSample[],
  { load, unit }: { readonly load: Pick<Load, 'mode'>; readonly unit: DurationUnit },
  columns: number,
): Strips | null {
  const latencies = new Map<string, number[]>(variants.map(({ name }) => [name, []]));
  let [low, high] = [Infinity, 0];
  for (const effective of samples) {
    const ofVariant = latencies.get(effective.sample.trial.variant);
    const ms = effective.timed && effective.outcome === 'ok' ? headlineMs(effective, load) : null;
    if (ofVariant === undefined || ms === null) continue;
    ofVariant.push(ms);
    [low, high] = [Math.min(low, ms), Math.max(high, ms)];
  }
  if (low > high) return null;
  const scale = low > 0 && high / low >= LOGARITHMIC_FROM ? Math.log : Number;
  const span = scale(high) - scale(low);
  const binOf = (ms: number) =>
    span === 0 ? 0 : Math.min(columns - 1, Math.floor(((scale(ms) - scale(low)) / span) * columns));
  return {
    axis: durationInterval(low, high, unit).replace(' – ', '–'),
    of: (variant) => {
      const bins = Array.from({ length: columns }, () => 0);
      for (const ms of latencies.get(variant) ?? []) {
        const bin = binOf(ms);
        bins[bin] = (bins[bin] ?? 0) + 1;
      }
      const most = Math.max(...bins);
      return bins.map((takes) => (takes === 0 ? ' ' : bar(takes / most))).join('');
    },
  };
}
