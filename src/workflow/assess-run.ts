import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { metricsOf, metricsOfRecord } from '../analysis/metrics.ts';
import { comparesMedia, comparesOutputs } from '../analysis/stability.ts';
import { compareRuns, type TwoRuns } from '../analysis/two-runs.ts';
import { type Examination, type ExamineOptions, examineBaseline, examineRun } from '../examine/examine.ts';
import { EXAMINE_LIMITS_MS } from '../examine/examiners.ts';
import { type Assessment, assess } from '../gate/assess.ts';
import { needsKeptOutputs } from '../gate/rule-case.ts';
import { accepted, refusal } from '../kit/diagnostic.ts';
import type { Baseline, HistoryLine, StoredRun } from '../record/kept-run.ts';
import { inputImages } from '../record/output-files.ts';
import { findBaseline, findBaselineRun, readBaseline, readLines } from '../record/read-record.ts';
import type { Run } from '../record/run.ts';
import { countedLines, historyLineOf, loadHistory, readDecidableRun } from './history.ts';
import { withRun } from './with-run.ts';
import type { WorkflowEdge } from './workflow-edge.ts';

/** For reading, examining and assessing a record. */
type ReadingEdge = Pick<WorkflowEdge, 'say' | 'count' | 'drain' | 'abort' | 'processes' | 'idleExaminers'>;

export interface AssessedRun extends Assessment {
  readonly record: StoredRun;
  /** Read by later runs; that of a shard is not. */
  readonly line: HistoryLine;
  /** False if an interrupt left outputs without facts; the next report makes them. */
  readonly examined: boolean;
}

/** `of_suite`: the baseline of the suite, if a rule needs one. */
type ChosenBaseline = { readonly file: string } | 'of_suite' | 'none';

/** The same record and stored baseline always give the same result. */
export async function assessRun(
  folder: string,
  { quiet, baseline: chosen = 'of_suite' }: { readonly quiet: boolean; readonly baseline?: ChosenBaseline },
  edge: ReadingEdge,
): Promise<AssessedRun> {
  const { record: examined, complete, options } = await examineStored(folder, { quiet }, edge);
  const baseline = await baselineFor(folder, examined.run, chosen);
  const beside = await besideBaseline(folder, examined, baseline, options);
  const record = { ...examined, facts: [...examined.facts, ...beside.found] };
  const history = await historyFor(folder, record.run, edge);
  const metrics = metricsOfRecord(record);
  const assessment = assess(record, metrics, baseline?.baseline ?? null, history);
  const line = historyLineOf(record.run, assessment, metrics);
  return { record, ...assessment, line, examined: complete && beside.complete };
}

interface ExaminedFolder {
  readonly record: StoredRun;
  readonly complete: boolean;
  readonly options: ExamineOptions;
}

export function examineOptions(
  { idleExaminers, drain, abort, count }: Pick<ReadingEdge, 'idleExaminers' | 'drain' | 'abort' | 'count'>,
  quiet: boolean,
): ExamineOptions {
  return {
    workers: availableParallelism(),
    idle: idleExaminers,
    timeLimitMs: EXAMINE_LIMITS_MS,
    // An interrupt that ended measuring does not end examination; the next one does.
    signal: drain.aborted ? abort : drain,
    progress: (done, total) => {
      if (!quiet) count('examining', done, total);
    },
  };
}

/** Examines what was not examined yet. */
export async function examineStored(
  folder: string,
  { quiet }: { readonly quiet: boolean },
  edge: ReadingEdge,
): Promise<ExaminedFolder> {
  const measured = accepted(await readDecidableRun(folder));
  const options = examineOptions(edge, quiet);
  const inputs = inputImages(measured.run);
  const { found: facts, complete } = await examineRun(folder, { ...measured, inputs }, options);
  const record = { ...measured, facts: [...measured.facts, ...facts] };
  for (const notice of record.notices) edge.say(notice);
  return { record, complete, options };
}

/** Empty if no rule is about earlier runs. History begins again at a stored baseline. */
async function historyFor(
  folder: string,
  { gate, shard }: Pick<Run, 'gate' | 'shard'>,
  edge: ReadingEdge,
): Promise<readonly HistoryLine[]> {
  const needed = shard === null && gate.some(({ against }) => against === 'history');
  if (!needed) return [];
  return accepted(await countedLines(dirname(folder), await loadHistory(dirname(folder), edge)));
}

interface FoundBaseline {
  readonly baseline: Baseline;
  readonly suiteFolder: string;
}

async function baselineFor(
  folder: string,
  { gate }: Pick<Run, 'gate'>,
  chosen: ChosenBaseline,
): Promise<FoundBaseline | null> {
  const suiteFolder = dirname(typeof chosen === 'object' ? chosen.file : folder);
  const needed = chosen === 'of_suite' && gate.some(needsKeptOutputs);
  if (typeof chosen === 'object') return { baseline: accepted(await readBaseline(chosen.file)), suiteFolder };
  const baseline = needed ? accepted(await findBaseline(suiteFolder)) : null;
  return baseline === null ? null : { baseline, suiteFolder };
}

/** Nothing if no rule compares outputs, or the media are gone. */
async function besideBaseline(
  folder: string,
  record: StoredRun,
  stored: FoundBaseline | null,
  options: ExamineOptions,
): Promise<Examination> {
  const { gate } = record.run;
  const needed = stored !== null && gate.some(comparesOutputs);
  const from = needed ? await findBaselineRun(stored.suiteFolder, stored.baseline) : null;
  if (stored === null || from === null) return { found: [], complete: true };
  const facts = accepted(await readLines(from, 'facts.jsonl'));
  const baseline = { folder: from, facts: facts.values, decides: gate.some(comparesMedia) };
  return examineBaseline(folder, record, stored.baseline.cells, baseline, options);
}

/**
 * Makes the garbage collector run more often from now on. With much memory, V8 lets a heap grow to several times what
 * is live: a report of 100,000 samples took 1.2 GB with 0.3 GB live. Measuring is over when a run is reported, so a
 * pause distorts no timestamp. Costs nothing for small runs, which never collect.
 */
export function collectSooner(): void {
  setFlagsFromString(`--heap-growing-percent=${MOST_GARBAGE}`);
}

/** Percent of live memory. */
const MOST_GARBAGE = 30;

interface RunInFolder extends AssessedRun {
  readonly folder: string;
}

export interface ComparedRuns {
  readonly comparison: TwoRuns;
  readonly earlier: RunInFolder;
  readonly later: RunInFolder;
}

/** Refuses runs without a common cell. */
export async function compareNamed(
  a: string,
  b: string,
  { quiet }: { readonly quiet: boolean },
  edge: ReadingEdge & Pick<WorkflowEdge, 'cwd'>,
): Promise<ComparedRuns> {
  const assessNamed = (path: string) =>
    withRun(path, {}, edge, async (folder) => ({
      ...(await assessRun(folder, { quiet, baseline: 'none' }, edge)),
      folder,
    }));
  const earlier = await assessNamed(a);
  const later = await assessNamed(b);
  const [suite, suiteOfLater] = [earlier, later].map(({ folder }) => dirname(folder));
  const lines = suite === suiteOfLater ? await loadHistory(dirname(later.folder), edge) : [];
  const sideOf = ({ record, analysed }: AssessedRun) => ({ run: record.run, analysed });
  const comparison = compareRuns(sideOf(earlier), sideOf(later), metricsOf([]), lines);
  if (comparison.commonCells === 0) throw refusal(`${a} and ${b} share no prompt x seed`, 'name two runs of one suite');
  return { comparison, earlier, later };
}
