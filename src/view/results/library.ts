import { join, sep } from 'node:path';
import type { KeptAnswer } from '../../gate/kept-verdict.ts';
import { type Checked, type Diagnostic, fileFaultOf, formatDiagnostic, refused } from '../../kit/diagnostic.ts';
import { runsIn, shardsIn, suitesIn } from '../../record/find-run.ts';
import { fileAddress, type RunPlace } from '../addresses.ts';
import { entriesOf, isContainedFolder, lookedAt, statOf } from '../files/contained-files.ts';
import type { ListedRun } from '../pages/lists/runs-table.ts';
import type { ShownOutputs } from '../pages/lists/suite-row.ts';
import type { RunChoice } from '../pages/parts/compare-form.ts';
import type { ReadOutline } from '../progress/outline.ts';
import type { HeadlineTrend, KnownLine, ReadBaselineRun, ReadSuiteHistory } from '../progress/suite-history.ts';

export interface Library {
  readonly root: string;
  readonly suites: () => readonly string[];
  /** False if a link is on the way. */
  readonly has: (place: { readonly suite: string; readonly run?: string }) => Promise<boolean>;
  /** The latest first; shards after all runs. */
  readonly runs: (suite: string) => readonly RunPlace[];
  readonly choices: (places: readonly RunPlace[]) => Promise<readonly RunChoice[]>;
  readonly suiteFolder: (suite: string) => string;
  readonly folder: (place: RunPlace) => string;
  /** Null if the history of the suite does not have the run. */
  readonly line: (place: RunPlace) => KnownLine | null;
  /** What the report of a run shows first; null if its small copies are gone. */
  readonly shown: (place: RunPlace) => ShownOutputs | null;
  readonly trends: (suite: string) => readonly HeadlineTrend[];
  readonly isInUse: (place: RunPlace) => boolean;
  readonly listed: (place: RunPlace) => Promise<ListedRun>;
  /** Diagnostics as sentences, with paths below the folder of results: no page tells where that is. */
  readonly reasons: (diagnostics: readonly Diagnostic[]) => readonly string[];
  /** Paths within the run, of the reports, small copies and media that are there now. */
  readonly files: (place: RunPlace) => ReadonlySet<string>;
}

interface LibraryParts {
  readonly readOutline: ReadOutline;
  readonly readHistory: ReadSuiteHistory;
  readonly readBaselineRun: ReadBaselineRun;
  readonly readAnswer: (folder: string) => KeptAnswer | null;
  readonly isInUse: (folder: string) => boolean;
}

export function openLibrary(
  root: string,
  { readOutline, readHistory, readBaselineRun, readAnswer, isInUse }: LibraryParts,
): Library {
  const suiteFolder = (suite: string): string => join(root, suite);
  const folder = ({ suite, run }: RunPlace): string => join(root, suite, run);
  const reasons = (diagnostics: readonly Diagnostic[]): readonly string[] =>
    diagnostics.map((diagnostic) => formatDiagnostic(diagnostic).replaceAll(`${root}${sep}`, ''));
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
        line: readHistory(suiteFolder(suite)).lineOf(run),
        isBaseline: baselines.get(suite) === run,
      }));
    },
    suiteFolder,
    folder,
    line: ({ suite, run }) => readHistory(suiteFolder(suite)).lineOf(run),
    shown: (place) => {
      const line = readHistory(suiteFolder(place.suite)).lineOf(place.run);
      if (line?.shown === undefined) return null;
      const { shown, medians } = line;
      const imageOf = (sha256: string) => {
        const path = `thumbs/${sha256}.webp`;
        return statOf(join(folder(place), path)) === null ? null : fileAddress(place, path);
      };
      const outputs = shown.outputs.flatMap((output) => {
        const image = imageOf(output.sha256);
        return image === null ? [] : [{ ...output, image, before: imageOf(output.stored ?? output.sha256) }];
      });
      return outputs.length === 0 ? null : { place, prompt: shown.prompt, seed: shown.seed, outputs, medians };
    },
    trends: (suite) => readHistory(suiteFolder(suite)).trends,
    isInUse: (place) => isInUse(folder(place)),
    listed: async (place) => {
      const outline = await readOutline(folder(place)).catch(refusedByFileSystem);
      const common = {
        ...place,
        isInUse: lookedAt(() => isInUse(folder(place)), false),
        line: readHistory(suiteFolder(place.suite)).lineOf(place.run),
        answer: readAnswer(folder(place)),
        isBaseline: (await readBaselineRun(suiteFolder(place.suite))) === place.run,
      };
      if (outline.ok) return { ...common, outline: outline.value, why: null };
      return { ...common, outline: null, why: reasons(outline.diagnostics).join('; ') };
    },
    files: (place) => new Set(filesOf(folder(place))),
  };
}

/** A diagnostic of what the file system refuses; throws other errors. */
function refusedByFileSystem(error: unknown): Checked<never> {
  const fault = fileFaultOf(error);
  if (fault === null) throw error;
  return refused(fault.cause, fault.remedy);
}

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
