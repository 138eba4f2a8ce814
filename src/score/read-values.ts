import { hash } from 'node:crypto';
import { basename } from 'node:path';
import type { Checked, Diagnostic } from '../kit/diagnostic.ts';
import { nearest } from '../kit/nearest.ts';
import { count } from '../kit/wording.ts';
import type { StoredRun } from '../record/kept-run.ts';
import type { OutputScore, ScorerLine } from '../record/score.ts';
import { byOf, scoreKey } from '../record/score-key.ts';
import { LARGEST_SCORE, MOST_METRICS, SCORE_PREFIX, SCORE_UNITS, scoreMetricName } from '../suite/score-label.ts';
import type { DeclaredScorer, GivenValue } from '../suite/scorer.ts';
import {
  type ColumnRow,
  columnRows,
  type FileScorer,
  MOST_FAULTS,
  type NamedValue,
  type OutputsByTrial,
  outputsByTrial,
  type TrialOutput,
  type ValueCell,
  valueFinder,
} from './from-file/named-values.ts';

const NEEDED = ['trial', 'metric', 'value'] as const;
const COLUMNS = [...NEEDED, 'better', 'unit'] as const;
type ValueRow = ColumnRow<(typeof COLUMNS)[number]>;

/** 10 metrics of 100,000 takes. */
const MOST_VALUES = 1_000_000;

interface FileScores {
  /**
   * In the order of the file; scorers come last. So a process that is killed while it writes them changes nothing that
   * counts.
   */
  readonly lines: readonly (OutputScore | ScorerLine)[];
  readonly metrics: readonly ScoredMetric[];
}

export interface ScoredMetric {
  readonly metric: string;
  readonly better: GivenValue['better'];
  /** Outputs with a value, equal ones once. */
  readonly outputs: number;
  /** Outputs without one, of the variants that have values, where they count in a score. */
  readonly without: number;
}

/**
 * Reads a file of values whole, or gives its faults with line: `trial`, `metric`, `value`, and `better` and
 * `unit` where the suite does not say them. Equal outputs of a prompt share a value: the
 * mean, with a warning, of what differs in the last digits.
 *
 * @param file the name that diagnostics print
 */
export function readValues(
  { file, text }: { readonly file: string; readonly text: string },
  record: Pick<StoredRun, 'run' | 'samples' | 'facts' | 'scores'>,
): Checked<FileScores> {
  const rows = columnRows(file, text, { columns: COLUMNS, needed: NEEDED, most: MOST_VALUES });
  if (!rows.ok) return rows;
  const outputs = outputsByTrial(record);
  const faults: Diagnostic[] = [];
  const { scorers: declared = [] } = record.run;
  const recorded = record.scores.flatMap((line) => (line.line === 'scorer' ? [line.declared] : []));
  const metrics = new Set([...declared, ...recorded].flatMap(metricsOf));
  const reader = new ValueReader(outputs, valueFinder(declared), metrics, (cell, cause, remedy) => {
    faults.push({ place: { file, line: cell.line, column: 1 }, cause, remedy });
    return null;
  });
  for (const row of rows.value) {
    reader.read(row);
    if (faults.length >= MOST_FAULTS) break;
  }
  if (faults.length === 0) reader.checkWhole();
  if (faults.length > 0) return { ok: false, diagnostics: faults };
  const files = { [basename(file)]: hash('sha256', text, 'hex') };
  const scorers = [...reader.scorers].map(([name, values]) => linesOf(name, values, reader.values, files));
  return {
    ok: true,
    value: {
      lines: [...scorers.flatMap(({ lines }) => lines), ...scorers.map(({ scorer }) => scorer)],
      metrics: reader.metrics(),
    },
    warnings: reader.unequal.size === 0 ? [] : [meanTaken(file, reader.unequal.size)],
  };
}

function meanTaken(file: string, outputs: number): Diagnostic {
  const has = outputs === 1 ? 'output has' : 'outputs have';
  const cause = `${file}: ${count(outputs)} ${has} several values that differ by at most 0.1 %, and their mean is used`;
  return { place: null, cause, remedy: 'give equal outputs one value' };
}

type RefuseCell = (cell: Pick<ValueCell, 'line'>, cause: string, remedy: string) => null;

/** With the cells that named the value first. */
interface SaidValue extends NamedValue {
  readonly first: ValueCell;
  better: ValueCell | null;
  unit: ValueCell | null;
}

interface OutputValues {
  readonly scorer: string;
  readonly output: TrialOutput;
  /** By the name of the value. */
  readonly values: Map<string, SharedValue>;
}

/** Of equal outputs of a prompt: the mean of what the file says of each. */
interface SharedValue {
  readonly first: number;
  readonly mean: number;
  readonly n: number;
  readonly trial: string;
  readonly line: number;
}

