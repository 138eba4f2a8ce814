import { describe, expect, it } from 'vitest';
import { analyse } from '../../../src/analysis/analyse.ts';
import { METRICS } from '../../../src/analysis/metrics.ts';
import type { Difference, LevelLimits } from '../../../src/media/difference.ts';
import { DEFAULT_LIMITS } from '../../../src/media/level.ts';
import type { Fact } from '../../../src/record/fact.ts';
import type { Sample } from '../../../src/record/journal.ts';
import type { StoredRun } from '../../../src/record/kept-run.ts';
import { orderedPair } from '../../../src/record/output-pairs.ts';
import { createRandom } from '../../../src/statistics/random.ts';
import { clopperPearson } from '../../../src/statistics/rate-interval.ts';
import { foundIn } from '../../fixtures/asked-warnings.ts';
import { measureIn, measuresIn } from '../../fixtures/measure-query.ts';
import { buildFailure, buildOk, buildShown, buildStoredRun, digestOf } from '../../fixtures/stored-run-builder.ts';

/** Cells by seed, each a word whose letters are the outputs of its takes; `-` is a take that failed. */
function cells(...words: readonly string[]): Sample[] {
  return words.flatMap((word, seed) =>
    [...word].map((letter, at) => {
      const parts = { trial: { seed: seed + 1, repeat: at + 1 }, startedMs: 1000 * (10 * seed + at) };
      return letter === '-' ? buildFailure('error', parts) : buildOk(100, `${seed} ${letter}`, parts);
    }),
  );
}

const determinism = (statistic: string, ...words: readonly string[]) =>
  measureIn(buildStoredRun({ variants: [{}], seeds: words.map((_, at) => at + 1), samples: cells(...words) }), {
    metric: 'determinism.byte',
    statistic,
  });

describe('determinism.byte', () => {
  it('determinism.byte counts equal pairs within cells', () => {
    // aaa: 3 of 3 pairs; aab: 1 of 3; abc: 0 of 3.
    expect(determinism('share', 'aaa', 'aab', 'abc')).toMatchObject({
      value: 4 / 9,
      n: 9,
      ciLow: null,
      better: 'higher',
    });
  });

  it('determinism.byte counts takes that are not what is usual in their cell', () => {
    expect(determinism('departure', 'aaa', 'aab', 'abc')).toMatchObject({ value: 3 / 9, n: 9, ciHigh: null });
  });

  it('determinism.byte bounds a further take when none departed', () => {
    // 3 cells of 3 takes: n = 6; 1 - 0.05^(1/6) = 0.393.
    const none = determinism('departure', 'aaa', 'aaa', 'aaa');
    expect(none).toMatchObject({ value: 0, n: 6, ciLow: 0, ciLevel: 0.95 });
    expect(none.ciHigh).toBeCloseTo(1 - Math.exp(Math.log(0.05) / 6), 12);
    expect(none).toMatchObject({ method: 'clopper_pearson_upper', note: '' });
  });

  it('determinism.byte needs 59 takes beyond the first of each cell to bound a departure by 5 %', () => {
    expect(determinism('departure', ...Array(59).fill('aa')).ciHigh).toBeLessThan(0.05);
  });

  it('determinism.byte counts unstable cells with their interval', () => {
    const { low, high } = clopperPearson(2, 3, 0.95);
    expect(determinism('unstable', 'aaa', 'aab', 'abc')).toMatchObject({
      value: 2 / 3,
      n: 3,
      ciLow: low,
      ciHigh: high,
    });
  });

  it('determinism.byte counts distinct outputs cell by cell', () => {
    expect(determinism('distinct', 'aaa', 'aab', 'abc')).toMatchObject({ value: 6, n: 3, unit: 'outputs' });
  });

  it('determinism.byte looks only at cells that delivered twice', () => {
    expect(determinism('share', 'a-a', 'a--', '---')).toMatchObject({ value: 1, n: 1 });
    expect(determinism('departure', 'a-a', 'a--', '---')).toMatchObject({ value: 0, n: 1 });
    expect(determinism('unstable', 'a-a', 'a--', '---')).toMatchObject({ value: 0, n: 1 });
  });

  it('determinism.byte says nothing of single takes', () => {
    for (const statistic of ['share', 'departure', 'unstable', 'distinct']) {
      expect(determinism(statistic, 'a', 'b')).toMatchObject({ value: null, n: 0, note: 'no_repeated_cell' });
    }
  });

  it('determinism.byte gives the share of each prompt', () => {
    const record = buildStoredRun({ seeds: [1, 2], samples: cells('aa', 'ab') });
    const ofPrompts = measuresIn(record, 'determinism.byte').filter(({ prompt }) => prompt !== null);
    expect(ofPrompts.map(({ statistic, value }) => [statistic, value])).toEqual([['share', 0.5]]);
  });
});

