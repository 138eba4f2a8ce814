import { LEAST_QUALITY, pdqDistance } from '../../media/compare/pdq.ts';
import { caseSeedOf, isMeasured } from '../../plan/plan.ts';
import type { ShownFact } from '../../record/fact.ts';
import type { StoredRun } from '../../record/stored-run.ts';
import { mean } from '../../statistics/samples/mean.ts';
import { FEWEST_FOR_MEAN, meanInterval } from '../../statistics/samples/student-mean.ts';
import type { DeclaredScorer } from '../../suite/format/scorer.ts';
import { CONFIDENCE } from '../confidence.ts';
import type { EffectiveSample } from '../effective-sample.ts';
import { groupBy } from '../grouping.ts';
import type { Metric } from '../measures/metric.ts';
import { noted } from '../noted.ts';
import { factsByDigest } from '../samples/effective-outcome.ts';
import { isShown } from '../scores/scoring.ts';

type SeedDiversity = Extract<DeclaredScorer, { readonly use: 'seed_diversity' }>;

/** Fewer seeds of a prompt say little of others. */
const FEWEST_SEEDS = 4;

const BITS = 256;

const RANGE = [0, 1] as const;

/**
 * score.*: how far the outputs of different seeds are from each other. Of a take the mean PDQ distance, as a share of
 * its 256 bits, to the outputs of the variant's other seeds for that prompt: of each the first take that is ok and not
 * blank. Hashes below Meta's quality of 50 do not count. `mean`: over prompts, each the mean of its cells. Prompts are
 * the units: the takes of one share the same other seeds.
 */
export function seedDiversity({ name }: SeedDiversity, record: Pick<StoredRun, 'samples' | 'facts'>): Metric {
  const seeds = seedsOf(record);
  const read = (take: EffectiveSample): number | null => {
    const hash = isShown(take) ? hashOf(take.output.shown) : null;
    return hash === null
      ? null
      : (seeds.get(groupOf(take.sample.trial))?.diversityOf(take.sample.trial.seed, hash) ?? null);
  };
  return {
    name: `score.${name}`,
    meaning:
      'How far outputs of different seeds are from each other: mean PDQ distance, as a share of its 256 bits. 0: all seeds give one image; unrelated images: about 0.5.',
    unit: 'score',
    better: null,
    whenCached: 'as_is',
    takes: [
      { statistic: 'mean', effect: 'difference', outputUnits: 'prompts', centre: { by: 'mean', range: RANGE }, read },
    ],
    gate: {
      statistics: [{ statistic: 'mean', bounded: { by: 'finding', fewest: { of: 'prompts', n: FEWEST_FOR_MEAN } } }],
      needs: { seeds: FEWEST_SEEDS },
    },
    measure: ({ samples }) => {
      const shown = samples.filter(isShown);
      if (shown.length === 0) return [];
      const values = shown.flatMap((take) => {
        const value = read(take);
        return value === null ? [] : [{ trial: take.sample.trial, value }];
      });
      const cells = [...groupBy(values, ({ trial }) => caseSeedOf(trial)).values()].flatMap((own) =>
        own.slice(0, 1).map(({ trial }) => ({ prompt: trial.prompt, value: mean(own.map(({ value }) => value)) ?? 0 })),
      );
      const prompts = [...groupBy(cells, ({ prompt }) => prompt).values()].map(
        (own) => mean(own.map(({ value }) => value)) ?? 0,
      );
      const [low, high] = RANGE;
      const without = shown.length - values.length;
      return [
        {
          statistic: 'mean',
          value: mean(prompts),
          n: prompts.length,
          interval: meanInterval(prompts, CONFIDENCE, { low, high }),
          method: 'student',
          notes: [
            ...(prompts.length === 0 ? [noted('needs_seeds', FEWEST_SEEDS)] : []),
            ...(prompts.length > 0 && prompts.length < FEWEST_FOR_MEAN
              ? [noted('needs_prompts', FEWEST_FOR_MEAN)]
              : []),
            ...(prompts.length > 0 && without > 0 ? [noted('unscored', without)] : []),
          ],
        },
      ];
    },
  };
}

interface Seeds {
  /** Null for fewer than 4 seeds. */
  readonly diversityOf: (seed: number | null, hash: string) => number | null;
}

/** By variant and prompt. */
function seedsOf({ samples, facts }: Pick<StoredRun, 'samples' | 'facts'>): ReadonlyMap<string, Seeds> {
  const byDigest = factsByDigest(facts);
  const hashed = samples.flatMap((sample) => {
    const { trial } = sample;
    const fact = sample.outcome === 'ok' && isMeasured(trial) ? byDigest.get(sample.outputs[0].sha256) : undefined;
    const hash = fact?.decodes === true && !fact.shown.blank ? hashOf(fact.shown) : null;
    return hash === null ? [] : [{ trial, hash }];
  });
  const groups = groupBy(hashed, ({ trial }) => groupOf(trial));
  return new Map(
    [...groups].map(([group, own]) => {
      const sorted = own.toSorted(
        (a, b) => a.trial.repeat - b.trial.repeat || (a.trial.step ?? 0) - (b.trial.step ?? 0),
      );
      const first = new Map<number | null, string>();
      for (const { trial, hash } of sorted) if (!first.has(trial.seed)) first.set(trial.seed, hash);
      return [group, comparedWith(first)];
    }),
  );
}

/** Counts the hashes with each bit, so that thousands of seeds are not compared one by one. */
function comparedWith(first: ReadonlyMap<number | null, string>): Seeds {
  const ones = new Array<number>(BITS).fill(0);
  for (const hash of first.values()) {
    for (const [at, bit] of bitsOf(hash).entries()) ones[at] = (ones[at] ?? 0) + bit;
  }
  return {
    diversityOf: (seed, hash) => {
      const own = first.get(seed);
      if (own === undefined || first.size < FEWEST_SEEDS) return null;
      const toAll = bitsOf(hash).reduce((sum, bit, at) => {
        const alike = ones[at] ?? 0;
        return sum + (bit === 1 ? first.size - alike : alike);
      }, 0);
      return (toAll - pdqDistance(hash, own)) / (first.size - 1) / BITS;
    },
  };
}

function bitsOf(hash: string): readonly number[] {
  return [...hash].flatMap((digit) => {
    const four = Number.parseInt(digit, 16);
    return [four >> 3, (four >> 2) & 1, (four >> 1) & 1, four & 1];
  });
}

function groupOf({ variant, prompt }: { readonly variant: string; readonly prompt: string }): string {
  return JSON.stringify([variant, prompt]);
}

function hashOf(shown: Pick<ShownFact, 'pdq' | 'pdqQuality'> | null): string | null {
  return shown === null || shown.pdqQuality < LEAST_QUALITY ? null : shown.pdq;
}
