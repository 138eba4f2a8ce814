import { describe, expect, it, test } from 'vitest';
import { analyse } from '../../../src/analysis/analyse.ts';
import { METRICS } from '../../../src/analysis/metrics.ts';
import type { Fact } from '../../../src/record/fact.ts';
import type { Sample } from '../../../src/record/journal.ts';
import type { RunVariant } from '../../../src/record/run.ts';
import { foundIn } from '../../fixtures/asked-warnings.ts';
import { buildFailure, buildOk, buildStoredRun, digestOf } from '../../fixtures/stored-run-builder.ts';

/** A take of a seed, with the number that the service says was the seed. */
function take(seed: number, repeat: number, content: string, echo: string | null = null): Sample {
  const sample = buildOk(100, content, { startedMs: seed * 1000 + repeat, trial: { seed, repeat } });
  return { ...sample, reported: { ...sample.reported, seedEcho: echo } };
}

/** Two images that have nothing in common. */
const compared = (a: string, b: string): Fact => ({
  fact: 'pair',
  a: digestOf(a),
  b: digestOf(b),
  compared: true,
  difference: { ...DIFFERENT },
});
const DIFFERENT: Extract<Fact, { compared: true }>['difference'] = {
  frames: 1,
  similarityFrames: 1,
  unpaired: 0,
  samples: { maxDifference: 0.98, psnrDb: 8 },
  ssim: { p5: 0.1, worst: 0.1 },
  chroma: 20,
  pdqDistance: 120,
};

const analysed = (samples: readonly Sample[], variant: Partial<RunVariant> = {}, facts: readonly Fact[] = []) => {
  const seeds = [...new Set(samples.map(({ trial }) => trial.seed ?? 0))];
  const record = buildStoredRun({ variants: [variant], seeds, samples });
  return analyse({ ...record, facts: [...record.facts, ...facts] }, METRICS);
};
const codes = (...parts: Parameters<typeof analysed>) =>
  analysed(...parts).analysis.warnings.flatMap(({ code }) => code ?? []);

describe('a seed that the target claims to be exact', () => {
  const different = [take(1, 1, 'fox'), take(1, 2, 'cat'), take(2, 1, 'owl'), take(2, 2, 'owl')];
  const facts = [compared('fox', 'cat')];

  it('an exact seed is reported as not honoured where takes of a cell differ, without a seed probe', () => {
    const { analysis } = analysed(different, {}, facts);
    expect(analysis.warnings.map(foundIn)).toContainEqual({
      code: 'seed_not_honoured',
      variants: ['standard'],
      cells: 1,
      ofCells: 2,
    });
  });

  it('an exact seed is not accused where takes agree, were not compared or are of several models, or where nothing is claimed', () => {
    expect(codes([take(1, 1, 'fox'), take(1, 2, 'fox')])).not.toContain('seed_not_honoured');
    expect(codes(different)).not.toContain('seed_not_honoured');
    expect(codes(different, { seedClaim: 'none' }, facts)).not.toContain('seed_not_honoured');
    expect(codes(different, { sendsSeed: false }, facts)).not.toContain('seed_not_honoured');
    const models = different.map((one, at) => ({ ...one, reported: { ...one.reported, model: `model-${at % 2}` } }));
    expect(codes(models, {}, facts)).not.toContain('seed_not_honoured');
  });
});

describe('a seed that the service says', () => {
  it('an echoed seed is flagged and warned of where it differs from the seed sent', () => {
    const { analysis, samples } = analysed([
      take(1, 1, 'fox', '1'),
      take(2, 1, 'cat', '0.1225'),
      take(3, 1, 'owl', '3.0'),
    ]);
    expect(samples.map(({ flags }) => flags)).toEqual([[], ['seed_echo'], []]);
    expect(analysis.warnings.map(foundIn)).toContainEqual({
      code: 'other_seed_echoed',
      variants: ['standard'],
      samples: 1,
      ofSamples: 3,
      sent: 2,
      echoed: '0.1225',
    });
    expect(analysis.flagged).toEqual([]);
  });

  it('an echoed seed is compared to its last digit', () => {
    const most = Number.MAX_SAFE_INTEGER;
    const takes = [`${most}`, `${most}.0`, `${most}.4`, '9007199254740992'].map((echo, at) =>
      take(most, at + 1, 'fox', echo),
    );
    const last = take(2 ** 53, 1, 'cat', '9007199254740993');
    const { samples } = analysed([...takes, last]);
    expect(samples.map(({ flags }) => flags.length)).toEqual([0, 0, 1, 1, 1]);
    expect(analysed([last]).analysis.warnings.map(foundIn)).toContainEqual(
      expect.objectContaining({ code: 'other_seed_echoed', sent: 2 ** 53, echoed: '9007199254740993' }),
    );
  });

  it('an echoed seed is ignored where no seed was sent, and where it is no number', () => {
    expect(codes([take(1, 1, 'fox', 'random'), take(2, 1, 'cat', '')])).not.toContain('other_seed_echoed');
    expect(codes([take(1, 1, 'fox', '99')], { sendsSeed: false })).not.toContain('other_seed_echoed');
  });

  it('the warning of an echoed seed gives the seed sent and the one reported', () => {
    const [small, large] = [5, 2 ** 31 + 7];
    const { analysis } = analysed([take(small, 1, 'fox', '5'), take(large, 1, 'cat', '7')]);
    expect(analysis.warnings.find(({ code }) => code === 'other_seed_echoed')).toMatchObject({
      facts: { samples: 1, ofSamples: 2, sent: large, echoed: '7' },
    });
  });
});

