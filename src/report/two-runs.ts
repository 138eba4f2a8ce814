import { FEWEST_RUNS } from '../analysis/earlier-runs.ts';
import type { BothNumbers, SequentialRatio, TwoRuns } from '../analysis/two-runs.ts';
import type { Verdict } from '../gate/verdict.ts';
import { wrapped } from '../kit/text-width.ts';
import { printedBeside, ratioInterval, timesBeside, type Unit } from '../kit/value-words.ts';
import { visibleLine } from '../kit/visible.ts';
import { count, duration, durationInterval, durationUnit, listedInShort, plural } from '../kit/wording.ts';
import type { Missing } from '../record/run.ts';
import {
  NARROWEST,
  painter,
  printed,
  type TableCell,
  type TableRow,
  type TerminalOptions,
  tableLines,
} from './paint.ts';

/** Two runs, or latencies of a run and its stored baseline. */
type ShownRuns = Pick<TwoRuns, 'before' | 'after' | 'unfit' | 'latency'> & Partial<TwoRuns>;

/** Why latencies of a run are not to be used, or may reflect its machine: shown before its numbers. */
export function unfitSentences({ unfit }: Pick<ShownRuns, 'unfit'>): readonly string[] {
  return unfit.map(({ run, warning }) => `${run}: ${warning.what}`);
}

export function twoRunsHeads({ vantages }: Pick<ShownRuns, 'vantages'>): readonly string[] {
  const from = (side: string, vantage: string | null = null) => (vantage === null ? side : `${side}, from ${vantage}`);
  return ['metric', from('earlier', vantages?.before), from('later', vantages?.after), 'ratio', 'rests on'];
}

/** By variants, whose names are hostile text. A rate that is 0 in both runs has no row. */
export function twoRunsRows({ latency, rates = [], scores = [], stability = [] }: ShownRuns): readonly TableRow[] {
  const rows = [
    ...latency.map(latencyRow),
    ...rates
      .filter(({ before, after }) => before.value !== 0 || after.value !== 0)
      .map((rate) => rowOf(rate.variant, RATE_LABELS[rate.metric], numbers(rate, '1'), '', nWords(rate, 'take'))),
    ...scores.map(({ variant, metric, unit, means }) =>
      means === null
        ? rowOf(variant, metric, ['–', '–'], 'not compared', 'another scorer')
        : rowOf(variant, metric, numbers(means, unit), '', nWords(means, 'output')),
    ),
    ...stability.flatMap(({ variant, level, common, compared, changed }) => {
      if ((level !== 'byte' && level !== 'pixel') || common === 0) return [];
      const same = compared === 0 ? '–' : `${count(compared - changed.length)} of ${count(compared)} same`;
      return [rowOf(variant, LEVEL_LABELS[level], ['', same], '', plural(common, 'output'))];
    }),
  ];
  const variants = [...new Set(rows.map(({ name }) => name))];
  return variants.flatMap((variant) => rows.filter(({ name }) => name === variant));
}

const RATE_LABELS = { error_rate: 'errors', block_rate: 'blocked' } as const;
const LEVEL_LABELS = { byte: 'bytes', pixel: 'pixels' } as const;

function latencyRow({ variant, ratio, ciLow, ciHigh, earlierRuns, cells, p50Ms }: SequentialRatio): TableRow {
  const needed = ratio === null ? '' : `has ${count(earlierRuns)} of ${plural(FEWEST_RUNS, 'run')}`;
  const change: TableCell = {
    value: ratio === null ? '–' : timesBeside(ratio, ciLow, ciHigh),
    evidence: ciLow === null ? needed : ratioInterval(ciLow, ciHigh),
  };
  const grounds = [
    ...(p50Ms?.sameCells === false ? [plural(cells, 'common output')] : []),
    ...(ciLow === null ? [] : [plural(earlierRuns, 'run')]),
  ];
  const of: TableCell = { value: p50Ms === null ? '' : nWords(p50Ms, 'take'), evidence: grounds.join(', ') };
  return rowOf(variant, 'p50', p50Ms === null ? ['–', '–'] : numbers(p50Ms, 'ms'), change, of);
}

type CellText = TableCell | string;

function rowOf(variant: string, metric: string, both: readonly CellText[], change: CellText, of: CellText): TableRow {
  const cells = [metric, ...both, change, of];
  return {
    name: variant,
    cells: cells.map((cell) => (typeof cell === 'string' ? { value: cell, evidence: '' } : cell)),
  };
}

