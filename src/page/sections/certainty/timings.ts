import type { Analysis } from '../../../analysis/analysis.ts';
import type { EffectiveSample } from '../../../analysis/effective-sample.ts';
import { groupBy } from '../../../analysis/grouping.ts';
import type { VariantSummary } from '../../../analysis/summaries.ts';
import { KIND_NAMES } from '../../../kit/names.ts';
import { clipped } from '../../../kit/text-width.ts';
import { duration, durationUnit, listed } from '../../../kit/wording.ts';
import { html, type Markup } from '../../../markup/markup.ts';
import { byKind, type Measures, measuresOf } from '../../../report/statement.ts';
import type { Kind } from '../../../suite/kind.ts';
import { linearAxis } from '../../drawing/axis.ts';
import {
  foldedRows,
  rankedVariants,
  rowNames,
  rowsChart,
  wordsAtLeft,
  wordsAtRight,
} from '../../drawing/rows-chart.ts';
import { box, forEachWidth, group, isNarrow, upright } from '../../drawing/svg.ts';
import type { VariantMarks } from '../../drawing/variant-mark.ts';
import { type MarkupScope, ofKind, scopeName, scopesOf } from '../../markup/scope.ts';
import { section } from '../../markup/section.ts';

/** In their order; place and words tell them apart, shades only help. */
const PHASES = [
  { name: 'submit', fill: 'var(--phase-1)' },
  { name: 'queue', fill: 'var(--phase-2)' },
  { name: 'run', fill: 'var(--phase-3)' },
  { name: 'detect', fill: 'var(--phase-4)' },
  { name: 'download', fill: 'var(--phase-5)' },
] as const;

const ROW_HEIGHT = 52;
const BAR_HEIGHT = 20;

interface TimingPart {
  readonly row: number;
  readonly name: string;
  readonly fill: string;
  readonly ms: number;
  readonly fromMs: number;
  readonly toMs: number;
}

export function timingsSection(analysis: Analysis, samples: readonly EffectiveSample[], marks: VariantMarks): Markup {
  const measures = measuresOf(analysis);
  const { load } = analysis.run.plan;
  const synchronous = synchronousVariants(analysis, samples);
  const measured = new Set(analysis.measures.map(({ metric }) => metric));
  return section({
    anchor: 'timings',
    title: 'Where the time goes',
    note: 'Each bar is the median of one timing, in the order of a call; the vertical line is the median latency.',
    more: html`Latency is from the start of the call. The timings of one call add up to its latency; their medians
add up only approximately.${load.mode === 'open' && ' The wait between the due time and the start of a call is not shown here.'} A timing that a target does not have is not drawn; if no
poll saw a job running, its queue time counts as run.${synchronous.size > 0 && ' If the reply to the submit contains the media, submit ends with the head of that reply; the rest is the reply body.'}`,
    content: html`<ul class="legend">${PHASES.map(
      ({ name }, index) =>
        measured.has(`latency.${name}`) &&
        html`<li><span class="${`swatch phase-${index + 1}`}"></span> ${name === 'download' ? lastPhase(synchronous.size, analysis.variants.length) : name}</li>`,
    )}</ul>
${byKind(analysis.variants).map(([kind, variants]) => figureOf(kind, variants, scopesOf(rankedVariants(variants, measures, load), load), { all: analysis.variants, measures, synchronous, marks }))}`,
  });
}

/** Names the last phase for the legend of all variants. */
function lastPhase(synchronous: number, all: number): string {
  if (synchronous === 0) return 'download';
  return synchronous === all ? 'reply body' : 'download, or reply body';
}

interface Drawing {
  readonly all: readonly VariantSummary[];
  readonly measures: Measures;
  readonly synchronous: ReadonlySet<string>;
  readonly marks: VariantMarks;
}

function figureOf(
  kind: Kind,
  variants: readonly VariantSummary[],
  scopes: readonly MarkupScope[],
  { all, measures, synchronous, marks }: Drawing,
): Markup {
  const partsOfRows = (rows: readonly MarkupScope[]): readonly TimingPart[] =>
    rows.flatMap((scope, row) => partsOf(scope, row, measures, synchronous.has(scope.variant.name)));
  const parts = partsOfRows(scopes);
  if (parts.length === 0) return html``;
  const label = `Median timings of ${variants.length} variants of ${KIND_NAMES[kind]}; each row shows its numbers`;
  const longestMs = [...parts.map(({ toMs }) => toMs), ...scopes.map((scope) => totalMs(scope, measures) ?? 0)].reduce(
    (most, ms) => Math.max(most, ms),
    0,
  );
  const drawn = foldedRows(scopes, scopes.length / variants.length, (rows) => {
    const own = partsOfRows(rows);
    return forEachWidth({ marks: parts.length, isSweep: false, scrollLabel: null }, (width) =>
      plot(label, rows, own, { measures, marks, longestMs }, width),
    );
  });
  // One bar a variant says no more than its latency.
  const isTelling = [...groupBy(parts, ({ row }) => row).values()].some(
    (own) => own.filter(({ toMs, fromMs }) => toMs - fromMs > LEAST_TELLING * longestMs).length > 1,
  );
  return ofKind(
    kind,
    all,
    isTelling
      ? drawn
      : html`<details class="fold"><summary>Nearly all of the time is ${listed([...new Set(mainParts(parts))])}: all timings</summary>${drawn}</details>`,
  );
}

