import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import { metricsOf } from '../../analysis/metrics.ts';
import { type Assessment, assess } from '../../compare/assess.ts';
import { lineOfRun } from '../../compare/history/line-of-run.ts';
import { examineRun } from '../../examine/examine.ts';
import { EXAMINE_LIMITS_MS } from '../../examine/examiners.ts';
import { findBaseline, readBaseline } from '../../record/baseline-file.ts';
import type { Baseline } from '../../record/model/baseline.ts';
import type { HistoryLine } from '../../record/model/history-line.ts';
import type { Run } from '../../record/model/run.ts';
import type { StoredRun } from '../../record/model/stored-run.ts';
import { readRecord } from '../../record/read-record.ts';
import type { Checked } from '../../suite/document/diagnostic.ts';
import type { Edge } from '../edge.ts';
import { loadHistory } from './load-history.ts';

/** A record with everything that follows from it. */
export interface AssessedRun extends Assessment {
  readonly record: StoredRun;
  /** What later runs read of it; a shard has one that none reads. */
  readonly line: HistoryLine;
  /** False where an interrupt left outputs without facts; the next time makes them. */
  readonly examined: boolean;
}

/** The stored baseline that a run is held against: a file, that of its suite where a rule asks for one, or none. */
export type ChosenBaseline = { readonly file: string } | 'of_suite' | 'none';

/**
 * Reads a record, examines what has not been examined, analyses, compares and decides its gate. Can be repeated at any time;
 * the same record and stored baseline give the same.
 */
export async function assessRun(
  folder: string,
  { quiet, baseline: chosen = 'of_suite' }: { readonly quiet: boolean; readonly baseline?: ChosenBaseline },
  edge: Edge,
): Promise<Checked<AssessedRun>> {
  const measured = await readRecord(folder);
  if (!measured.ok) return measured;
  const { found, complete } = await examineRun(folder, measured.value, {
    workers: availableParallelism(),
    timeLimitMs: EXAMINE_LIMITS_MS,
    // An interrupt that ended the measuring is not meant for what comes after it; the next one is.
    signal: edge.drain.aborted ? edge.abort : edge.drain,
    progress: (done, total) => {
      if (edge.err.interactive && !quiet) edge.err.write(`\rexamining ${done} / ${total}${done === total ? '\n' : ''}`);
    },
  });
  const record = { ...measured.value, facts: [...measured.value.facts, ...found] };
  for (const notice of record.notices) edge.err.write(`${notice}\n`);
  const baseline = await baselineFor(folder, record.run, chosen);
  if (!baseline.ok) return baseline;
  const history = await historyFor(folder, record.run, edge);
  if (!history.ok) return history;
  const metrics = metricsOf(record.run.gate);
  const assessment = assess(record, metrics, baseline.value, history.value);
  const line = lineOfRun(record.run, assessment.analysed, assessment.verdict, metrics);
  return { ok: true, value: { record, ...assessment, line, examined: complete } };
}

/** The lines that the rules of a run need: none where none is about earlier runs. A stored baseline starts them again. */
async function historyFor(
  folder: string,
  { gate, shard }: Pick<Run, 'gate' | 'shard'>,
  edge: Edge,
): Promise<Checked<readonly HistoryLine[]>> {
  const needed = shard === null && gate.some(({ against }) => against === 'history');
  if (!needed) return { ok: true, value: [] };
  const lines = await loadHistory(dirname(folder), edge);
  const baseline = await findBaseline(dirname(folder));
  if (!lines.ok || !baseline.ok || baseline.value === null) return baseline.ok ? lines : baseline;
  const { run, createdAt } = baseline.value;
  const start = lines.value.find((line) => line.run === run)?.startedAt ?? createdAt;
  return { ok: true, value: lines.value.filter(({ startedAt }) => startedAt >= start) };
}

async function baselineFor(
  folder: string,
  { gate }: Pick<Run, 'gate'>,
  chosen: ChosenBaseline,
): Promise<Checked<Baseline | null>> {
  if (typeof chosen === 'object') return readBaseline(chosen.file);
  const needed = chosen === 'of_suite' && gate.some(({ against }) => against === 'baseline');
  return needed ? findBaseline(dirname(folder)) : { ok: true, value: null };
}
