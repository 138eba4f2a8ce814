import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Checked, refused } from '../kit/diagnostic.ts';
import { replaceFile } from './files/own-files.ts';
import { readText } from './files/read-text.ts';
import { shapeOf } from './files/shape.ts';
import type { Baseline } from './model/baseline.ts';
import { baselineSchema } from './model/baseline.ts';
import { BASELINE_FORMAT, isRunName } from './model/run-name.ts';
import { hasOutputs, inputImages } from './outputs/output-files.ts';
import { formatOf, placed, readRun } from './read-record.ts';

function baselinePath(suiteFolder: string): string {
  return join(suiteFolder, 'baseline.json');
}

/**
 * Keeps a baseline in the folder of its suite, in place of the one before, and gives its path. A reader never sees half
 * of it.
 */
export function writeBaseline(suiteFolder: string, baseline: Baseline): string {
  const path = baselinePath(suiteFolder);
  replaceFile(path, `${JSON.stringify(baseline, null, 1)}\n`);
  return path;
}

/** Null where none was kept. */
export async function findBaseline(suiteFolder: string): Promise<Checked<Baseline | null>> {
  const path = baselinePath(suiteFolder);
  return existsSync(path) ? readBaseline(path) : { ok: true, value: null };
}

/** What does not match its schema is refused with line and field. */
export async function readBaseline(path: string): Promise<Checked<Baseline>> {
  const found = readText(path);
  if (!found.ok) return found;
  const read = found.value;
  if (read === null) return refused(`there is no baseline at ${path}`, 'name a file that retake baseline has written');
  let value: unknown;
  try {
    value = JSON.parse(read);
  } catch {
    return refused(`${path} is not JSON`, REMEDY);
  }
  const format = formatOf(value);
  if (format === null) return refused(`${path} has no format version`, 'name a file that retake baseline has written');
  if (format > BASELINE_FORMAT) {
    return refused(`${path} has format ${format}, newer than ${BASELINE_FORMAT}`, 'read it with a newer Retake');
  }
  const shape = shapeOf(baselineSchema);
  if (shape.fits(value)) return { ok: true, value };
  return { ok: false, diagnostics: await placed(path, read, shape.faultsOf(value), REMEDY) };
}

/**
 * It lies beside the baseline's file; null where its media are gone.
 *
 * @param suiteFolder the folder that holds the baseline
 */
export async function findBaselineRun(suiteFolder: string, { run }: Pick<Baseline, 'run'>): Promise<string | null> {
  if (!isRunName(run)) return null;
  const folder = join(suiteFolder, run);
  const found = await readRun(folder);
  return found.ok && hasOutputs(folder, inputImages(found.value)) ? folder : null;
}

const REMEDY = 'restore it, or keep a new one with retake baseline';
