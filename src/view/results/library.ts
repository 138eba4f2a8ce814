import { join, sep } from 'node:path';
import { changedPrompts } from '../../analysis/stability.ts';
import type { TwoRuns } from '../../analysis/two-runs.ts';
import type { KeptAnswer } from '../../gate/kept-verdict.ts';
import { type Checked, type Diagnostic, fileFaultOf, formatDiagnostic, refused } from '../../kit/diagnostic.ts';
import { isMeasured } from '../../plan/plan.ts';
import type { OutputFact } from '../../record/fact.ts';
import { runsIn, shardsIn, suitesIn } from '../../record/find-run.ts';
import type { Output, Sample } from '../../record/journal.ts';
import type { StoredRun } from '../../record/kept-run.ts';
import { fileAddress, type RunPlace } from '../addresses.ts';
import { entriesOf, isContainedFolder, lookedAt, statOf } from '../files/contained-files.ts';
import type { ListedRun } from '../pages/lists/runs-table.ts';
import type { ShownOutputs } from '../pages/lists/suite-row.ts';
import type { RunChoice } from '../pages/parts/compare-form.ts';
import { BoundedMap } from '../progress/bounded-map.ts';
import { type ReadOutline, stampOf } from '../progress/outline.ts';
import type { HeadlineTrend, KnownLine, ReadBaselineRun, ReadSuiteHistory } from '../progress/suite-history.ts';
import type { Makers } from '../reports.ts';

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

/** Kept, so that the next part of the outputs needs no analysis. */
export interface Compared {
  readonly comparison: TwoRuns;
  readonly pairs: readonly ComparedOutputs[];
  /** By the digests of outputs. */
  readonly facts: ReadonlyMap<string, OutputFact>;
  readonly texts: ReadonlyMap<string, string>;
  /** By the variant of the later run. */
  readonly levels: ReadonlyMap<string, StoredRun['run']['variants'][number]['levels']>;
}

export type CompareRuns = (a: RunPlace, b: RunPlace) => Promise<Checked<Compared>>;

const MOST_KEPT = 4;

export function comparedRuns(library: Library, compare: Makers['compare']): CompareRuns {
  const kept = new BoundedMap<string, Compared>(MOST_KEPT);
  return async (a, b) => {
    const folders = [library.folder(a), library.folder(b)] as const;
    const keyNow = () => JSON.stringify(folders.map((folder) => [folder, stampOf(folder)]));
    const known = kept.get(keyNow());
    if (known !== undefined) return { ok: true, value: known };
    const made = await compare(...folders);
    if (!made.ok) return made;
    const { found: comparison, earlier, later } = made.value;
    const value = {
      comparison,
      pairs: outputPairs(earlier, later),
      facts: new Map(
        [...earlier.facts, ...later.facts].flatMap((fact) =>
          fact.fact === 'output' ? [[fact.sha256, fact] as const] : [],
        ),
      ),
      texts: new Map([...earlier.run.prompts, ...later.run.prompts].map(({ id, text }) => [id, text])),
      levels: new Map(later.run.variants.map(({ name, levels }) => [name, levels])),
    };
    // Making the comparison may have added facts, so the key is taken again.
    kept.set(keyNow(), value);
    return { ok: true, value };
  };
}

/** The first delivered take of each run. */
export interface ComparedOutputs {
  readonly variant: string;
  readonly prompt: string;
  readonly seed: number | null;
  readonly earlier: Output;
  readonly later: Output;
  readonly takes: readonly [earlier: DeliveredSample, later: DeliveredSample];
}

export type DeliveredSample = Extract<Sample, { readonly outcome: 'ok' }>;

type Delivered = Pick<StoredRun, 'run' | 'samples'>;

/** For prompts that ask the same: other bytes first, then by prompt, seed and variant in the earlier run's order. */
export function outputPairs(earlier: Delivered, later: Delivered): readonly ComparedOutputs[] {
  const now = firstOutputs(later);
  const changed = changedPrompts(earlier.run.prompts, later.run.prompts);
  const variants = earlier.run.variants.map(({ name }) => name);
  const prompts = earlier.run.prompts.map(({ id }) => id);
  const pairs = [...firstOutputs(earlier)].flatMap(
    ([key, { output, sample, variant, prompt, seed }]): ComparedOutputs[] => {
      const after = now.get(key);
      return after === undefined || changed.has(prompt)
        ? []
        : [{ variant, prompt, seed, earlier: output, later: after.output, takes: [sample, after.sample] }];
    },
  );
  return pairs.sort(
    (a, b) =>
      Number(isSame(a)) - Number(isSame(b)) ||
      prompts.indexOf(a.prompt) - prompts.indexOf(b.prompt) ||
      (a.seed ?? -1) - (b.seed ?? -1) ||
      variants.indexOf(a.variant) - variants.indexOf(b.variant),
  );
}

export function isSame({ earlier, later }: Pick<ComparedOutputs, 'earlier' | 'later'>): boolean {
  return earlier.sha256 === later.sha256;
}

interface FirstOutput extends Pick<ComparedOutputs, 'variant' | 'prompt' | 'seed'> {
  readonly repeat: number;
  readonly output: Output;
  readonly sample: DeliveredSample;
}

function firstOutputs({ samples }: Pick<StoredRun, 'samples'>): ReadonlyMap<string, FirstOutput> {
  const first = new Map<string, FirstOutput>();
  for (const sample of samples) {
    if (sample.outcome !== 'ok' || !isMeasured(sample.trial)) continue;
    const { variant, prompt, seed, repeat } = sample.trial;
    const key = JSON.stringify([variant, prompt, seed]);
    const known = first.get(key);
    if (known !== undefined && known.repeat <= repeat) continue;
    first.set(key, { variant, prompt, seed, repeat, output: sample.outputs[0], sample });
  }
  return first;
}
