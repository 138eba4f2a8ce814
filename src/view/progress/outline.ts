import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Run } from '../../record/model/run.ts';
import type { Spend } from '../../record/model/spend.ts';
import { readRun } from '../../record/read-record.ts';
import type { Checked } from '../../suite/document/diagnostic.ts';
import { BoundedMap } from './bounded-map.ts';
import { runProgress } from './run-progress.ts';
import type { Measuring } from './tally.ts';

/** A run in a row of a list. */
export interface RunOutline {
  readonly createdAt: string;
  readonly variants: readonly string[];
  /** Requests: in the plan, and sent. */
  readonly planned: number;
  readonly requests: number;
  readonly failed: number;
  readonly spend: Spend | null;
  readonly measuring: Measuring;
}

/** Reads outlines. One whose record did not change is not read again. */
export type ReadOutline = (folder: string) => Promise<Checked<RunOutline>>;

const MOST_KEPT = 1000;

interface Kept {
  readonly stamp: string;
  readonly outline: RunOutline;
}

/** A reader of outlines with a memory of its own. */
export function outlineReader(): ReadOutline {
  const kept = new BoundedMap<string, Kept>(MOST_KEPT);
  return async (folder) => {
    const stamp = stampOf(folder);
    const known = kept.get(folder);
    if (known !== undefined && known.stamp === stamp) return { ok: true, value: known.outline };
    const run = await readRun(folder);
    if (!run.ok) return run;
    const outline = await outlineOf(folder, run.value);
    if (outline.ok) kept.set(folder, { stamp, outline: outline.value });
    return outline;
  };
}

async function outlineOf(folder: string, run: Run): Promise<Checked<RunOutline>> {
  const tally = await runProgress(folder, run, 0).read();
  if (!tally.ok) return tally;
  const { requests, failed, spend, measuring } = tally.value;
  return {
    ok: true,
    value: {
      createdAt: run.createdAt,
      variants: run.variants.map(({ name }) => name),
      planned: run.plan.requests,
      requests: requests(),
      failed: failed(),
      spend: spend(),
      measuring: measuring(),
    },
  };
}

/** Changes with the record. */
export function stampOf(folder: string): string {
  return ['run.json', 'journal.jsonl', 'facts.jsonl']
    .map((name) => {
      const found = statSync(join(folder, name), { throwIfNoEntry: false });
      return found === undefined ? '-' : `${found.size}:${found.mtimeMs}`;
    })
    .join(' ');
}
