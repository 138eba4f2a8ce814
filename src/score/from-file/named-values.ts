import { readCsv } from '../../kit/csv-reader.ts';
import type { Checked, Diagnostic, Fault } from '../../kit/diagnostic.ts';
import { suggest } from '../../kit/nearest.ts';
import { isMeasured } from '../../plan/plan.ts';
import type { StoredRun } from '../../record/kept-run.ts';
import { factsByDigest } from '../../record/output-pairs.ts';
import type { RunPrompt } from '../../record/run.ts';
import { scoredDigest } from '../../record/score-key.ts';
import { SCORE_LABEL, SCORE_PREFIX, scoreMetricName } from '../../suite/score-label.ts';
import type { DeclaredScorer, GivenValue } from '../../suite/scorer.ts';

export type FileScorer = Extract<DeclaredScorer, { readonly use: 'file' }>;

/** A value of a scorer, as a file names it. */
export interface NamedValue {
  /** `score.hps`. */
  readonly metric: string;
  readonly scorer: string;
  readonly value: string;
  /** As the suite declares it; null if it does not. */
  readonly declared: { readonly scorer: FileScorer; readonly given: GivenValue } | null;
}

const LONGEST_NAME = 64;

/**
 * Finds what the column `metric` names. Where the suite declares scorers of files, it is one of theirs; else any name
 * is a scorer with one value.
 */
export function valueFinder(declared: readonly DeclaredScorer[]): (name: string) => NamedValue | Fault {
  const values = declared.flatMap((scorer) => (scorer.use === 'file' ? valuesOf(scorer) : []));
  const byMetric = new Map(values.map((value) => [value.metric, value]));
  return (name) => {
    const shortName = name.startsWith(SCORE_PREFIX) ? name.slice(SCORE_PREFIX.length) : name;
    const metric = `${SCORE_PREFIX}${shortName}`;
    const known = byMetric.get(metric);
    if (known !== undefined) return known;
    const maker = declared.find((scorer) => scorer.name === shortName || shortName.startsWith(`${scorer.name}.`));
    if (maker !== undefined && maker.use !== 'file') {
      return { cause: `the scorer "${maker.name}" of the suite gives ${metric} already`, remedy: 'use another name' };
    }
    if (byMetric.size > 0) {
      const names = values.map((value) => value.metric.slice(SCORE_PREFIX.length));
      return { cause: `the suite declares no metric "${shortName}"`, remedy: suggest(shortName, names) };
    }
    if (shortName.length > LONGEST_NAME || !shortName.split('.').every((label) => SCORE_LABEL.test(label))) {
      return { cause: `"${shortName}" is not a valid name of a metric`, remedy: NAME_REMEDY };
    }
    return { metric, scorer: shortName, value: shortName, declared: null };
  };
}

const NAME_REMEDY = `use a-z, 0-9, "_", "-" and ".", a letter first, at most ${LONGEST_NAME} characters`;

function valuesOf(scorer: FileScorer): readonly NamedValue[] {
  return scorer.gives.map((given) => ({
    metric: scoreMetricName(scorer, given.value),
    scorer: scorer.name,
    value: given.value,
    declared: { scorer, given },
  }));
}

/** The output of a trial, by the digest that names it in scores.jsonl. */
export interface TrialOutput {
  readonly prompt: RunPrompt;
  readonly digest: string;
  readonly variant: string;
  /** Whether it counts in a score: it is of a measured trial, decodes and is not blank. */
  readonly counts: boolean;
}

/** By the id of its trial; the outcome of a trial without an output. */
export type OutputsByTrial = ReadonlyMap<string, TrialOutput | string>;