/** Outputs whose bytes are named by a letter; how far two lie apart is told by `between`, their pixels by `pixels`. */
function comparedRun(
  word: string,
  {
    between = {},
    pixels = (letter) => letter,
    levels,
  }: {
    readonly between?: Readonly<Record<string, Partial<Difference>>>;
    readonly pixels?: (letter: string) => string;
    readonly levels?: LevelLimits;
  },
): StoredRun {
  const letters = [...new Set(word)];
  const facts = letters.map((letter): Fact => {
    const sha256 = digestOf(`0 ${letter}`);
    const shown = { ...buildShown(sha256), pixelSha256: digestOf(pixels(letter)) };
    return { ...ABOUT, sha256, decodes: true, width: 8, height: 8, frames: 1, thumbnail: false, video: null, shown };
  });
  const pairs = Object.entries(between).map(([letters, difference]): Fact => {
    const [one = '', other = ''] = [...letters].map((letter) => digestOf(`0 ${letter}`));
    const [a, b] = orderedPair(one, other);
    return { fact: 'pair', a, b, compared: true, difference: { ...FAR, ...difference } };
  });
  const variants = [levels === undefined ? {} : { levels }];
  return buildStoredRun({ variants, seeds: [1], samples: cells(word), facts: [...facts, ...pairs] });
}

const ABOUT = { fact: 'output', bytes: 1, mime: 'image/png' } as const;
const FAR: Difference = {
  frames: 1,
  unpaired: 0,
  samples: { maxDifference: 1, psnrDb: 10 },
  ssim: { p5: 0.1, worst: 0.1 },
  chroma: 20,
  pdqDistance: 128,
  similarityFrames: 1,
};
const NEAR = { samples: { maxDifference: 1 / 255, psnrDb: 52 }, ssim: { p5: 1, worst: 1 }, chroma: 0, pdqDistance: 0 };
const SIMILAR = { ssim: { p5: 0.97, worst: 0.97 }, chroma: 1, pdqDistance: 4 };

describe('determinism at the other levels', () => {
  const departures = (record: StoredRun): readonly (number | null)[] =>
    ['byte', 'pixel', 'near', 'similar', 'related'].map(
      (level) => measureIn(record, { metric: `determinism.${level}`, statistic: 'departure' }).value,
    );

  it('determinism at other levels takes other bytes for the same image where pixels are equal', () => {
    const record = comparedRun('abc', { pixels: () => 'one image' });
    expect(departures(record)).toEqual([2 / 3, 0, 0, 0, 0]);
    expect(measureIn(record, { metric: 'determinism.pixel', statistic: 'distinct' }).value).toBe(1);
    expect(analyse(record, METRICS).analysis.cells[0]).toMatchObject({
      byte: 'differs',
      level: 'pixel',
      layer: 'encoding',
    });
  });

  it('determinism at other levels counts a take at the level that it reaches and at all below', () => {
    expect(departures(comparedRun('aab', { between: { ab: NEAR } }))).toEqual([1 / 3, 1 / 3, 0, 0, 0]);
    expect(departures(comparedRun('aab', { between: { ab: SIMILAR } }))).toEqual([1 / 3, 1 / 3, 1 / 3, 0, 0]);
    expect(departures(comparedRun('aab', { between: { ab: {} } }))).toEqual([1 / 3, 1 / 3, 1 / 3, 1 / 3, 1 / 3]);
  });

  it('determinism at other levels shares pairs, each by its own level', () => {
    const record = comparedRun('abc', { between: { ab: NEAR, ac: SIMILAR, bc: {} } });
    const shares = ['pixel', 'near', 'similar', 'related'].map(
      (level) => measureIn(record, { metric: `determinism.${level}`, statistic: 'share' }).value,
    );
    expect(shares).toEqual([0, 1 / 3, 2 / 3, 2 / 3]);
    expect(analyse(record, METRICS).analysis.cells[0]?.level).toBe('different');
  });

  it('determinism at other levels joins a take to the first earlier one that it equals, so that two output groups stay two', () => {
    const record = comparedRun('ababa', { between: { ab: {} } });
    const [cell] = analyse(record, METRICS).analysis.cells;
    expect(cell?.outputGroups.map(({ takes, level }) => [takes, level])).toEqual([
      [3, 'byte'],
      [2, 'different'],
    ]);
    expect(measureIn(record, { metric: 'determinism.pixel', statistic: 'distinct' }).value).toBe(2);
    expect(measureIn(record, { metric: 'determinism.pixel', statistic: 'departure' }).value).toBe(2 / 5);
  });

  it('determinism at other levels leaves out and counts what was not compared, and bounds nothing by it', () => {
    const record = comparedRun('aab', {});
    expect(measureIn(record, { metric: 'determinism.near', statistic: 'departure' })).toMatchObject({
      value: 0,
      n: 1,
      note: expect.stringMatching(/not_compared_left_out=1$/),
    });
    // That pixels differ is known without.
    expect(measureIn(record, { metric: 'determinism.pixel', statistic: 'departure' }).value).toBe(1 / 3);
    expect(measureIn(comparedRun('ab', {}), { metric: 'determinism.near', statistic: 'departure' })).toMatchObject({
      value: null,
      note: 'not_compared',
    });
  });

  it('determinism at other levels holds takes to the limits of their variant', () => {
    const levels = { ...DEFAULT_LIMITS, near: { maxDifference: 0.5 / 255, psnrDb: 60 } };
    expect(departures(comparedRun('aab', { between: { ab: NEAR }, levels }))[2]).toBe(1 / 3);
  });
});

