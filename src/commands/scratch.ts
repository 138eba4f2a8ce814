import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXAMINE_LIMITS_MS, type ExaminerSource, type Examiners, openExaminers } from '../examine/examiners.ts';

/** Child processes that decode outputs, and a temporary folder for what they need and make. `close` ends both. */
export interface Scratch extends Examiners {
  readonly folder: string;
}

export function openScratch(source: ExaminerSource, workers = 1): Scratch {
  const folder = mkdtempSync(join(tmpdir(), 'retake-'));
  const examiners = openExaminers({ ...source, workers, timeLimitMs: EXAMINE_LIMITS_MS });
  return {
    ...examiners,
    folder,
    close: async () => {
      await examiners.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
