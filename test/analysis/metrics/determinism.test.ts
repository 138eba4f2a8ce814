import { describe, expect, it } from 'vitest';
import { analyse } from '../../../src/analysis/analyse.ts';
import { METRICS } from '../../../src/analysis/metrics.ts';
import type { Difference, LevelLimits } from '../../../src/media/difference.ts';
import { DEFAULT_LIMITS } from '../../../src/media/level.ts';
import type { Fact } from '../../../src/record/fact.ts';
import type { Sample } from '../../../src/record/journal.ts';
import type { StoredRun } from '../../../src/record/kept-run.ts';
import type { RunVariant } from '../../../src/record/run.ts';
import { createRandom } from '../../../src/statistics/random.ts';
import { clopperPearson } from '../../../src/statistics/rate-interval.ts';
import { foundIn } from '../../fixtures/build-warning.ts';
import { type MeasureRow, measureIn } from '../../fixtures/measure-query.ts';
import {
  buildDifference,
  buildFailure,
  buildOk,
  buildPair,
  buildShown,
  buildStoredRun,
  digestOf,
} from '../../fixtures/stored-run-builder.ts';

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

const MIXED = ['aaa', 'aab', 'abc'];
const ONE_REPEATED = ['a-a', 'a--', '---'];
const NO_REPEATED = { value: null, n: 0, note: 'no_repeated_cell' };
const OF_UNSTABLE = clopperPearson(2, 3, 0.95);

