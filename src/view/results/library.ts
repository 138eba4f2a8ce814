import { join, sep } from 'node:path';
import {
  accepted,
  type Checked,
  checked,
  type Diagnostic,
  fileFaultOf,
  formatDiagnostic,
  refused,
} from '../../kit/diagnostic.ts';
import { pick } from '../../kit/json.ts';
import { suitesIn } from '../../record/find-run.ts';
import { foldersIn } from '../../record/own-files.ts';
import { findBaseline, readRun } from '../../record/read-record.ts';
import { fileAddress, type RunPlace } from '../addresses.ts';
import { cachedByStamp } from '../cached-by-stamp.ts';
import { isContainedFolder, lookedAt, statOf } from '../files/contained-files.ts';
import type { FollowRun } from '../progress/follow-runs.ts';
import type { Tally } from '../progress/tally.ts';
import type { Makers } from '../reports.ts';
import { historyReader, type KnownLine } from './suite-history.ts';

/** A run as a list shows it: what its line in the history says, else its record, else why that cannot be read. */
export interface ListedRun extends RunPlace {
  /** UTC, ISO 8601; empty if unknown. */
  readonly startedAt: string;
  readonly label: string | null;
  readonly isBaseline: boolean;
  /** Null if its history does not have it: it was not reported. */
  readonly line: KnownLine | null;
  /** Of a run that another process measures or reports; null of others. */
  readonly live: { readonly planned: number; readonly tally: Tally } | null;
  /** Null if its record can be read. */
  readonly why: string | null;
  /** Null if nothing changed, or the small copies are gone. */
  readonly shown: ShownChange | null;
}

/** Addresses of the output that changed most since the stored baseline, and of the one in its place there. */
export interface ShownChange {
  readonly words: string;
  readonly before: string;
  readonly now: string;
}

export type Library = ReturnType<typeof openLibrary>;

const MOST_RUNS = 5000;
const MOST_SUITES = 100;

export function openLibrary(
  root: string,
  { follow, isInUse: isFolderInUse }: { readonly follow: FollowRun } & Pick<Makers, 'isInUse'>,
) {
  const suiteFolder = (suite: string): string => join(root, suite);
  const folder = ({ suite, run }: RunPlace): string => join(root, suite, run);
  const reasons = (diagnostics: readonly Diagnostic[]): readonly string[] =>
    diagnostics.map((diagnostic) => formatDiagnostic(diagnostic).replaceAll(`${root}${sep}`, ''));
  const isInUse = (place: RunPlace): boolean => lookedAt(() => isFolderInUse(folder(place)), false);
  const history = historyReader();
  const lineOf = ({ suite, run }: RunPlace): KnownLine | null => history(suiteFolder(suite)).get(run) ?? null;
  const suites = (): readonly string[] => lookedAt(() => suitesIn(root), []);

  const baselineOf = cachedByStamp(
    MOST_SUITES,
    (suite) => [join(suiteFolder(suite), 'baseline.json')],
    async (suite) => accepted(await findBaseline(suiteFolder(suite)))?.run ?? null,
  );
  /** The run that the stored baseline of a suite was kept from; null if there is no readable one. */
  const baselineRun = async (suite: string): Promise<string | null> => {
    const read = await readable(() => baselineOf(suite));
    return read.ok ? read.value : null;
  };

  const recordOf = cachedByStamp(
    MOST_RUNS,
    (run) => [join(run, 'run.json')],
    async (run) => pick(accepted(await readRun(run)), 'createdAt', 'label'),
  );

  const listed = async (place: RunPlace, baseline: string | null): Promise<ListedRun> => {
    const line = lineOf(place);
    const common = { ...place, line, isBaseline: baseline === place.run, shown: shownOf(place, line) };
    const inUse = isInUse(place);
    if (line !== null && !inUse) {
      return { ...common, startedAt: line.startedAt, label: line.label ?? null, live: null, why: null };
    }
    const read = await readable(async () => {
      if (!inUse) return { run: await recordOf(folder(place)), live: null };
      const { run, tally } = accepted(await follow(folder(place)));
      return { run, live: { planned: run.plan.requests, tally } };
    });
    if (!read.ok)
      return { ...common, startedAt: '', label: null, live: null, why: reasons(read.diagnostics).join('; ') };
    const { run, live } = read.value;
    return { ...common, startedAt: run.createdAt, label: run.label ?? null, live, why: null };
  };

  const shownOf = (place: RunPlace, line: KnownLine | null): ShownChange | null => {
    if (line?.shown === undefined) return null;
    const { outputs, prompt, seed } = line.shown;
    const imageOf = (sha256: string): string | null => {
      const path = `thumbs/${sha256}.webp`;
      return statOf(join(folder(place), path)) === null ? null : fileAddress(place, path);
    };
    const changed = outputs.find(({ stored }) => stored !== undefined);
    if (changed?.stored === undefined) return null;
    const [before, now] = [imageOf(changed.stored), imageOf(changed.sha256)];
    if (before === null || now === null) return null;
    return { words: `${changed.variant}, ${prompt}, seed ${seed}`, before, now };
  };

  return {
    root,
    reasons,
    suiteFolder,
    folder,
    isInUse,
    /** False if a link is on the way. */
    has: async ({ suite, run }: { readonly suite: string; readonly run?: string }): Promise<boolean> => {
      const names = run === undefined ? [suite] : [suite, run];
      if (names.some((name) => name.startsWith('.')) || !(await isContainedFolder(root, names))) return false;
      return statOf(join(root, ...names, run === undefined ? '' : 'run.json')) !== null;
    },
    /** Every run of every suite, the latest first. */
    listed: async (): Promise<readonly ListedRun[]> => {
      const all = suites().map(async (suite) => {
        const baseline = await baselineRun(suite);
        const folders = lookedAt(() => foldersIn(suiteFolder(suite)), []);
        const runs = folders.filter((run) => statOf(join(root, suite, run, 'run.json')) !== null);
        return await Promise.all(runs.map((run) => listed({ suite, run }, baseline)));
      });
      return (await Promise.all(all)).flat().sort((a, b) => (a.startedAt < b.startedAt ? 1 : -1));
    },
  };
}

/** Also what the file system refuses becomes a diagnostic. */
async function readable<T>(read: () => Promise<T>): Promise<Checked<T>> {
  try {
    return await checked(read);
  } catch (error) {
    const fault = fileFaultOf(error);
    if (fault === null) throw error;
    return refused(fault.cause, fault.remedy);
  }
}

/** What a record is made of, but for its media. */
export function recordFiles(folder: string): readonly string[] {
  return ['run.json', 'journal.jsonl', 'facts.jsonl'].map((name) => join(folder, name));
}