describe('a target that takes no seed', () => {
  it('a target without a seed is reported as getting one request for all seeds, never as not honouring them', () => {
    const same = [take(1, 1, 'fox'), take(1, 2, 'fox'), take(2, 1, 'fox'), take(2, 2, 'fox')];
    const { analysis } = analysed(same, { sendsSeed: false });
    expect(analysis.warnings.map(foundIn)).toContainEqual({
      code: 'no_seed_sent',
      variants: ['standard'],
      seeds: [1, 2],
    });
    expect(analysis.warnings.filter(({ code }) => code === 'seed_not_honoured')).toEqual([]);
    expect(codes(same)).toContain('same_for_all_seeds');
  });

  it('a target without a seed is not mentioned where the suite declares one seed', () => {
    expect(codes([take(1, 1, 'fox'), take(1, 2, 'fox')], { sendsSeed: false })).not.toContain('no_seed_sent');
  });
});

describe('poll warnings', () => {
  /** Jobs of about a second whose last poll that said not yet was sent so long before the one that said done. */
  function polled(gapMs: number, polls = 3): Sample[] {
    return Array.from({ length: 12 }, (_, at): Sample => {
      const startedMs = at * 2000;
      const sample = buildOk(1000, 'image', { startedMs, polls, trial: { repeat: at + 1 } });
      if (sample.outcome !== 'ok') throw new Error('buildOk builds what is ok');
      const readyMs = startedMs + 990;
      const marks = { ...sample.marks, acceptedMs: startedMs + 10, lastPendingMs: readyMs - gapMs, readyMs };
      return { ...sample, marks };
    });
  }

  const analysed = (samples: readonly Sample[]) => analyse(buildStoredRun({ samples }), METRICS).analysis;
  const coarse = (samples: readonly Sample[]) =>
    analysed(samples)
      .warnings.filter(({ code }) => code === 'coarse_polls')
      .map(foundIn);

  test('polls further apart than a tenth of the median latency are warned of', () => {
    expect(coarse(polled(400))).toMatchObject([
      { code: 'coarse_polls', variants: ['standard'], step: null, gapMs: 400, medianMs: 1000 },
    ]);
  });

  test('polls within a tenth of the median latency, and replies without polls, are not warned of', () => {
    expect(coarse(polled(100))).toEqual([]);
    expect(coarse(polled(110))).toHaveLength(1);
    expect(coarse(polled(400, 0))).toEqual([]);
  });

  test('a polled generation is measured at both of its ends', () => {
    const p50 = (samples: readonly Sample[], name: string) =>
      analysed(samples).measures.find(({ metric, statistic }) => metric === `latency.${name}` && statistic === 'p50');
    expect(p50(polled(400), 'generation_low')?.value).toBe(590);
    expect(p50(polled(400), 'generation')?.value).toBe(990);
    expect(p50(polled(400, 0), 'generation_low')).toBeUndefined();
  });
});

describe('equal variants', () => {
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
    analysed(variants, samples)
      .warnings.filter(({ code }) => code === 'equal_variants')
      .map(foundIn);

  const euler: Partial<RunVariant> = { name: 'euler', constants: { model: 'm', sampler: 'euler' } };
  const misspelt: Partial<RunVariant> = { name: 'heun', constants: { model: 'm', sampler: 'hein' } };
  const same = (seed: number) => `image ${seed}`;

  describe('variants that differ in a constant', () => {
    it('variants that differ in a constant are reported where their bytes are equal in every common cell, with what they differ in', () => {
      const samples = [...takes('euler', same), ...takes('heun', same)];
      expect(told([euler, misspelt], samples)).toEqual([
        {
          code: 'equal_variants',
          unfit: 'comparison',
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
          unfit: 'comparison',
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
});
