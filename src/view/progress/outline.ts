import { join } from 'node:path';
import type { Checked } from '../../kit/diagnostic.ts';
import type { Run, Spend } from '../../record/run.ts';
import { statOf } from '../files/look-at.ts';
import { BoundedMap } from './bounded-map.ts';
import type { FollowedRuns } from './run-progress.ts';
import type { Measuring, RemainingTime, Tally } from './tally.ts';

export interface RunOutline {
  readonly createdAt: string;
  readonly variants: readonly string[];
  /** Requests: in the plan, and sent. */
  readonly planned: number;
  readonly requests: number;
  readonly failed: number;
  readonly durationMs: number;
  readonly spend: Spend | null;
  readonly measuring: Measuring;
  /** Null if it is not known, or nothing is sent any more. */
  readonly left: RemainingTime | null;
}

/** Reads outlines. One whose record did not change is not read again; of one that grows, only what was appended. */
export type ReadOutline = (folder: string) => Promise<Checked<RunOutline>>;

const MOST_KEPT = 1000;

interface Kept {
  readonly stamp: string;
  readonly outline: Omit<RunOutline, 'left'>;
}

export function outlineReader(runs: FollowedRuns): ReadOutline {
  const kept = new BoundedMap<string, Kept>(MOST_KEPT);
  return async (folder) => {
    const stamp = stampOf(folder);
    const known = kept.get(folder);
    if (known !== undefined && known.stamp === stamp) {
      return { ok: true, value: { ...known.outline, left: leftOf(runs.known(folder)?.tally ?? null) } };
    }
    const found = await runs.read(folder);
    if (!found.ok) return found;
    const { run, tally } = found.value;
    const outline = outlineOf(run, tally);
    kept.set(folder, { stamp, outline });
    return { ok: true, value: { ...outline, left: leftOf(tally) } };
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

/** Text that changes with the record. */
export function stampOf(folder: string): string {
  return ['run.json', 'journal.jsonl', 'facts.jsonl']
    .map((name) => {
      const found = statOf(join(folder, name));
      return found === null ? '-' : `${found.size}:${found.mtimeMs}`;
    })
    .join(' ');
}
