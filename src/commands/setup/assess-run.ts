import { availableParallelism } from 'node:os';
import { metricsOf } from '../../analysis/metrics.ts';
import { type Assessment, assess } from '../../compare/assess.ts';
import { examineRun } from '../../examine/examine.ts';
import { EXAMINE_LIMITS_MS } from '../../examine/examiners.ts';
import type { StoredRun } from '../../record/model/stored-run.ts';
import { readRecord } from '../../record/read-record.ts';
import type { Checked } from '../../suite/document/diagnostic.ts';
import type { Edge } from '../edge.ts';

/** A record with everything that follows from it. */
export interface AssessedRun extends Assessment {
  readonly record: StoredRun;
  /** False where an interrupt left outputs without facts; the next time makes them. */
  readonly examined: boolean;
}

/**
 * Reads a record, examines what has not been examined, analyses, compares and decides its gate. Can be repeated at any time;
 * the same record gives the same.
 */
export async function assessRun(
  folder: string,
  { quiet }: { readonly quiet: boolean },
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
  return { ok: true, value: { record, ...assess(record, metricsOf(record.run.gate)), examined: complete } };
}
