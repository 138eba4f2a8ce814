import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import { type Assessment, assess } from '../analysis/assess.ts';
import { metricsOf, metricsOfRecord } from '../analysis/metrics.ts';
import { needsKeptOutputs } from '../analysis/rule-cases.ts';
import { comparesMedia } from '../analysis/stability.ts';
import { compareRuns, type TwoRuns } from '../analysis/two-runs.ts';
import { type Examination, type ExamineOptions, examineBaseline, examineRun } from '../examine/examine.ts';
import { EXAMINE_LIMITS_MS } from '../examine/examiners.ts';
import { type Checked, refused } from '../kit/diagnostic.ts';
import type { Baseline, HistoryLine } from '../record/kept-run.ts';
import { inputImages } from '../record/output-files.ts';
import { findBaseline, findBaselineRun, readBaseline, readFacts } from '../record/read-record.ts';
import type { Run } from '../record/run.ts';
import type { StoredRun } from '../record/stored-run.ts';
import { type Edge, printSentence } from './edge.ts';
import { historyLineOf } from './keep-history.ts';
import { linesSinceBaseline, loadHistory } from './load-history.ts';
import { readDecidableRun } from './steps/read-run.ts';
import { withRun } from './with-run.ts';

export interface AssessedRun extends Assessment {
  readonly record: StoredRun;
  /** For later runs; nobody reads that of a shard. */
  readonly line: HistoryLine;
  /** False if an interrupt left outputs without facts; the next time makes them. */
  readonly examined: boolean;
}

/** `of_suite`: the suite's, if a rule needs one. */
type ChosenBaseline = { readonly file: string } | 'of_suite' | 'none';

/** The same record and stored baseline always give the same result. */
export async function assessRun(
  folder: string,
  { quiet, baseline: chosen = 'of_suite' }: { readonly quiet: boolean; readonly baseline?: ChosenBaseline },
  edge: Edge,
): Promise<Checked<AssessedRun>> {
  const stored = await examineStored(folder, { quiet }, edge);
  if (!stored.ok) return stored;
  const { record: examined, complete, options } = stored.value;
  const baseline = await baselineFor(folder, examined.run, chosen);
  if (!baseline.ok) return baseline;
  const beside = await besideBaseline(folder, examined, baseline.value, options);
  if (!beside.ok) return beside;
  const record = { ...examined, facts: [...examined.facts, ...beside.value.found] };
  const history = await historyFor(folder, record.run, edge);
  if (!history.ok) return history;
  const metrics = metricsOfRecord(record);
  const assessment = assess(record, metrics, baseline.value?.baseline ?? null, history.value);
  const line = historyLineOf(record.run, assessment, metrics);
  return { ok: true, value: { record, ...assessment, line, examined: complete && beside.value.complete } };
}

interface ExaminedFolder {
  readonly record: StoredRun;
  /** False if an interrupt left outputs without facts. */
  readonly complete: boolean;
  /** As it was examined. */
  readonly options: ExamineOptions;
}

/** Reads a record and examines what was not examined yet. */
export async function examineStored(
  folder: string,
  { quiet }: { readonly quiet: boolean },
  edge: Edge,
): Promise<Checked<ExaminedFolder>> {
  const measured = await readDecidableRun(folder);
  if (!measured.ok) return measured;
  const options: ExamineOptions = {
    workers: availableParallelism(),
    timeLimitMs: EXAMINE_LIMITS_MS,
    // An interrupt that ended measuring does not end examination; the next one does.
    signal: edge.drain.aborted ? edge.abort : edge.drain,
    progress: (done, total) => {
      if (edge.err.interactive && !quiet) edge.err.write(`\rexamining ${done} / ${total}${done === total ? '\n' : ''}`);
    },
  };
  const inputs = inputImages(measured.value.run);
  const { found, complete } = await examineRun(folder, { ...measured.value, inputs }, options);
  const record = { ...measured.value, facts: [...measured.value.facts, ...found] };
  for (const notice of record.notices) printSentence(edge.err, notice);
  return { ok: true, value: { record, complete, options } };
}

/** Empty if no rule is about earlier runs. History begins again at a stored baseline. */
async function historyFor(
  folder: string,
  { gate, shard }: Pick<Run, 'gate' | 'shard'>,
  edge: Edge,
): Promise<Checked<readonly HistoryLine[]>> {
  const needed = shard === null && gate.some(({ against }) => against === 'history');
  if (!needed) return { ok: true, value: [] };
  const lines = await loadHistory(dirname(folder), edge);
  return lines.ok ? linesSinceBaseline(dirname(folder), lines.value) : lines;
}

interface FoundBaseline {
  readonly baseline: Baseline;
  readonly suiteFolder: string;
}

async function baselineFor(
  folder: string,
  { gate }: Pick<Run, 'gate'>,
  chosen: ChosenBaseline,
): Promise<Checked<FoundBaseline | null>> {
  const suiteFolder = dirname(typeof chosen === 'object' ? chosen.file : folder);
  const needed = chosen === 'of_suite' && gate.some(needsKeptOutputs);
  const found =
    typeof chosen === 'object'
      ? await readBaseline(chosen.file)
      : needed
        ? await findBaseline(suiteFolder)
        : ({ ok: true, value: null } as const);
  if (!found.ok || found.value === null) return found.ok ? { ok: true, value: null } : found;
  return { ok: true, value: { baseline: found.value, suiteFolder } };
}

/** Only if a rule needs that and the media still exist. */
async function besideBaseline(
  folder: string,
  record: StoredRun,
  found: FoundBaseline | null,
  options: ExamineOptions,
): Promise<Checked<Examination>> {
  const needed = found !== null && record.run.gate.some(comparesMedia);
  const from = needed ? await findBaselineRun(found.suiteFolder, found.baseline) : null;
  if (found === null || from === null) return { ok: true, value: { found: [], complete: true } };
  const facts = await readFacts(from);
  if (!facts.ok) return facts;
  const baseline = { folder: from, facts: facts.value.values };
  return { ok: true, value: await examineBaseline(folder, record, found.baseline.cells, baseline, options) };
}

interface ComparedRuns {
  readonly found: TwoRuns;
  readonly earlier: AssessedRun;
  readonly later: AssessedRun;
}

/** Refuses runs without a common cell. */
export async function compareNamed(
  a: string,
  b: string,
  { quiet }: { readonly quiet: boolean },
  edge: Edge,
): Promise<Checked<ComparedRuns>> {
  const assessNamed = (path: string) =>
    withRun(path, {}, edge, async (folder) => {
      const assessed = await assessRun(folder, { quiet, baseline: 'none' }, edge);
      return assessed.ok ? { ok: true, value: { ...assessed.value, suite: dirname(folder) } } : assessed;
    });
  const earlier = await assessNamed(a);
  if (!earlier.ok) return earlier;
  const later = await assessNamed(b);
  if (!later.ok) return later;
  const { suite } = later.value;
  const lines: Checked<readonly HistoryLine[]> =
    earlier.value.suite === suite ? await loadHistory(suite, edge) : { ok: true, value: [] };
  if (!lines.ok) return lines;
  const sideOf = ({ record, analysed }: AssessedRun) => ({ run: record.run, analysed });
  const found = compareRuns(sideOf(earlier.value), sideOf(later.value), metricsOf([]), lines.value);
  if (found.commonCells === 0) return refused(`${a} and ${b} have no cell in common`, 'name two runs of one suite');
  return { ok: true, value: { found, earlier: earlier.value, later: later.value } };
}
