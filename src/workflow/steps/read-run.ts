import { join } from 'node:path';
import { checkRecordedRules } from '../../analysis/check-rules.ts';
import { metricsOfRecord } from '../../analysis/metrics.ts';
import type { Checked } from '../../kit/diagnostic.ts';
import type { StoredRun } from '../../record/kept-run.ts';
import { readRecord } from '../../record/read-record.ts';

/** For a run whose gate is to be decided. Invalid rules, which no suite could declare, are diagnostics too. */
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
