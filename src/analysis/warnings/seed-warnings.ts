import { isAtLeast } from '../../media/compare/level.ts';
import type { Cell } from '../analysis.ts';
import { groupBy } from '../grouping.ts';
import { echoedSeed, SEED_ECHO, seedRangeOf } from '../samples/echoed-seed.ts';
import type { SeedWarning } from '../warning-codes/seed-warning.ts';
import type { Evidence, WarningRule } from './evidence.ts';

/**
 * The target claims that a seed gives the same image, and takes of a prompt and seed differ; needs no seed probe. Not
 * told again where the seed probe has told it, or where the load probe has found that concurrency changes the output.
 */
export const seedNotHonoured: WarningRule = ({ variants, cells, probes }) => {
  const byVariant = groupBy(cells, ({ variant }) => variant);
  return variants.flatMap(({ name, seedClaim, sendsSeed }): SeedWarning[] => {
    const found = probes.find(({ variant }) => variant === name);
    const known = found?.seed?.code === 'unstable' || found?.seed?.code === 'similar';
    if (seedClaim !== 'exact' || !sendsSeed || known || found?.load?.code === 'batch_dependent') return [];
    const levels = (byVariant.get(name) ?? []).flatMap(({ level }) => (level === null ? [] : [level]));
    const other = levels.filter((level) => !isAtLeast(level, 'pixel')).length;
    if (other === 0) return [];
    return [{ code: 'seed_not_honoured', variant: name, cells: other, ofCells: levels.length }];
  });
};

export const otherSeedEchoed: WarningRule = ({ variants, trials }) => {
  const byVariant = groupBy(trials, ({ sample }) => sample.trial.variant);
  return variants.flatMap(({ name }): SeedWarning[] => {
    const own = byVariant.get(name) ?? [];
    const others = own.filter(({ flags }) => flags.includes(SEED_ECHO));
    const [first] = others.flatMap(({ sample }) => echoedSeed(sample) ?? []);
    if (first === undefined) return [];
    const echoes = own.flatMap(({ sample }) => echoedSeed(sample) ?? []);
    return [
      {
        code: 'other_seed_echoed',
        variant: name,
        samples: others.length,
        ofSamples: echoes.length,
        ...first,
        kept: seedRangeOf(echoes),
      },
    ];
  });
};

/** Without a seed, equal outputs of two declared seeds say nothing of seeds. */
export const noSeedSent: WarningRule = ({ variants, plan: { seeds } }) => {
  const names = variants.filter(({ sendsSeed }) => !sendsSeed).map(({ name }) => name);
  return names.length === 0 || seeds.length < 2 ? [] : [{ code: 'no_seed_sent', variants: names, seeds }];
};

/** Prompts whose every seed gave the same image: then neither seeds nor latencies are what they seem. */
export const sameForAllSeeds: WarningRule = ({ cells, probes, variants }) => {
  const silent = silentOn({ probes, variants });
  const untold = cells.filter(({ variant }) => !silent.has(variant));
  const groups = groupBy(untold, ({ variant, prompt }) => JSON.stringify([variant, prompt]));
  const alike = [...groups.values()].filter(sameOverSeeds);
  if (alike.length === 0) return [];
  return [
    {
      code: 'same_for_all_seeds',
      variants: [...new Set(alike.flat().map(({ variant }) => variant))],
      prompts: new Set(alike.flat().map(({ prompt }) => prompt)).size,
    },
  ];
};

/** Variants that the seed probe has told of, or that are sent no seed. */
function silentOn({ probes, variants }: Pick<Evidence, 'probes' | 'variants'>): ReadonlySet<string> {
  return new Set([
    ...probes.filter(({ seed }) => seed?.code === 'ignored').map(({ variant }) => variant),
    ...variants.filter(({ sendsSeed }) => !sendsSeed).map(({ name }) => name),
  ]);
}

function sameOverSeeds(cells: readonly Cell[]): boolean {
  const delivered = cells.filter(({ outputGroups }) => outputGroups.length > 0);
  const outputs = new Set(delivered.flatMap(({ outputGroups }) => outputGroups.map(({ sha256 }) => sha256)));
  return delivered.length > 1 && outputs.size === 1;
}
