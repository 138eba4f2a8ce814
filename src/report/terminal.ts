import type { Analysis, FailureGroup, VariantSummary, Warning } from '../analysis/analysis.ts';
import { KIND_NAMES } from './kind-name.ts';
import { indistinctVariants } from './noise-floor.ts';
import {
  count,
  duration,
  durationInterval,
  durationUnit,
  elapsed,
  plural,
  rate,
  rateUnit,
  share,
  shareInterval,
} from './quantity.ts';
import {
  byKind,
  completeness,
  type Measures,
  measuresOf,
  NO_GATE,
  type Statement,
  sameBytes,
  statementOf,
} from './statement.ts';
import { clipped, padded, textWidth, wrapped } from './text-width.ts';
import { visibleLine } from './visible.ts';

export interface TerminalOptions {
  /** Whether to write colour sequences. */
  readonly colour: boolean;
  /** Columns of the terminal; at least 40 are used. */
  readonly width: number;
}

/** A cell of the table: its number, and below it the interval or the reason why there is none. */
interface Cell {
  readonly value: string;
  readonly evidence: string;
}

type Paint = (style: 'bold' | 'dim' | 'red' | 'yellow' | 'green', text: string) => string;

const STYLES = { bold: '1', dim: '2', red: '31', yellow: '33', green: '32' } as const;
const HEADS = ['ok', 'p50', 'p95', 'errors', 'same bytes', 'assets'] as const;
const GAP = '  ';
const NARROWEST = 40;
const NARROWEST_NAME = 8;
const WIDEST_NAME = 28;
const MOST_FAILURES = 8;
const WIDEST_FAILED_NAME = 20;

/**
 * A run in short, ending with a line feed: a table for each kind, failures, warnings with cause and remedy. Text that
 * came from others has its control characters spelled out.
 */
export function renderTerminal(analysis: Analysis, options: TerminalOptions): string {
  const width = Math.max(NARROWEST, options.width);
  const paint: Paint = (style, text) =>
    options.colour && text !== '' ? `\u001b[${STYLES[style]}m${text}\u001b[0m` : text;
  const blocks = [head(analysis, width, paint)];
  for (const [kind, variants] of byKind(analysis.variants))
    blocks.push(
      kindBlock(KIND_NAMES[kind], variants, analysis, width, paint),
      ...indistinctVariants(analysis, variants).map((sentence) => wrapped(visibleLine(sentence), width)),
    );
  if (analysis.measures.length > 0) blocks.push(legend(width, paint));
  if (analysis.failures.length > 0) blocks.push(failures(analysis, width, paint));
  if (analysis.warnings.length > 0)
    blocks.push(analysis.warnings.flatMap((warning) => warningLines(warning, width, paint)));
  return `${blocks.map((lines) => lines.map((line) => line.trimEnd()).join('\n')).join('\n\n')}\n`;
}

function head(analysis: Analysis, width: number, paint: Paint): readonly string[] {
  const { run } = analysis;
  const title = clipped(visibleLine(run.suite), width - textWidth(run.id) - GAP.length);
  const sent =
    run.durationMs === null
      ? 'nothing was sent'
      : `${plural(run.requestsSent, 'request')} in ${elapsed(run.durationMs)}`;
  const status = wrapped(`${visibleLine(completeness(analysis))}; ${sent}.`, width);
  return [
    `${paint('bold', title)}${GAP}${paint('dim', run.id)}`,
    ...status.map((line) => paint(run.complete ? 'green' : 'red', line)),
    ...wrapped(`${NO_GATE}.`, width),
  ];
}

function kindBlock(
  name: string,
  variants: readonly VariantSummary[],
  analysis: Analysis,
  width: number,
  paint: Paint,
): readonly string[] {
  const measures = measuresOf(analysis);
  const rows = cellsOf(variants, analysis, measures);
  const columns = HEADS.map((label, index) =>
    Math.max(
      textWidth(label),
      ...rows.map((row) => Math.max(textWidth(row[index]?.value ?? ''), textWidth(row[index]?.evidence ?? ''))),
    ),
  );
  const names = variants.map((variant) => visibleLine(variant.name));
  const room = width - columns.reduce((sum, column) => sum + column + GAP.length, 0);
  if (room < NARROWEST_NAME)
    return [paint('bold', name), ...names.flatMap((each, row) => stacked(each, rows[row] ?? [], width, paint))];
  // A name that does not fit beside its numbers stands in a line of its own, above them.
  const first = Math.max(...names.map(textWidth).filter((each) => each <= Math.min(room, WIDEST_NAME)), NARROWEST_NAME);
  const line = (start: string, texts: readonly string[]): string =>
    [padded(clipped(start, first), first), ...texts.map((text, index) => padded(text, columns[index] ?? 0))].join(GAP);
  return [
    paint('bold', name),
    paint('dim', line('', HEADS)),
    ...rows.flatMap((row, index) => {
      const each = names[index] ?? '';
      const beside = textWidth(each) <= first;
      return [
        ...(beside ? [] : [clipped(each, width)]),
        line(
          beside ? each : '',
          row.map(({ value }) => value),
        ),
        paint(
          'dim',
          line(
            '',
            row.map(({ evidence }) => evidence),
          ),
        ),
      ];
    }),
  ];
}

