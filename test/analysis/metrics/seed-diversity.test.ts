import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analyse } from '../../../src/analysis/analyse.ts';
import { assess } from '../../../src/analysis/assess.ts';
import { metricsOf, metricsOfRecord } from '../../../src/analysis/metrics.ts';
import { pdqDistance } from '../../../src/media/compare/pdq.ts';
import type { Fact } from '../../../src/record/fact.ts';
import type { StoredRun } from '../../../src/record/stored-run.ts';
import { buildOk, digestOf } from '../../fixtures/sample-builder.ts';
import { buildShown, buildStoredRun } from '../../fixtures/stored-run-builder.ts';

/** What became of one take. */
interface Told {
  readonly variant?: string;
  readonly prompt?: string;
  readonly seed: number;
  readonly repeat?: number;
  readonly hash: string;
  readonly quality?: number;
  readonly blank?: boolean;
}

const SCORERS = [{ use: 'seed_diversity', name: 'seeds' }] as const;

function recordOf(takes: readonly Told[], load: { concurrency?: number } = {}): StoredRun {
  const told = takes.map((take, at) => {
    const { variant = 'standard', prompt = 'fox', seed, repeat = 1 } = take;
    const content = `${at}`;
    const slice = at + 1;
    return { ...take, content, sample: buildOk(100, content, { slice, trial: { variant, prompt, seed, repeat } }) };
  });
  const facts = told.map(({ content, hash, quality = 100, blank = false }): Fact => {
    const sha256 = digestOf(content);
    const shown = { ...buildShown(sha256), pdq: hash, pdqQuality: quality, blank };
    const size = { width: 8, height: 8, frames: 1, thumbnail: true, video: null };
    return { fact: 'output', sha256, bytes: content.length, mime: 'image/png', decodes: true, ...size, shown };
  });
  const built = buildStoredRun({
    variants: [...new Set(takes.map(({ variant = 'standard' }) => variant))].map((name) => ({ name })),
    prompts: [...new Set(takes.map(({ prompt = 'fox' }) => prompt))],
    load,
    samples: told.map(({ sample }) => sample),
    facts,
  });
  return { ...built, run: { ...built.run, scorers: SCORERS.map((each) => ({ ...each })) } };
}

function measuresOf(record: StoredRun) {
  return analyse(record, metricsOfRecord(record)).analysis.measures.filter(({ metric }) => metric === 'score.seeds');
}

const hash = fc.stringMatching(/^[0-9a-f]{64}$/);

/** A hash of which so many leading bits are set. */
function leading(bits: number): string {
  return Array.from({ length: 64 }, (_, at) => {
    const set = Math.max(0, Math.min(4, bits - 4 * at));
    return (0b1111 & ~(0b1111 >> set)).toString(16);
  }).join('');
}

const take: fc.Arbitrary<Told> = fc.record({
  seed: fc.integer({ min: 1, max: 7 }),
  repeat: fc.integer({ min: 1, max: 3 }),
  hash,
  quality: fc.constantFrom(100, 50, 49),
  blank: fc.constantFrom(false, false, false, true),
});

describe('seed_diversity', () => {
  it('the diversity of a prompt is what its definition says, take by take', () => {
    const takes = fc.uniqueArray(take, { maxLength: 16, selector: ({ seed, repeat }) => `${seed} ${repeat}` });
    fc.assert(
      fc.property(takes, (told) => {
        const counted = told.filter(({ quality, blank }) => quality !== 49 && blank !== true);
        const firstOf = (seed: number) =>
          counted.filter((each) => each.seed === seed).sort((a, b) => (a.repeat ?? 0) - (b.repeat ?? 0))[0];
        const seeds = [...new Set(counted.map(({ seed }) => seed))];
        const cells = seeds.map((seed) => {
          const others = seeds.filter((each) => each !== seed).map((each) => firstOf(each)?.hash ?? '');
          const own = counted.filter((each) => each.seed === seed);
          return average(own.map((each) => average(others.map((other) => pdqDistance(each.hash, other))) / 256));
        });
        const [measure] = measuresOf(recordOf(told));
        if (seeds.length < 4) expect(measure?.value ?? null).toBeNull();
        else expect(measure?.value).toBeCloseTo(average(cells), 12);
      }),
    );
  });

  it('outputs of 4 seeds: a value over prompts; of 6 prompts its interval; of 3 seeds none, and why', () => {
    const prompts = (count: number, seeds: number) =>
      Array.from({ length: count }, (_, prompt) =>
        Array.from({ length: seeds }, (_, seed) => ({
          prompt: `p${prompt}`,
          seed,
          hash: leading(seed * (8 + prompt)),
        })),
      ).flat();
    const [whole] = measuresOf(recordOf(prompts(6, 4)));
    // 0, b, 2b and 3b set bits: the mean distance of two is 5b / 3.
    expect(whole?.value).toBeCloseTo((5 * 10.5) / 3 / 256, 12);
    expect(whole).toMatchObject({ n: 6, unit: 'score', better: null, method: 'student', notes: [] });
    expect(whole?.ciLow).toBeLessThan(whole?.value ?? 0);
    const [few] = measuresOf(recordOf(prompts(5, 4)));
    expect(few).toMatchObject({ n: 5, ciLow: null, notes: [{ code: 'needs_prompts', value: 6 }] });
    const [none] = measuresOf(recordOf(prompts(6, 3)));
    expect(none).toMatchObject({ n: 0, value: null, notes: [{ code: 'needs_seeds', value: 4 }] });
  });

  it('two variants are compared over prompts, at any concurrency, and neither is called better', () => {
    const takes = ['standard', 'fast'].flatMap((variant, less) =>
      Array.from({ length: 8 }, (_, prompt) =>
        [1, 2, 3, 4].flatMap((seed) =>
          [1, 2].map((repeat) => ({
            variant,
            prompt: `p${prompt}`,
            seed,
            repeat,
            hash: leading(seed * (20 - less * (8 + (prompt % 2)))),
          })),
        ),
      ).flat(),
    );
    for (const concurrency of [1, 4]) {
      const record = recordOf(takes, { concurrency });
      const { comparisons } = assess(record, metricsOfRecord(record), null);
      expect(comparisons.filter(({ metric }) => metric === 'score.seeds').slice(0, 1)).toMatchObject([
        { variant: 'fast', units: 'prompts', nUnits: 8, finding: 'lower', better: null },
      ]);
    }
  });

  it('a suite with seed_diversity has its metric before anything is measured', () => {
    expect(metricsOf([], SCORERS).map(({ name }) => name)).toContain('score.seeds');
    expect(metricsOf([]).map(({ name }) => name)).not.toContain('score.seeds');
  });
});

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
