import { join } from 'node:path';
import { findBaseline } from '../../record/baseline-file.ts';
import { fileFaultOf } from '../../suite/document/diagnostic.ts';
import { statOf } from '../files/look-at.ts';
import { BoundedMap } from './bounded-map.ts';

/** The run that the stored baseline of a suite was kept from; null where there is none that can be read. */
export type ReadBaselineRun = (suiteFolder: string) => Promise<string | null>;

const MOST_KEPT = 100;

/** A reader of stored baselines with a memory of its own. One that did not change is not read again. */
export function baselineRunReader(): ReadBaselineRun {
  const kept = new BoundedMap<string, { readonly stamp: string; readonly run: string | null }>(MOST_KEPT);
  return async (folder) => {
    const found = statOf(join(folder, 'baseline.json'));
    if (found === null) return null;
    const stamp = `${found.size}:${found.mtimeMs}`;
    const known = kept.get(folder);
    if (known?.stamp === stamp) return known.run;
    const run = await baselineRun(folder);
    kept.set(folder, { stamp, run });
    return run;
  };
}

async function baselineRun(folder: string): Promise<string | null> {
  try {
    const read = await findBaseline(folder);
    return read.ok ? (read.value?.run ?? null) : null;
  } catch (error) {
    if (fileFaultOf(error) === null) throw error;
    return null;
  }
}
