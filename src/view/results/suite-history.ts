import { join } from 'node:path';
import { byTime } from '../../analysis/earlier-runs.ts';
import { pick } from '../../kit/json.ts';
import type { ListedLine } from '../../record/kept-run.ts';
import { listedHistory } from '../../record/read-record.ts';
import { cachedByStamp } from '../cached-by-stamp.ts';
import { lookedAt } from '../files/contained-files.ts';

/**
 * A median of a variant, and how many times as long its takes are as those of the run before, over the prompts x seeds
 * that both have: as the trend and the page of two runs say it. Null without a comparable one.
 */
export interface RunMedian {
  readonly variant: string;
  readonly p50Ms: number;
  readonly ratio: number | null;
}

export type KnownLine = Pick<
  ListedLine,
  'startedAt' | 'label' | 'complete' | 'verdict' | 'notJudged' | 'ofClaims' | 'said' | 'shown'
> & { readonly medians: readonly RunMedian[] };

const MOST_SUITES = 100;

/** The lines of a suite, by run. Skips damaged ones, and does not read an unchanged history again. */
export function historyReader(): (suiteFolder: string) => ReadonlyMap<string, KnownLine> {
  return cachedByStamp(
    MOST_SUITES,
    (folder) => [join(folder, 'history.jsonl')],
    (folder) => knownLines(lookedAt(() => listedHistory(folder), [])),
  );
}

/** A run is compared with the last complete one that measured the same. */
export function knownLines(lines: readonly ListedLine[]): ReadonlyMap<string, KnownLine> {
  const before = new Map<string, number>();
  return new Map(
    byTime(lines).map((line) => {
      const medians = line.variants.flatMap(({ variant, comparableDigest, p50Ms, meanLn }): readonly RunMedian[] => {
        if (p50Ms === undefined) return [];
        const key = JSON.stringify([variant, comparableDigest]);
        const ln = meanLn['latency.response'] ?? meanLn['latency.total'] ?? null;
        const last = before.get(key) ?? null;
        if (line.complete && ln !== null) before.set(key, ln);
        return [{ variant, p50Ms, ratio: ln === null || last === null ? null : Math.exp(ln - last) }];
      });
      const known = pick(line, 'startedAt', 'label', 'complete', 'verdict', 'notJudged', 'ofClaims', 'said', 'shown');
      return [line.run, { ...known, medians }];
    }),
  );
}
