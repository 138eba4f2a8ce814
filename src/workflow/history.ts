import { basename, dirname, join } from 'node:path';
import { lineOfRun } from '../analysis/earlier-runs.ts';
import type { Metric } from '../analysis/metric.ts';
import { METRICS, metricsOfRecord } from '../analysis/metrics.ts';
import { type Trend, trendOf } from '../analysis/series.ts';
import { stabilityOfVariants } from '../analysis/stability.ts';
import { type Assessment, assess } from '../gate/assess.ts';
import { checkRecordedRules } from '../gate/check-rules.ts';
import { claimsDecide, notJudgedOf } from '../gate/run-state.ts';
import { accepted, type Checked, type Diagnostic, fileFaultOf, refusal } from '../kit/diagnostic.ts';
import { outputsShownFirst } from '../page/shown-outputs.ts';
import { runsIn } from '../record/find-run.ts';
import type { Baseline, HistoryLine, StoredRun } from '../record/kept-run.ts';
import { appendLines } from '../record/line-files.ts';
import { findBaseline, readHistory, readRecord } from '../record/read-record.ts';
import type { Run } from '../record/run.ts';
import { checkUnlocked, type Processes } from '../record/store.ts';
import { answerOf } from '../report/run-answer.ts';
import type { WorkflowEdge } from './workflow-edge.ts';

/**
 * What the runs of a suite measured, in order.
 * @param folder `results/<suite>`
 * @param warn called if the stored baseline cannot be read
 */
export async function loadTrend(
  folder: string,
  warn: (diagnostics: readonly Diagnostic[]) => void,
  edge: Pick<WorkflowEdge, 'say' | 'processes'>,
): Promise<Trend> {
  const lines = await loadHistory(folder, edge);
  if (lines.length === 0) {
    throw refusal(`${folder} has no run that can be read`, 'measure the suite with retake run, or merge its shards');
  }
  const baseline = await findBaseline(folder);
  // Only the reference of the series needs the baseline.
  if (!baseline.ok) warn(baseline.diagnostics);
  const baseFrom = (baseline.ok ? baseline.value?.historyFrom : null) ?? null;
  return trendOf(basename(folder), lines, { metrics: METRICS, baseFrom });
}

/**
 * history.jsonl is a cache: missing lines are made from the records of their runs and appended. Skips runs that cannot
 * be read, or that another process writes.
 * @param folder `results/<suite>`
 */
export async function loadHistory(
  folder: string,
  edge: Pick<WorkflowEdge, 'say' | 'processes'>,
): Promise<readonly HistoryLine[]> {
  const stored = accepted(await readHistory(folder));
  const known = new Set(stored.map(({ run }) => run));
  const lines = [...stored];
  const made: HistoryLine[] = [];
  const baseline = await findBaseline(folder);
  const stands = baseline.ok ? baseline.value : null;
  for (const name of runsIn(folder).filter((run) => !known.has(run))) {
    const line = await makeLine(join(folder, name), { lines, baseline: stands }, edge);
    if (line === 'unreadable') {
      edge.say(`left out of the history: ${join(folder, name)} cannot be read`);
    }
    if (typeof line === 'string' || known.has(line.run)) continue;
    lines.push(line);
    made.push(line);
  }
  keepLines(folder, made, edge);
  return lines;
}

/**
 * Lines that rules against earlier runs count.
 * @param folder `results/<suite>`
 */
export async function countedLines(
  folder: string,
  lines: readonly HistoryLine[],
): Promise<Checked<readonly HistoryLine[]>> {
  const baseline = await findBaseline(folder);
  if (!baseline.ok) return baseline;
  const from = baseline.value?.historyFrom?.startedAt ?? '';
  return { ok: true, value: lines.filter(({ startedAt }) => startedAt >= from) };
}

/** Or why the line cannot be made now. */
async function makeLine(
  folder: string,
  { lines, baseline }: { readonly lines: readonly HistoryLine[]; readonly baseline: Baseline | null },
  edge: Pick<WorkflowEdge, 'say' | 'processes'>,
): Promise<HistoryLine | 'in_use' | 'unreadable'> {
  // The run that this process measures gets its line with its verdict.
  if (!checkUnlocked(folder, asAnother(edge.processes)).ok) return 'in_use';
  const read = await readDecidableRun(folder);
  if (!read.ok) return 'unreadable';
  const { run } = read.value;
  const metrics = metricsOfRecord(read.value);
  return historyLineOf(run, assess(read.value, metrics, baseline, lines), metrics);
}

/** Treats a lock of this process as another's. */
function asAnother(processes: Processes): Processes {
  return { ...processes, own: { ...processes.own, pid: -1 } };
}

export function keepHistory(runFolder: string, line: HistoryLine, edge: Pick<WorkflowEdge, 'say'>): void {
  keepLines(dirname(runFolder), [line], edge);
}

/** If the file cannot be written, only says so: its lines can be made again. */
function keepLines(suiteFolder: string, lines: readonly HistoryLine[], { say }: Pick<WorkflowEdge, 'say'>): void {
  try {
    appendLines(suiteFolder, 'history.jsonl', lines);
  } catch (error) {
    const fault = fileFaultOf(error);
    if (fault === null) throw error;
    say(`history.jsonl was not written: ${fault.cause}`);
  }
}

/** With the outputs that the report shows first. */
export function historyLineOf(
  run: Run,
  { analysed, comparisons, verdict, against }: Pick<Assessment, 'analysed' | 'comparisons' | 'verdict' | 'against'>,
  metrics: readonly Metric[],
): HistoryLine {
  const { analysis } = analysed;
  const stability = against === null ? [] : stabilityOfVariants(against, analysis.variants, verdict.rules);
  const shown = outputsShownFirst({ analysis, comparisons, verdict, stability });
  const notJudged = notJudgedOf(verdict.rules);
  const { question, answer } = answerOf({ analysis, comparisons, verdict });
  const unfit = analysis.warnings.flatMap((warning) => warning.unfit ?? []);
  const said = {
    question,
    answer,
    doubts: [...new Set(unfit.flatMap(({ of, because }) => (of === 'comparison' ? because : [])))],
    latenciesUnfit: unfit.some(({ of }) => of === 'latencies'),
    warnings: analysis.warnings.length,
  };
  return {
    ...lineOfRun(run, analysed, verdict, metrics),
    said,
    ...(notJudged !== null && { notJudged }),
    ...(claimsDecide(verdict.verdict, verdict.rules) && { ofClaims: true }),
    ...(shown !== null && { shown }),
  };
}

/** Refuses rules that no suite could declare, too. */
export async function readDecidableRun(folder: string): Promise<Checked<StoredRun>> {
  const read = await readRecord(folder);
  if (!read.ok) return read;
  const { run } = read.value;
  const faults = checkRecordedRules(run, metricsOfRecord(read.value));
  if (faults.length === 0) return read;
  const file = join(folder, 'run.json');
  return {
    ok: false,
    diagnostics: faults.map(({ index, cause }) => ({
      place: { file, line: 1, column: 1 },
      cause: `gate[${index}]: ${cause}`,
      remedy: 'restore the file: it was changed after it was written',
    })),
  };
}
