import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type KeptAnswer, keptAnswer } from '../../gate/kept-verdict.ts';
import { fileFaultOf } from '../../kit/diagnostic.ts';
import { pick } from '../../kit/json.ts';
import type { HistoryLine } from '../../record/kept-run.ts';
import { findBaseline, salvageHistory } from '../../record/read-record.ts';
import { lookedAt, statOf } from '../files/contained-files.ts';
import { BoundedMap } from './bounded-map.ts';

export interface SuiteHistory {
  readonly lineOf: (run: string) => KnownLine | null;
  readonly trends: readonly HeadlineTrend[];
}

export type KnownLine = Pick<HistoryLine, 'complete' | 'verdict' | 'notJudged' | 'shown' | 'label'> & {
  /** Milliseconds, by variant. */
  readonly medians: ReadonlyMap<string, number>;
};

/** Does not read an unchanged history again. */
export type ReadSuiteHistory = (suiteFolder: string) => SuiteHistory;

const MOST_RUNS = 60;

/** Skips damaged lines. */
export function suiteHistoryReader(): ReadSuiteHistory {
  return remembering('history.jsonl', (folder, isThere) => {
    const lines = isThere ? lookedAt(() => salvageHistory(folder), []) : [];
    const byRun = new Map(
      lines.map((line): [string, KnownLine] => [
        line.run,
        {
          ...pick(line, 'complete', 'verdict', 'notJudged', 'shown', 'label'),
          medians: new Map(
            line.variants.flatMap(({ variant, p50Ms }) => (p50Ms === undefined ? [] : [[variant, p50Ms]])),
          ),
        },
      ]),
    );
    return { lineOf: (run: string) => byRun.get(run) ?? null, trends: headlineTrends(lines, MOST_RUNS) };
  });
}

/** The run that the stored baseline of a suite was kept from; null if there is no readable one. */
export type ReadBaselineRun = (suiteFolder: string) => Promise<string | null>;

export function baselineRunReader(): ReadBaselineRun {
  return remembering('baseline.json', async (folder, isThere, forget) =>
    isThere ? await baselineRun(folder, forget) : null,
  );
}

/** What a run answers, from its verdict.json; null without one. */
export function answerReader(): (folder: string) => KeptAnswer | null {
  return remembering('verdict.json', (folder, isThere) =>
    isThere ? keptAnswer(lookedAt(() => readFileSync(join(folder, 'verdict.json'), 'utf8'), '')) : null,
  );
}

const MOST_KEPT = 100;

/** Keeps what was made of a file in each folder until the file changes, or `make` calls `forget`. */
function remembering<Made>(
  file: string,
  make: (folder: string, isThere: boolean, forget: () => void) => Made,
): (folder: string) => Made {
  const kept = new BoundedMap<string, { readonly stamp: string; readonly made: Made }>(MOST_KEPT);
  return (folder) => {
    const stats = statOf(join(folder, file));
    const stamp = `${stats?.size}:${stats?.mtimeMs}`;
    const known = kept.get(folder);
    if (known?.stamp === stamp) return known.made;
    const made = make(folder, stats?.isFile() === true, () => kept.delete(folder));
    kept.set(folder, { stamp, made });
    return made;
  };
}

/** @param forget called if it could not be read: that may change without a change of the file */
async function baselineRun(folder: string, forget: () => void): Promise<string | null> {
  try {
    const read = await findBaseline(folder);
    return read.ok ? (read.value?.run ?? null) : null;
  } catch (error) {
    forget();
    if (fileFaultOf(error) === null) throw error;
    return null;
  }
}

export interface HeadlineTrend {
  readonly variant: string;
  /** p50 of each run in milliseconds, the earliest first; at least one. */
  readonly mediansMs: readonly number[];
}

/** Trends over runs, in any order, that measured the same as the latest complete one. @param most runs of a trend */
export function headlineTrends(lines: readonly HistoryLine[], most: number): readonly HeadlineTrend[] {
  const complete = lines.filter((line) => line.complete).sort((a, b) => (a.startedAt < b.startedAt ? -1 : 1));
  const latest = complete.at(-1);
  return (latest?.variants ?? []).flatMap(({ variant, comparableDigest, p50Ms }) => {
    if (p50Ms === undefined) return [];
    const mediansMs = complete.flatMap(({ variants }) => {
      const same = variants.find((other) => other.variant === variant && other.comparableDigest === comparableDigest);
      return same?.p50Ms ?? [];
    });
    return [{ variant, mediansMs: mediansMs.slice(-most) }];
  });
}