describe('determinism.byte', () => {
  it.each<[what: string, statistic: string, words: readonly string[], expected: Partial<MeasureRow>]>([
    ['takes that are not what is usual in their cell', 'departure', MIXED, { value: 3 / 9, n: 9, ciHigh: null }],
    ['unstable cells', 'unstable', MIXED, { value: 2 / 3, n: 3, ciLow: OF_UNSTABLE.low, ciHigh: OF_UNSTABLE.high }],
    ['only cells that delivered twice', 'departure', ONE_REPEATED, { value: 0, n: 1 }],
    ['only cells that delivered twice', 'unstable', ONE_REPEATED, { value: 0, n: 1 }],
    ['nothing of single takes', 'departure', ['a', 'b'], NO_REPEATED],
    ['nothing of single takes', 'unstable', ['a', 'b'], NO_REPEATED],
  ])('determinism.byte counts %s: %s', (_, statistic, words, expected) => {
    expect(determinism(statistic, ...words)).toMatchObject(expected);
  });

  it('determinism.byte bounds a further take when none departed', () => {
    // 3 cells of 3 takes: n = 6; 1 - 0.05^(1/6) = 0.393.
    const none = determinism('departure', 'aaa', 'aaa', 'aaa');
    expect(none).toMatchObject({ value: 0, n: 6, ciLow: 0, ciLevel: 0.95, method: 'clopper_pearson_upper', note: '' });
    expect(none.ciHigh).toBeCloseTo(1 - Math.exp(Math.log(0.05) / 6), 12);
  });

  it('determinism.byte needs 59 takes beyond the first of each cell to bound a departure by 5 %', () => {
    expect(determinism('departure', ...Array(59).fill('aa')).ciHigh).toBeLessThan(0.05);
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
    const [one = '', other = ''] = letters;
    return buildPair(`0 ${one}`, `0 ${other}`, { ...FAR, ...difference });
  });
  const variants = [levels === undefined ? {} : { levels }];
  return buildStoredRun({ variants, seeds: [1], samples: cells(word), facts: [...facts, ...pairs] });
}

const ABOUT = { fact: 'output', bytes: 1, mime: 'image/png' } as const;
const FAR = buildDifference(0.1, 128, { samples: { maxDifference: 1, psnrDb: 10 }, chroma: 20 });
const NEAR = { samples: { maxDifference: 1 / 255, psnrDb: 52 }, ssim: { p5: 1, worst: 1 }, chroma: 0, pdqDistance: 0 };
const SIMILAR = { ssim: { p5: 0.97, worst: 0.97 }, chroma: 1, pdqDistance: 4 };

const cellOf = (record: StoredRun) => analyse(record, METRICS).analysis.cells[0];

describe('determinism at the other levels', () => {
  const LEVELS = ['byte', 'pixel', 'near', 'similar', 'related'];
  const at = (record: StoredRun, level: string, statistic: string) =>
    measureIn(record, { metric: `determinism.${level}`, statistic });
  const values = (record: StoredRun, statistic: string): readonly (number | null)[] =>
    LEVELS.map((level) => at(record, level, statistic).value);

  it('determinism at other levels takes other bytes for the same image where pixels are equal', () => {
    const record = comparedRun('abc', { pixels: () => 'one image' });
    expect(values(record, 'departure')).toEqual([2 / 3, 0, 0, 0, 0]);
    expect(cellOf(record)).toMatchObject({ byte: 'differs', level: 'pixel', layer: 'encoding' });
  });

  it.each<[level: string, difference: Partial<Difference>, departing: number]>([
    ['near', NEAR, 2],
    ['similar', SIMILAR, 3],
    ['different', {}, 5],
  ])(
    'determinism at other levels counts a take at the level that it reaches and at all below: %s',
    (_, ab, departing) => {
      const departures = values(comparedRun('aab', { between: { ab } }), 'departure');
      expect(departures).toEqual(LEVELS.map((_, level) => (level < departing ? 1 / 3 : 0)));
    },
  );

  it('determinism at other levels joins a take to the first earlier one that it equals: two groups stay two', () => {
    const record = comparedRun('ababa', { between: { ab: {} } });
    expect(cellOf(record)?.outputGroups).toMatchObject([
      { takes: 3, level: 'byte' },
      { takes: 2, level: 'different' },
    ]);
    expect(at(record, 'pixel', 'departure').value).toBe(2 / 5);
  });

  it('determinism at other levels leaves out and counts what was not compared, and bounds nothing by it', () => {
    const record = comparedRun('aab', {});
    const note = expect.stringMatching(/not_compared_left_out=1$/);
    expect(at(record, 'near', 'departure')).toMatchObject({ value: 0, n: 1, note });
    // That pixels differ is known without.
    expect(at(record, 'pixel', 'departure').value).toBe(1 / 3);
    expect(at(comparedRun('ab', {}), 'near', 'departure')).toMatchObject({ value: null, note: 'not_compared' });
  });

  it('determinism at other levels holds takes to the limits of their variant', () => {
    const levels = { ...DEFAULT_LIMITS, near: { maxDifference: 0.5 / 255, psnrDb: 60 } };
    expect(at(comparedRun('aab', { between: { ab: NEAR }, levels }), 'near', 'departure').value).toBe(1 / 3);
  });
});

describe('a blank image', () => {
  const black = buildOk(10, 'black', { trial: { repeat: 1 } });
  const foxes = [2, 3].map((repeat) => buildOk(500, 'fox', { trial: { repeat } }));
  const blankRun = (price: RunVariant['price'] = null): StoredRun => {
    const stored = buildStoredRun({ variants: [{ price }], samples: [black, ...foxes] });
    const shown = { ...buildShown(digestOf('black')), blank: true };
    const facts = stored.facts.map((fact) =>
      fact.fact === 'output' && fact.decodes && fact.sha256 === digestOf('black') ? { ...fact, shown } : fact,
    );
    return { ...stored, facts };
  };

  it.each<[what: string, metric: string, statistic: string, expected: Partial<MeasureRow>]>([
    ['counted as blocked', 'block_rate', 'rate', { value: 1 / 3, n: 3 }],
    ['no error', 'error_rate', 'rate', { value: 0, n: 3 }],
    ['left out of latency', 'latency.total', 'min', { value: 500, n: 2 }],
    ['left out of determinism', 'determinism.byte', 'departure', { value: 0, n: 1 }],
    ['no output that its cost is shared by', 'cost.per_output', 'mean', { value: 0.75, n: 2 }],
    ['no part of throughput', 'throughput', 'rate', { value: expect.closeTo(2 / 1.01, 6) }],
  ])('a blank image is %s: %s', (_, metric, statistic, expected) => {
    expect(measureIn(blankRun({ per: 'request', usd: 0.5 }), { metric, statistic })).toMatchObject(expected);
  });

  it('a blank image is flagged and warned of, and is not delivered', () => {
    const { samples, analysis } = analyse(blankRun(), METRICS);
    expect(samples.map(({ outcome, flags }) => [outcome, ...flags])).toContainEqual(['blank', 'blank']);
    expect(analysis.variants[0]?.outcomes).toEqual({ ok: 2, blank: 1 });
    expect(analysis.failures).toMatchObject([{ outcome: 'blank', code: 'one_colour', count: 1 }]);
    const found = { code: 'blank_outputs', variants: ['standard'], outputs: 1, prompts: 1 };
    expect(analysis.warnings.map(foundIn)).toContainEqual(found);
  });
});

it('what is known of two images holds for every output that shows them', () => {
  // `a` and `A` are one image in two files; `b` was compared with one of them alone.
  const record = comparedRun('aAb', { between: { Ab: SIMILAR }, pixels: (letter) => letter.toLowerCase() });
  expect(cellOf(record)).toMatchObject({
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
