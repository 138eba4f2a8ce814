import { describe, expect, it } from 'vitest';
import { analyse } from '../../../src/analysis/analyse.ts';
import { METRICS } from '../../../src/analysis/metrics.ts';
import type { Sample } from '../../../src/record/journal.ts';
import type { RunVariant } from '../../../src/record/run.ts';
import { buildFailure, buildOk, buildStoredRun } from '../../fixtures/stored-run-builder.ts';

const SEEDS = [1, 2, 3];

/** Two takes of each seed; `image` names the bytes that a seed gives. */
function takes(variant: string, image: (seed: number) => string): readonly Sample[] {
  return SEEDS.flatMap((seed) =>
    [1, 2].map((repeat) =>
      buildOk(100, image(seed), { startedMs: seed * 100 + repeat, trial: { variant, seed, repeat } }),
    ),
  );
}

const analysed = (variants: readonly Partial<RunVariant>[], samples: readonly Sample[]) =>
  analyse(buildStoredRun({ variants, seeds: SEEDS, samples }), METRICS).analysis;
const told = (variants: readonly Partial<RunVariant>[], samples: readonly Sample[]) =>
  analysed(variants, samples).warnings.filter(({ code }) => code === 'equal_variants');

const euler: Partial<RunVariant> = { name: 'euler', constants: { model: 'm', sampler: 'euler' } };
const misspelt: Partial<RunVariant> = { name: 'heun', constants: { model: 'm', sampler: 'hein' } };
const same = (seed: number) => `image ${seed}`;

describe('variants that differ in a constant', () => {
  it('variants that differ in a constant are reported where their bytes are equal in every common cell, with what they differ in', () => {
    const samples = [...takes('euler', same), ...takes('heun', same)];
    expect(told([euler, misspelt], samples)).toEqual([
      {
        code: 'equal_variants',
        variants: ['euler', 'heun'],
        cells: 3,
        constants: [{ name: 'sampler', values: ['euler', 'hein'] }],
      },
    ]);
  });

  it('variants that differ in a constant are reported in one group, and by the cells that all of them delivered', () => {
    const third = { name: 'lcm', constants: { model: 'm' } };
    const lost = SEEDS.slice(1).map((seed) => buildFailure('error', { trial: { variant: 'lcm', seed } }));
    const samples = [
      ...takes('euler', same),
      ...takes('heun', same),
      ...takes('lcm', same).filter(({ trial }) => trial.seed === 1),
      ...lost,
    ];
    expect(told([euler, misspelt, third], samples)).toEqual([
      {
        code: 'equal_variants',
        variants: ['euler', 'heun', 'lcm'],
        cells: 1,
        constants: [{ name: 'sampler', values: ['euler', 'hein', null] }],
      },
    ]);
  });

  it('variants that differ in a constant are not reported where one cell differs, where they have none in common, or where they are the same by declaration', () => {
    const other = takes('heun', (seed) => (seed === 3 ? 'another' : same(seed)));
    expect(told([euler, misspelt], [...takes('euler', same), ...other])).toEqual([]);
    expect(told([euler, misspelt], takes('euler', same))).toEqual([]);
    const again = { name: 'heun', constants: euler.constants ?? {} };
    const equal = [...takes('euler', same), ...takes('heun', same)];
    expect(told([euler, again], equal)).toEqual([]);
    expect(told([euler, { ...misspelt, baseUrl: 'http://other.test' }], equal)).toEqual([]);
  });
});
