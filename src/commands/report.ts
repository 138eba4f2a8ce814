import { resolve } from 'node:path';
import { lockRecord } from '../record/store.ts';
import type { ReportFormat } from '../suite/suite.ts';
import { type Edge, EXIT, type ExitCode } from './edge.ts';
import { publish } from './publish.ts';
import { NOT_EXAMINED, sayDiagnostics } from './say.ts';

export interface ReportArguments {
  readonly run: string;
  readonly format?: readonly ReportFormat[] | undefined;
  readonly out?: string | undefined;
  readonly quiet: boolean;
}

/** `retake report`: the reports of a run again, from the record alone. Prints their paths. */
export async function reportCommand({ run, format, out, quiet }: ReportArguments, edge: Edge): Promise<ExitCode> {
  const folder = resolve(edge.cwd, run);
  const lock = lockRecord(folder, edge.pid, edge.isRunning);
  if (!lock.ok) return sayDiagnostics(edge, lock.diagnostics);
  try {
    const target = out === undefined ? folder : resolve(edge.cwd, out);
    const published = await publish(folder, { formats: format ?? null, out: target, quiet }, edge);
    if (!published.ok) return sayDiagnostics(edge, published.diagnostics);
    for (const file of published.value.files) edge.out.write(`${file}\n`);
    if (published.value.examined) return EXIT.ok;
    edge.err.write(`${NOT_EXAMINED}\n`);
    return EXIT.incomplete;
  } finally {
    lock.value.release();
  }
}