/** A variant where the screen is too narrow for a table: a line for each number. */
function stacked(name: string, row: readonly Cell[], width: number, paint: Paint): readonly string[] {
  const widest = Math.max(...HEADS.map(textWidth));
  return [
    clipped(name, width),
    ...row.map(({ value, evidence }, index) => {
      const start = `${GAP}${padded(HEADS[index] ?? '', widest)}${GAP}${value}`;
      return start + paint('dim', clipped(evidence === '' ? '' : `${GAP}${evidence}`, width - textWidth(start)));
    }),
  ];
}

function cellsOf(
  variants: readonly VariantSummary[],
  analysis: Analysis,
  measures: Measures,
): readonly (readonly Cell[])[] {
  const values = (metric: string, statistic: string) =>
    variants.map(({ name }) => measures(name, metric, statistic)?.value ?? null);
  const unit = durationUnit([...values('latency.total', 'p50'), ...values('latency.total', 'p95')]);
  const per = rateUnit(values('throughput', 'rate'));
  const perUnit = (value: number): string => rate(value, per).replace(' / ', '/');
  return variants.map((variant) => {
    const stated = (metric: string, statistic: string, print: (value: number) => string, between: Between): Cell =>
      cellOf(statementOf(measures(variant.name, metric, statistic), print, between));
    const latency = (statistic: string): Cell =>
      stated(
        'latency.total',
        statistic,
        (ms) => duration(ms, unit),
        (low, high) => durationInterval(low, high, unit),
      );
    const bytes = sameBytes(variant, analysis.cells, measures);
    return [
      { value: `${count(variant.outcomes.ok ?? 0)}/${count(variant.plannedTrials)}`, evidence: '' },
      latency('p50'),
      latency('p95'),
      stated('error_rate', 'rate', share, shareInterval),
      {
        value: bytes.value === null ? '–' : `${count(bytes.same)}/${count(bytes.testable)}`,
        evidence: bytes.shortBound,
      },
      stated('throughput', 'rate', perUnit, (low, high) => `${perUnit(low)} – ${perUnit(high)}`),
    ];
  });
}

type Between = (low: number, high: number) => string;

function cellOf({ value, interval, note }: Statement): Cell {
  if (interval !== null) return { value: value ?? '–', evidence: withoutUnit(interval) };
  // Where there is no value, nobody asks for its interval.
  const [first = ''] = value === null ? note.split('; ') : [note];
  return { value: value ?? '–', evidence: visibleLine(first) };
}

/** `2.14–2.28` for `2.14 – 2.28 s`: the unit stands above. */
function withoutUnit(interval: string): string {
  return interval.replace(' – ', '–').replace(/ [a-z%]+$/, '');
}

function legend(width: number, paint: Paint): readonly string[] {
  const words =
    'Below each number: its 95 % interval, or why it has none. Same bytes: cells whose takes are all equal; below, how often ' +
    'a further take departs at most (one-sided 95 %), or the share of takes that did. These prompts, this run.';
  return wrapped(words, width).map((line) => paint('dim', line));
}

function failures(analysis: Analysis, width: number, paint: Paint): readonly string[] {
  const sent = new Map(analysis.variants.map((variant) => [variant.name, variant.plannedTrials - variant.missing]));
  const shown = analysis.failures.slice(0, MOST_FAILURES);
  const names = Math.min(WIDEST_FAILED_NAME, Math.max(...shown.map(({ variant }) => textWidth(visibleLine(variant)))));
  const more = analysis.failures.length - shown.length;
  return [
    paint('bold', 'Failures'),
    ...shown.map((group) => failureLine(group, sent.get(group.variant) ?? 0, names, width, paint)),
    ...(more > 0 ? [paint('dim', `and ${plural(more, 'more group')}`)] : []),
  ];
}

function failureLine(
  { variant, outcome, code, httpStatus, count: failed, message }: FailureGroup,
  sent: number,
  names: number,
  width: number,
  paint: Paint,
): string {
  const told = httpStatus === null || code.includes(String(httpStatus));
  const where = told ? visibleLine(code) : `${visibleLine(code)} (HTTP ${httpStatus})`;
  const start = `${padded(clipped(visibleLine(variant), names), names)}${GAP}${count(failed)} of ${count(sent)}${GAP}`;
  const kind = clipped(outcome.replaceAll('_', ' '), width - textWidth(start));
  const room = width - textWidth(start) - textWidth(kind);
  const rest = room > GAP.length ? clipped(`${GAP}${where}: ${visibleLine(message)}`, room) : '';
  return `${start}${paint('red', kind)}${rest}`;
}

function warningLines({ what, cause, remedy }: Warning, width: number, paint: Paint): readonly string[] {
  const indented = (label: string, text: string): readonly string[] =>
    wrapped(`${label}: ${visibleLine(text)}`, width - GAP.length).map((line) => `${GAP}${line}`);
  return [
    ...wrapped(`! ${visibleLine(what)}`, width).map((line) => paint('yellow', line)),
    ...indented('cause', cause),
    ...indented('remedy', remedy),
  ];
}
