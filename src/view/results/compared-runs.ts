import type { TwoRuns } from '../../compare/baseline/two-runs.ts';
import type { LevelLimits } from '../../media/compare/level-limits.ts';
import type { OutputFact } from '../../record/model/fact.ts';
import type { Checked } from '../../suite/document/diagnostic.ts';
import type { RunPlace } from '../pages/parts/addresses.ts';
import { BoundedMap } from '../progress/bounded-map.ts';
import { stampOf } from '../progress/outline.ts';
import type { Library } from './library.ts';
import type { Makers } from './makers.ts';
import { type ComparedOutputs, outputPairs } from './output-pairs.ts';

/** Kept, so that the next part of the outputs needs no analysis. */
export interface Compared {
  readonly found: TwoRuns;
  readonly pairs: readonly ComparedOutputs[];
  /** By the digests of outputs. */
  readonly facts: ReadonlyMap<string, OutputFact>;
  readonly texts: ReadonlyMap<string, string>;
  /** By the variant of the later run. */
  readonly levels: ReadonlyMap<string, LevelLimits>;
}

/** Compares two runs, the earlier one first. */
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
    const { found, earlier, later } = made.value;
    const value = {
      found,
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