/** Durations of both are in one unit. */
function numbers({ before, after }: BothNumbers, unit: Unit): readonly TableCell[] {
  const shared = durationUnit([before.value, after.value]);
  return [before, after].map(({ value, ciLow, ciHigh }): TableCell => {
    if (value === null) return { value: 'not known', evidence: '' };
    const ends = ciLow === null || ciHigh === null ? null : { low: ciLow, high: ciHigh };
    const print = printedBeside(ends, unit);
    const isTime = unit === 'ms';
    const between = isTime ? (low: number, high: number) => durationInterval(low, high, shared) : print.valueInterval;
    return {
      value: isTime ? duration(value, shared) : print.value(value),
      evidence: ends === null ? '' : `[${between(ends.low, ends.high)}]`,
    };
  });
}

/** `36 takes`; where the runs differ `34 and 36 takes`. */
function nWords({ before, after }: BothNumbers, noun: string): string {
  const words = plural(after.n, noun);
  return before.n === after.n ? words : `${count(before.n)} and ${words}`;
}

const NO_VERDICT = 'No verdict: these numbers include all that differs between the runs (service, machine, network)';

/** What one of two runs lacks, and how the table is read. */
export function twoRunsNotes({ before, after, stability = [], missing = [] }: ShownRuns): readonly string[] {
  return [
    ...missingBetween(missing, { run: after, baseline: before }),
    `Ratio: latency, later / earlier, over prompts x seeds that both have; its interval comes from how much ${FEWEST_RUNS} or more comparable earlier runs differ`,
    ...(stability.length === 0
      ? []
      : ['Bytes, pixels: where takes are equal in the earlier run, how many usual outputs are the same']),
    NO_VERDICT,
  ];
}

/** What keeps a run and its stored baseline from being compared whole, a sentence each. */
export function missingSentences({
  missing,
  baselineRun,
}: Pick<Verdict, 'missing' | 'baselineRun'>): readonly string[] {
  if (baselineRun === null) return [];
  return missingBetween(missing, { run: 'this run', baseline: 'the stored baseline' });
}

export function missingBetween(
  missing: readonly Missing[],
  sides: Readonly<Record<Missing['side'], string>>,
): readonly string[] {
  const other = missing.some(({ what }) => what === 'suite_version');
  const changed = missing.flatMap(({ what, id }) => (what === 'changed_prompt' ? [id] : []));
  const lacks = (side: Missing['side']) => {
    const parts = (['variant', 'prompt', 'seed', 'cell'] as const).flatMap((what) => {
      const ids = missing.filter((gap) => gap.what === what && gap.side === side).map(({ id }) => id);
      const noun = what === 'cell' ? 'output' : what;
      return ids.length === 0 ? [] : [`${ids.length === 1 ? noun : `${noun}s`} ${listedInShort(ids)}`];
    });
    return parts.length === 0 ? [] : [`${sides[side]} lacks ${parts.join('; ')}`];
  };
  return [
    ...(other
      ? [`${sides.baseline} is of another version of the suite or of a target: only common outputs are compared`]
      : []),
    ...lacks('baseline'),
    ...lacks('run'),
    ...(changed.length === 0
      ? []
      : [
          `${sides.baseline} has another text, image or input of ${plural(changed.length, 'prompt')}, not compared: ${listedInShort(changed)}`,
        ]),
  ];
}

/** Ends with a line feed. Control characters of hostile text are spelled out. */
export function renderTwoRuns(runs: ShownRuns, options: TerminalOptions): string {
  const width = Math.max(NARROWEST, options.width);
  const lines = (sentences: readonly string[]) =>
    sentences.flatMap((sentence) => wrapped(visibleLine(sentence), width));
  const rows = twoRunsRows(runs).map(({ name, cells }) => ({
    name: visibleLine(name),
    cells: cells.map(({ value, evidence }) => ({ value: visibleLine(value), evidence })),
  }));
  const title = visibleLine(`${runs.after} against ${runs.before}`);
  const heads = twoRunsHeads(runs).map(visibleLine);
  return printed(
    [lines(unfitSentences(runs)), tableLines(title, heads, rows, width, painter(options)), lines(twoRunsNotes(runs))],
    options,
  );
}