/**
 * Equal outputs may get values that differ by this share of their size: programs on a GPU do not repeat the last
 * digits.
 */
const MOST_APART = 1e-3;

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const DIRECTIONS = ['higher', 'lower'] as const;

class ValueReader {
  /** By scorer and output. */
  readonly values = new Map<string, OutputValues>();
  /** Outputs whose equals have values that differ a little. */
  readonly unequal = new Set<string>();
  /** Values that the file names, by scorer. */
  readonly scorers = new Map<string, SaidValue[]>();
  readonly #named = new Map<string, SaidValue | null>();
  readonly #unknown = new Set<string>();
  readonly #lines = new Map<string, number>();
  readonly #outputs: OutputsByTrial;
  readonly #find: ReturnType<typeof valueFinder>;
  readonly #metrics: Set<string>;
  readonly #refuse: RefuseCell;

  /** @param metrics of the run so far */
  constructor(outputs: OutputsByTrial, find: ReturnType<typeof valueFinder>, metrics: Set<string>, refuse: RefuseCell) {
    this.#outputs = outputs;
    this.#find = find;
    this.#metrics = metrics;
    this.#refuse = refuse;
  }

  read(row: ValueRow): void {
    const named = this.#nameOf(row('metric'));
    if (named !== null) {
      this.#hear(named, 'better', row('better'), DIRECTIONS);
      this.#hear(named, 'unit', row('unit'), SCORE_UNITS);
    }
    const trial = row('trial');
    const output = this.#outputOf(trial);
    const value = this.#numberOf(row('value'), named);
    if (named !== null && output !== null && value !== null) this.#keep(named, trial, output, value);
  }

  /** Requires all values of a scorer, because the next file replaces this one. */
  checkWhole(): void {
    for (const values of this.scorers.values()) {
      const { declared, scorer, first } = values[0] ?? {};
      if (declared === undefined || declared === null || first === undefined) continue;
      const missing = declared.scorer.gives.find(({ value }) => !values.some((named) => named.value === value));
      if (missing === undefined) continue;
      this.#refuse(
        first,
        `the file lacks the value "${missing.value}" of the scorer "${scorer}"`,
        'put all its values into one file',
      );
    }
  }

  metrics(): readonly ScoredMetric[] {
    const outputs = [...this.#outputs.values()].filter((output) => typeof output === 'object');
    return [...this.scorers.values()].flat().map((named) => {
      const scored = new Set(
        [...this.values.values()].flatMap(({ scorer, values, output }) =>
          scorer === named.scorer && values.has(named.value) ? [outputKey(output)] : [],
        ),
      );
      const variants = new Set(outputs.flatMap((output) => (scored.has(outputKey(output)) ? [output.variant] : [])));
      const counting = outputs.filter(({ variant, counts }) => counts && variants.has(variant));
      const without = new Set(counting.map(outputKey).filter((key) => !scored.has(key)));
      return { metric: named.metric, better: givenOf(named).better, outputs: scored.size, without: without.size };
    });
  }

  /** Reports each wrong name once. */
  #nameOf(cell: ValueCell): SaidValue | null {
    const known = this.#named.get(cell.text);
    if (known !== undefined) return known;
    const match = this.#find(cell.text);
    const named = 'cause' in match ? this.#refuse(cell, match.cause, match.remedy) : this.#say(match, cell);
    this.#named.set(cell.text, named);
    return named;
  }

  /** `hps` and `score.hps` are the same. */
  #say(match: NamedValue, first: ValueCell): SaidValue | null {
    const values = this.scorers.get(match.scorer) ?? [];
    const known = values.find(({ value }) => value === match.value);
    if (known !== undefined) return known;
    this.#metrics.add(match.metric);
    if (this.#metrics.size > MOST_METRICS) {
      const isFirst = this.#metrics.size === MOST_METRICS + 1;
      return isFirst ? this.#refuse(first, `the run gets more than ${MOST_METRICS} metrics`, FEWER) : null;
    }
    const named = { ...match, first, better: null, unit: null };
    this.scorers.set(match.scorer, [...values, named]);
    return named;
  }

  #hear(named: SaidValue, column: 'better' | 'unit', cell: ValueCell, known: readonly string[]): void {
    if (cell.text === '') return;
    const earlier = named[column];
    if (earlier !== null) {
      if (earlier.text === cell.text) return;
      this.#refuse(cell, `${column} is "${cell.text}" here and "${earlier.text}" in line ${earlier.line}`, ONE);
      return;
    }
    named[column] = cell;
    if (!known.includes(cell.text)) {
      const near = nearest(cell.text, known);
      const remedy = `write ${near ?? known.join(' or ')}, or leave the cell empty`;
      this.#refuse(cell, `${column} must not be "${cell.text}"`, remedy);
      return;
    }
    const declared = named.declared?.given[column];
    if (declared === undefined || declared === cell.text) return;
    const suite = declared === null ? 'without a direction' : `"${declared}"`;
    this.#refuse(cell, `${column} is "${cell.text}" here and ${suite} in the suite`, 'leave the cell empty');
  }

  /** Reports each wrong trial once. */
  #outputOf(cell: ValueCell): TrialOutput | null {
    const known = this.#outputs.get(cell.text);
    if (typeof known === 'object') return known;
    if (this.#unknown.has(cell.text)) return null;
    this.#unknown.add(cell.text);
    return known === undefined
      ? this.#refuse(cell, `unknown trial "${cell.text}"`, 'take it from the column trial of samples.csv of this run')
      : this.#refuse(cell, `trial ${cell.text} has no output (${known})`, 'remove its rows');
  }

  #numberOf(cell: ValueCell, named: SaidValue | null): number | null {
    const text = cell.text.trim();
    if (text === '') return this.#refuse(cell, 'the value is empty', 'write a number, or remove the row');
    const value = NUMBER.test(text) ? Number(text) : Number.NaN;
    if (!(Math.abs(value) <= LARGEST_SCORE)) {
      const what = Number.isNaN(value) ? 'is not a number' : 'is not from -1e15 to 1e15';
      return this.#refuse(cell, `"${cell.text}" ${what}`, 'write a number such as 0.281, or remove the row');
    }
    const range = named?.declared?.given.range ?? null;
    if (range === null || (range[0] <= value && value <= range[1])) return value + 0;
    const remedy = 'correct it, or the range in the suite';
    return this.#refuse(cell, `${text} is not from ${range[0]} to ${range[1]}, the range in the suite`, remedy);
  }

  #keep(named: SaidValue, cell: ValueCell, output: TrialOutput, value: number): void {
    const { text: trial, line } = cell;
    const row = `${named.metric} ${trial}`;
    const before = this.#lines.get(row);
    if (before !== undefined) {
      this.#refuse(cell, `trial ${trial} has a value of ${named.metric} in line ${before} too`, 'keep one of them');
      return;
    }
    this.#lines.set(row, line);
    const key = `${named.scorer} ${outputKey(output)}`;
    const outputValues = this.values.get(key) ?? { scorer: named.scorer, output, values: new Map() };
    this.values.set(key, outputValues);
    const other = outputValues.values.get(named.value);
    if (other === undefined) outputValues.values.set(named.value, { first: value, mean: value, n: 1, trial, line });
    else if (Math.abs(value - other.first) <= MOST_APART * Math.max(Math.abs(value), Math.abs(other.first))) {
      const n = other.n + 1;
      if (value !== other.first) this.unequal.add(key);
      outputValues.values.set(named.value, { ...other, n, mean: other.mean + (value - other.mean) / n });
    } else {
      const cause = `trials ${other.trial} (line ${other.line}) and ${trial} have equal outputs and two values`;
      this.#refuse(cell, cause, 'give equal outputs of a prompt one value');
    }
  }
}