/** Of the longest latency: a shorter timing is no part worth a chart. */
const LEAST_TELLING = 0.02;

/** The longest timing of each row. */
function mainParts(parts: readonly TimingPart[]): readonly string[] {
  return [...groupBy(parts, ({ row }) => row).values()].flatMap((own) =>
    own
      .toSorted((a, b) => b.ms - a.ms)
      .slice(0, 1)
      .map(({ name }) => name),
  );
}

/** The reply to the submit held their media: no job was polled, and nothing fetched. */
function synchronousVariants({ variants }: Analysis, samples: readonly EffectiveSample[]): ReadonlySet<string> {
  const ok = groupBy(
    samples.filter(({ outcome }) => outcome === 'ok'),
    ({ sample }) => sample.trial.variant,
  );
  return new Set(
    variants
      .map(({ name }) => name)
      .filter((name) => {
        const own = ok.get(name) ?? [];
        return own.length > 0 && own.every(({ sample }) => sample.downloads === 0 && sample.polls === 0);
      }),
  );
}

function partsOf(
  { variant, step }: MarkupScope,
  row: number,
  measures: Measures,
  synchronous: boolean,
): readonly TimingPart[] {
  let fromMs = 0;
  return PHASES.flatMap(({ name, fill }): readonly TimingPart[] => {
    const ms = measures(variant.name, `latency.${name}`, 'p50', step)?.value ?? null;
    if (ms === null) return [];
    const called = name === 'download' && synchronous ? 'reply body' : name;
    const part = { row, name: called, fill, ms, fromMs, toMs: fromMs + ms };
    fromMs = part.toMs;
    return [part];
  });
}

function totalMs({ variant, step }: MarkupScope, measures: Measures): number | null {
  return measures(variant.name, 'latency.total', 'p50', step)?.value ?? null;
}

/** @param drawing `longestMs`: what the axis spans, folded rows included */
function plot(
  label: string,
  scopes: readonly MarkupScope[],
  parts: readonly TimingPart[],
  drawing: Pick<Drawing, 'measures' | 'marks'> & { readonly longestMs: number },
  width: number,
): Markup {
  const { measures, marks, longestMs } = drawing;
  const narrow = isNarrow(width);
  const totals = scopes.map((scope) => totalMs(scope, measures));
  const axis = linearAxis(longestMs, narrow ? 4 : 8);
  // On a narrow screen five timings with their numbers fit neither beside a name nor in one line.
  const rowHeight = narrow ? ROW_HEIGHT + 32 : ROW_HEIGHT;
  const barTop = narrow ? 54 : 22;
  const byTiming = groupBy(parts, ({ name }) => name);
  const units = new Map([...byTiming].map(([name, own]) => [name, durationUnit(own.map(({ ms }) => ms))]));
  const byRow = groupBy(parts, ({ row }) => row);
  const rows = scopes.map((scope, row) => {
    const own = byRow.get(row) ?? [];
    const words = own.map(({ name, ms }) => `${name} ${duration(ms, units.get(name))}`);
    return {
      row,
      mark: marks(scope.variant.name),
      name: clipped(scopeName(scope), 34),
      words: words.length === 0 ? ['nothing delivered'] : words,
    };
  });
  const lines = rows.flatMap(({ row, words }) =>
    (narrow ? [words.slice(0, 3), words.slice(3)] : [words]).map((line, at) => ({
      y: row * rowHeight + (narrow ? 28 + 15 * at : 12),
      words: line.join('   '),
    })),
  );
  return rowsChart(label, axis, { width, rowsHeight: scopes.length * rowHeight }, (x) => [
    group(
      { stroke: 'var(--page)', 'stroke-width': 1 },
      parts.map(({ row, fromMs, toMs, fill }) => {
        const top = row * rowHeight + barTop;
        return box(x(fromMs), x(toMs), top, top + BAR_HEIGHT, { fill });
      }),
    ),
    group(
      { stroke: 'var(--text)', 'stroke-width': 1.5 },
      totals.flatMap((ms, row) => {
        const top = row * rowHeight + barTop;
        return ms === null ? [] : [upright(x(ms), top - 3, top + BAR_HEIGHT + 3)];
      }),
    ),
    ...rowNames(rows, rowHeight),
    narrow ? wordsAtLeft(lines) : wordsAtRight(lines, width),
  ]);
}