describe('a blank image', () => {
  const record = (): StoredRun => {
    const samples = [
      buildOk(10, 'black', { trial: { repeat: 1 } }),
      ...[2, 3].map((repeat) => buildOk(500, 'fox', { trial: { repeat } })),
    ];
    const stored = buildStoredRun({ samples });
    const facts = stored.facts.map((fact) =>
      fact.fact === 'output' && fact.sha256 === digestOf('black')
        ? ({ ...fact, shown: { ...buildShown(fact.sha256), blank: true } } as Fact)
        : fact,
    );
    return { ...stored, facts };
  };

  it('a blank image is counted as blocked, flagged and warned of; it is neither delivered nor an error', () => {
    expect(measureIn(record(), { metric: 'block_rate', statistic: 'rate' })).toMatchObject({ value: 1 / 3, n: 3 });
    expect(measureIn(record(), { metric: 'error_rate', statistic: 'rate' })).toMatchObject({ value: 0, n: 3 });
    const { samples, analysis } = analyse(record(), METRICS);
    expect(samples.map(({ outcome, flags }) => [outcome, ...flags])).toContainEqual(['blank', 'blank']);
    expect(analysis.variants[0]?.outcomes).toEqual({ ok: 2, blank: 1 });
    expect(analysis.failures).toMatchObject([{ outcome: 'blank', code: 'one_colour', count: 1 }]);
    expect(analysis.warnings.map(foundIn)).toContainEqual({
      code: 'blank_outputs',
      variants: ['standard'],
      outputs: 1,
      prompts: 1,
    });
  });

  it('a blank image is left out of latency and determinism', () => {
    expect(measureIn(record(), { metric: 'latency.total', statistic: 'min' })).toMatchObject({ value: 500, n: 2 });
    expect(measureIn(record(), { metric: 'determinism.byte', statistic: 'departure' })).toMatchObject({
      value: 0,
      n: 1,
    });
  });

  it('a blank image is paid for, but is no output that its cost is shared by, nor part of throughput', () => {
    const { run, samples } = record();
    const variants = run.variants.map((variant) => ({ ...variant, price: { per: 'request', usd: 0.5 } as const }));
    const priced = { ...record(), run: { ...run, variants } };
    expect(measureIn(priced, { metric: 'cost.per_output', statistic: 'mean' })).toMatchObject({ value: 0.75, n: 2 });
    const seconds = samples.reduce((sum, { endedMs, marks }) => sum + endedMs - (marks.startedMs ?? 0), 0) / 1000;
    const rate = measureIn(record(), { metric: 'throughput', statistic: 'rate' })?.value ?? 0;
    expect(rate).toBeCloseTo(2 / seconds, 6);
  });
});

it('what is known of two images holds for every output that shows them', () => {
  // `a` and `A` are one image in two files; `b` was compared with one of them alone.
  const record = comparedRun('aAb', { between: { Ab: SIMILAR }, pixels: (letter) => letter.toLowerCase() });
  expect(analyse(record, METRICS).analysis.cells[0]).toMatchObject({
    level: 'similar',
    outputGroups: [
      { takes: 1, level: 'byte', image: 0 },
      { takes: 1, level: 'pixel', image: 0 },
      { takes: 1, level: 'similar', image: 2 },
    ],
  });
});

it('determinism finds departures of 5 % in at least 95 of 100 runs of 90 takes', () => {
  const random = createRandom(20_261_121);
  const RUNS = 100;
  let found = 0;
  for (let run = 0; run < RUNS; run += 1) {
    let other = 0;
    const samples = Array.from({ length: 90 }, (_, take) => {
      const seed = Math.floor(take / 3) + 1;
      const departs = random.below(20) === 0;
      if (departs) other += 1;
      return buildOk(100, departs ? `other ${other}` : `usual ${seed}`, {
        trial: { seed, repeat: (take % 3) + 1 },
        startedMs: 200 * take,
      });
    });
    const seeds = Array.from({ length: 30 }, (_, at) => at + 1);
    const record = buildStoredRun({ variants: [{}], seeds, samples });
    const { value } = measureIn(record, { metric: 'determinism.pixel', statistic: 'departure' });
    expect(value === 0).toBe(other === 0);
    if ((value ?? 0) > 0) found += 1;
  }
  expect(found / RUNS).toBeGreaterThanOrEqual(0.95);
});