/** Includes warm-ups and probes. */
export function outputsByTrial({ run, samples, facts }: Pick<StoredRun, 'run' | 'samples' | 'facts'>): OutputsByTrial {
  const prompts = new Map(run.prompts.map((prompt) => [prompt.id, prompt]));
  const factOf = factsByDigest(facts);
  return new Map(
    samples.flatMap((sample): (readonly [string, TrialOutput | string])[] => {
      const { trial, outcome } = sample;
      if (!('outputs' in sample)) return [[trial.id, outcome]];
      const prompt = prompts.get(trial.prompt);
      if (prompt === undefined) return [];
      const [{ sha256 }] = sample.outputs;
      const fact = factOf.get(sha256);
      const shown = fact?.decodes === true ? fact.shown : null;
      const isShown = fact?.decodes !== false && shown?.blank !== true;
      const counts = outcome === 'ok' && isMeasured(trial) && isShown;
      return [[trial.id, { prompt, digest: scoredDigest({ sha256, shown }), variant: trial.variant, counts }]];
    }),
  );
}

export interface ValueCell {
  readonly text: string;
  readonly line: number;
}

/** The cell of a column; an empty one where the file does not have the column. */
export type ColumnRow<Column extends string> = (column: Column) => ValueCell;

interface FileColumns<Column extends string> {
  readonly columns: readonly Column[];
  readonly needed: readonly Column[];
  /** Rows that a file may have: all are held at once. */
  readonly most: number;
}

/** Faults that are reported of one file. */
export const MOST_FAULTS = 100;

/**
 * The rows of a file of the user: CSV with a header whose columns may have any order.
 *
 * @param file the name that diagnostics print
 */
export function columnRows<Column extends string>(
  file: string,
  text: string,
  wanted: FileColumns<Column>,
): Checked<readonly ColumnRow<Column>[]> {
  const faults: Diagnostic[] = [];
  const refuse = (line: number, cause: string, remedy: string): void => {
    faults.push({ place: { file, line, column: 1 }, cause, remedy });
  };
  const read = readCsv(text.replace(/^\uFEFF/, ''), 'csv', wanted.most + 2);
  if (read.fault !== null) refuse(read.fault.line, read.fault.cause, read.fault.remedy);
  const [header, ...rows] = read.rows;
  if (faults.length > 0) return { ok: false, diagnostics: faults };
  if (header === undefined) refuse(1, 'the file is empty', `begin with a line ${wanted.columns.join(',')}`);
  else for (const { cause, remedy } of headerFaults(header.cells, wanted)) refuse(header.line, cause, remedy);
  if (header === undefined || faults.length > 0) return { ok: false, diagnostics: faults };
  if (rows.length === 0) refuse(header.line, 'the file has no row below the header', 'add at least one');
  const extra = rows[wanted.most];
  if (extra !== undefined) refuse(extra.line, `more than ${wanted.most} rows`, 'write several files');
  const names: readonly string[] = header.cells;
  for (const { line, cells } of rows.filter(({ cells }) => cells.length !== names.length).slice(0, MOST_FAULTS)) {
    const has = `${cells.length} ${cells.length === 1 ? 'cell' : 'cells'}`;
    const remedy = cells.length < names.length ? 'add the missing cells' : 'quote a cell that holds commas';
    refuse(line, `this row has ${has}, the header has ${names.length}`, remedy);
  }
  if (faults.length > 0) return { ok: false, diagnostics: faults };
  return {
    ok: true,
    value: rows.map(({ line, cells }) => (column) => ({ text: cells[names.indexOf(column)] ?? '', line })),
  };
}

function headerFaults(names: readonly string[], { columns, needed }: FileColumns<string>): readonly Fault[] {
  if (names.length === 1 && /[;\t]/.test(names.join())) {
    return [{ cause: 'the header has one column', remedy: 'separate columns with commas' }];
  }
  const isKnown = (name: string) => columns.some((column) => column === name);
  const faults = names.flatMap((name, index) => {
    if (!isKnown(name)) return [{ cause: `unknown column "${name}"`, remedy: suggest(name, columns) }];
    if (names.indexOf(name) === index) return [];
    return [{ cause: `the column "${name}" occurs twice`, remedy: 'keep one of them' }];
  });
  // A misspelt column is both unknown and missing: it is reported once.
  const unknown = names.filter((name) => !isKnown(name)).length;
  const missing = needed.filter((name) => !names.includes(name));
  if (missing.length <= unknown) return faults;
  return [...faults, { cause: `no column "${missing[0]}"`, remedy: `the header needs ${needed.join(', ')}` }];
}