function metricsOf(scorer: DeclaredScorer): readonly string[] {
  if (!('gives' in scorer)) return [`${SCORE_PREFIX}${scorer.name}`];
  return scorer.gives.map(({ value }) => scoreMetricName(scorer, value));
}

const ONE = 'write the same in all rows of a metric';
const FEWER = 'remove the rows of metrics that you do not compare';

function outputKey({ prompt, digest }: TrialOutput): string {
  return JSON.stringify([prompt.id, digest]);
}

function givenOf({ value, declared, better, unit }: SaidValue): GivenValue {
  if (declared !== null) return declared.given;
  return {
    value,
    better: DIRECTIONS.find((direction) => direction === better?.text) ?? null,
    range: null,
    unit: SCORE_UNITS.find((known) => known === unit?.text) ?? 'score',
    meaning: null,
  };
}

function linesOf(
  name: string,
  namedValues: readonly SaidValue[],
  values: ReadonlyMap<string, OutputValues>,
  files: ScorerLine['files'],
): { readonly lines: readonly OutputScore[]; readonly scorer: ScorerLine } {
  const [first] = namedValues;
  const declared: FileScorer = first?.declared?.scorer ?? { use: 'file', name, gives: namedValues.map(givenOf) };
  const what = { declared, files, version: null, weights: null };
  const by = byOf(what);
  const lines = [...values.values()].flatMap(({ scorer, output, values: byName }): OutputScore[] => {
    if (scorer !== name) return [];
    const { prompt, digest } = output;
    const media = [digest];
    const key = scoreKey({ by, prompt, media, control: null });
    const given = Object.fromEntries([...byName].map(([value, { mean }]) => [value, mean]));
    return [{ line: 'value', scorer, by, key, prompt: prompt.id, media, values: given }];
  });
  return { lines, scorer: { line: 'scorer', scorer: name, by, ...what } };
}
