import { createWriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { analyse } from '../../analysis/analyse.ts';
import type { Analysis } from '../../analysis/analysis.ts';
import { METRICS } from '../../analysis/metrics.ts';
import { examineRun } from '../../examine/examine.ts';
import { EXAMINE_LIMITS_MS } from '../../examine/examiners.ts';
import { makeFolder } from '../../record/make-folder.ts';
import { readSmall } from '../../record/output-files.ts';
import { readRecord } from '../../record/read-record.ts';
import type { ReportFile } from '../../report/reporter.ts';
import { REPORTERS } from '../../report/reporters.ts';
import type { Checked } from '../../suite/document/diagnostic.ts';
import type { ReportFormat } from '../../suite/format/suite.ts';
import type { Edge } from '../edge.ts';

export interface PublishOptions {
  /** Null: those of the suite. */
  readonly formats: readonly ReportFormat[] | null;
  /** The folder the reports are written to. */
  readonly out: string;
  readonly quiet: boolean;
}

/** What was made of a record. */
export interface Published {
  readonly analysis: Analysis;
  /** The paths of the files that were written, in the order of the formats. */
  readonly files: readonly string[];
  /** False where an interrupt left outputs without facts; another report makes them. */
  readonly examined: boolean;
}

/**
 * From a record to its reports: examines what has not been examined, analyses, writes. Can be repeated at any time;
 * the same record gives the same bytes.
 */
export async function publish(folder: string, options: PublishOptions, edge: Edge): Promise<Checked<Published>> {
  const measured = await readRecord(folder);
  if (!measured.ok) return measured;
  const { found, complete } = await examineRun(folder, measured.value, {
    workers: availableParallelism(),
    timeLimitMs: EXAMINE_LIMITS_MS,
    // An interrupt that ended the measuring is not meant for what comes after it; the next one is.
    signal: edge.drain.aborted ? edge.abort : edge.drain,
    progress: (done, total) => {
      if (edge.err.interactive && !options.quiet)
        edge.err.write(`\rexamining ${done} / ${total}${done === total ? '\n' : ''}`);
    },
  });
  const record = { ...measured.value, facts: [...measured.value.facts, ...found] };
  for (const notice of record.notices) edge.err.write(`${notice}\n`);
  const { analysis, samples } = analyse(record, METRICS);
  const source = {
    analysis,
    samples,
    thumbnail: (sha256: string) => readSmall(folder, sha256, 'webp'),
    preview: (sha256: string) => readSmall(folder, sha256, 'mp4'),
  };
  const formats = options.formats ?? record.run.reports;
  const files: string[] = [];
  makeFolder(options.out);
  for (const reporter of REPORTERS.filter(({ format }) => formats.includes(format))) {
    for (const file of reporter.render(source)) files.push(await writeReport(options.out, file));
  }
  return { ok: true, value: { analysis, files, examined: complete } };
}

/** Written beside its place and renamed into it: a reader never sees half a report. */
async function writeReport(folder: string, { name, content }: ReportFile): Promise<string> {
  const path = join(folder, name);
  const part = `${path}.part`;
  await pipeline(content, createWriteStream(part));
  await rename(part, path);
  return path;
}
