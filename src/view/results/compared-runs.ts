import { changedPrompts } from '../../analysis/stability.ts';
import type { TwoRuns } from '../../analysis/two-runs.ts';
import type { Checked } from '../../kit/diagnostic.ts';
import type { LevelLimits } from '../../media/difference.ts';
import { isMeasured } from '../../plan/plan.ts';
import type { OutputFact } from '../../record/fact.ts';
import type { Output, Sample } from '../../record/journal.ts';
import type { StoredRun } from '../../record/kept-run.ts';
import type { RunPlace } from '../addresses.ts';
import { BoundedMap } from '../progress/bounded-map.ts';
import { stampOf } from '../progress/outline.ts';
import type { Makers } from '../reports.ts';
import type { Library } from './library.ts';

/** Comparison of two runs. It is kept, so that the next part of the outputs needs no analysis. */
export interface Compared {
  readonly found: TwoRuns;
  readonly pairs: readonly ComparedOutputs[];
  /** By the digests of outputs. */
  readonly facts: ReadonlyMap<string, OutputFact>;
  readonly texts: ReadonlyMap<string, string>;
  /** By the variant of the later run. */
  readonly levels: ReadonlyMap<string, LevelLimits>;
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

/**
 * What both runs delivered for prompts that ask the same in both: first where the bytes differ, then by prompt, seed
 * and variant in the order of the earlier run.
 */
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
