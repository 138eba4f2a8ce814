import { join } from 'node:path';
import type { Run } from '../../record/model/run.ts';
import type { Spend } from '../../record/model/spend.ts';
import { readRun } from '../../record/read-record.ts';
import type { Checked } from '../../suite/document/diagnostic.ts';
import { statOf } from '../files/look-at.ts';
import { BoundedMap } from './bounded-map.ts';
import { type RunProgress, runProgress } from './run-progress.ts';
import type { Measuring, RemainingTime, Tally } from './tally.ts';

/** A run in a row of a list. */
export interface RunOutline {
  readonly createdAt: string;
  readonly variants: readonly string[];
  /** Requests: in the plan, and sent. */
  readonly planned: number;
  readonly requests: number;
  readonly failed: number;
  /** How long it was measured so far. */
  readonly durationMs: number;
  readonly spend: Spend | null;
  readonly measuring: Measuring;
  /** How long the rest takes, when it was read; null where that is not known, or nothing is sent any more. */
  readonly left: RemainingTime | null;
}

/** Reads outlines. One whose record did not change is not read again; of one that grows, only what was appended. */
export type ReadOutline = (folder: string) => Promise<Checked<RunOutline>>;

const MOST_KEPT = 1000;
/** Runs in progress; each keeps the latency of every take. */
const MOST_GROWING = 8;

interface Kept {
  readonly stamp: string;
  readonly outline: Omit<RunOutline, 'left'>;
}

/** A run whose journal may grow. */
interface Growing {
  readonly run: Run;
  readonly progress: RunProgress;
  /** Null before it was read. */
  readonly tally: Tally | null;
}

/** A reader of outlines with a memory of its own. */
export function outlineReader(): ReadOutline {
  const kept = new BoundedMap<string, Kept>(MOST_KEPT);
  const growing = new BoundedMap<string, Growing>(MOST_GROWING);
  const open = async (folder: string): Promise<Checked<Growing>> => {
    const known = growing.get(folder);
    if (known !== undefined) return { ok: true, value: known };
    const run = await readRun(folder);
    return run.ok
      ? { ok: true, value: { run: run.value, progress: runProgress(folder, run.value, 0), tally: null } }
      : run;
  };
  return async (folder) => {
    const stamp = stampOf(folder);
    const known = kept.get(folder);
    if (known !== undefined && known.stamp === stamp) {
      return { ok: true, value: { ...known.outline, left: leftOf(growing.get(folder)?.tally ?? null) } };
    }
    const opened = await open(folder);
    if (!opened.ok) return opened;
    const { run, progress } = opened.value;
    const tally = await progress.read();
    if (!tally.ok) return tally;
    const outline = outlineOf(run, tally.value);
    kept.set(folder, { stamp, outline });
    if (outline.measuring.state === 'ended') growing.delete(folder);
    else growing.set(folder, { ...opened.value, tally: tally.value });
    return { ok: true, value: { ...outline, left: leftOf(tally.value) } };
  };
}

function leftOf(tally: Tally | null): RemainingTime | null {
  return tally?.left(Date.now()) ?? null;
}

function outlineOf(run: Run, { requests, failed, durationMs, spend, measuring }: Tally): Kept['outline'] {
  return {
    createdAt: run.createdAt,
    variants: run.variants.map(({ name }) => name),
    planned: run.plan.requests,
    requests: requests(),
    failed: failed(),
    durationMs: durationMs(),
    spend: spend(),
    measuring: measuring(),
  };
}

/** Changes with the record. */
export function stampOf(folder: string): string {
  return ['run.json', 'journal.jsonl', 'facts.jsonl']
    .map((name) => {
      const found = statOf(join(folder, name));
      return found === null ? '-' : `${found.size}:${found.mtimeMs}`;
    })
    .join(' ');
}
