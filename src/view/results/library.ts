import { join, sep } from 'node:path';
import { runsIn, shardsIn } from '../../record/find/find-run.ts';
import { suitesIn } from '../../record/find/find-suite-folder.ts';
import type { HistoryLine } from '../../record/model/history-line.ts';
import { type Checked, type Diagnostic, formatDiagnostic, refused } from '../../suite/document/diagnostic.ts';
import { fileFaultOf } from '../../suite/document/file-fault.ts';
import { entriesOf, lookedAt, statOf } from '../files/look-at.ts';
import { isContainedFolder } from '../files/open-contained.ts';
import type { ListedRun } from '../pages/lists/runs-table.ts';
import type { RunPlace } from '../pages/parts/addresses.ts';
import type { RunChoice } from '../pages/parts/compare-form.ts';
import type { ReadBaselineRun } from '../progress/baseline-run.ts';
import type { HeadlineTrend } from '../progress/headline-trend.ts';
import type { ReadOutline } from '../progress/outline.ts';
import type { ReadSuiteHistory } from '../progress/suite-history.ts';

/** The runs of a folder of results. */
export interface Library {
  readonly root: string;
  readonly suites: () => readonly string[];
  /** Whether there is such a suite, or such a run, reached without a link. */
  readonly has: (place: { readonly suite: string; readonly run?: string }) => Promise<boolean>;
  /** The runs of a suite, the latest first; its shards after them. */
  readonly runs: (suite: string) => readonly RunPlace[];
  /** What is said of runs where two of them are chosen to be compared. */
  readonly choices: (places: readonly RunPlace[]) => Promise<readonly RunChoice[]>;
  readonly suiteFolder: (suite: string) => string;
  readonly folder: (place: RunPlace) => string;
  /** What the history of its suite says of a run; null where it says nothing. */
  readonly line: (place: RunPlace) => Pick<HistoryLine, 'complete' | 'verdict'> | null;
  /** The trend of each variant of a suite. */
  readonly trends: (suite: string) => readonly HeadlineTrend[];
  /** Whether another process measures, examines or reports it. */
  readonly isInUse: (place: RunPlace) => boolean;
  /** What a list shows of a run. */
  readonly listed: (place: RunPlace) => Promise<ListedRun>;
  /** Diagnostics as sentences, with paths that begin at the folder of all results: no page says where that is. */
  readonly reasons: (diagnostics: readonly Diagnostic[]) => readonly string[];
  /** Which files of a run are there now, by their paths within it: reports, small copies and media. */
  readonly files: (place: RunPlace) => ReadonlySet<string>;
}

export interface LibraryParts {
  readonly readOutline: ReadOutline;
  readonly readHistory: ReadSuiteHistory;
  readonly readBaselineRun: ReadBaselineRun;
  /** Whether another process measures, examines or reports a run. */
  readonly isInUse: (folder: string) => boolean;
}

/** @param root the folder of all results */
export function openLibrary(
  root: string,
  { readOutline, readHistory, readBaselineRun, isInUse }: LibraryParts,
): Library {
  const suiteFolder = (suite: string): string => join(root, suite);
  const folder = ({ suite, run }: RunPlace): string => join(root, suite, run);
  const reasons = (diagnostics: readonly Diagnostic[]): readonly string[] =>
    diagnostics.map((each) => formatDiagnostic(each).replaceAll(`${root}${sep}`, ''));
  return {
    root,
    reasons,
    suites: () => suitesIn(root),
    has: async ({ suite, run }) => {
      const names = run === undefined ? [suite] : [suite, run];
      if (names.some((name) => name.startsWith('.')) || !(await isContainedFolder(root, names))) return false;
      return statOf(join(root, ...names, run === undefined ? '' : 'run.json')) !== null;
    },
    runs: (suite) => {
      const folderOf = suiteFolder(suite);
      const names = lookedAt(() => [...runsIn(folderOf).toReversed(), ...shardsIn(folderOf).toReversed()], []);
      return names.map((run) => ({ suite, run }));
    },
    choices: async (places) => {
      const suites = [...new Set(places.map(({ suite }) => suite))];
      const baselines = new Map(
        await Promise.all(suites.map(async (suite) => [suite, await readBaselineRun(suiteFolder(suite))] as const)),
      );
      return places.map(({ suite, run }) => ({
        suite,
        run,
        verdict: readHistory(suiteFolder(suite)).lineOf(run)?.verdict ?? null,
        isBaseline: baselines.get(suite) === run,
      }));
    },
    suiteFolder,
    folder,
    line: ({ suite, run }) => readHistory(suiteFolder(suite)).lineOf(run),
    trends: (suite) => readHistory(suiteFolder(suite)).trends,
    isInUse: (place) => isInUse(folder(place)),
    listed: async (place) => {
      const outline = await readOutline(folder(place)).catch(refusedByFileSystem);
      const common = {
        ...place,
        isInUse: lookedAt(() => isInUse(folder(place)), false),
        line: readHistory(suiteFolder(place.suite)).lineOf(place.run),
      };
      if (outline.ok) return { ...common, outline: outline.value, why: null };
      return { ...common, outline: null, why: reasons(outline.diagnostics).join('; ') };
    },
    files: (place) => new Set(filesOf(folder(place))),
  };
}

/** That the file system refuses to read a run is said of it; a defect of ours is thrown. */
function refusedByFileSystem(error: unknown): Checked<never> {
  const fault = fileFaultOf(error);
  if (fault === null) throw error;
  return refused(fault.cause, fault.remedy);
}

/** The files of a run that may be shown: those at its root, in thumbs/ and in media/. */
function filesOf(folder: string): readonly string[] {
  return [
    ...filesIn(folder),
    ...filesIn(join(folder, 'thumbs')).map((name) => `thumbs/${name}`),
    ...foldersIn(join(folder, 'media')).flatMap((shelf) =>
      filesIn(join(folder, 'media', shelf)).map((name) => `media/${shelf}/${name}`),
    ),
  ];
}

function filesIn(folder: string): readonly string[] {
  return entriesOf(folder)
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);
}

function foldersIn(folder: string): readonly string[] {
  return entriesOf(folder)
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}
