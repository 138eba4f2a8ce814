import { describe, expect, it } from 'vitest';
import type { StoredRun } from '../../src/record/kept-run.ts';
import { headlineComparisons } from '../../src/report/comparison-statement.ts';
import { latencySentences } from '../../src/report/latency-statement.ts';
import { reported } from '../fixtures/report-source.ts';
import { openRun, sweepRun } from '../fixtures/scripted-load.ts';
import { ORDINARY, scriptedRun } from '../fixtures/scripted-run.ts';

function sentencesOf(record: StoredRun): readonly string[] {
  const { analysis, comparisons } = reported(record);
  return latencySentences(analysis, headlineComparisons(comparisons, analysis.run.plan.load));
}

const ALONE = { ...ORDINARY, variants: ORDINARY.variants.slice(0, 1), concurrency: 1 };

describe('the sentence of a variant that is compared with nothing', () => {
  it('a lone variant has its median latency with interval and takes', () => {
    expect(sentencesOf(scriptedRun(ALONE))).toEqual([
      expect.stringMatching(/^standard takes \S+ s \[\S+ – \S+ s\], the median of 36 takes$/),
    ]);
  });

  it('a lone variant with too few takes says why it has no interval', () => {
    expect(
      sentencesOf(scriptedRun({ ...ALONE, prompts: ORDINARY.prompts.slice(0, 1), seeds: [1], repeats: 2 })),
    ).toEqual([expect.stringMatching(/^standard takes \S+ s, the median of 2 takes; no interval: n < 6$/)]);
  });

  it('a lone variant that delivered nothing has no sentence', () => {
    const failed = { outcome: 'error', totalMs: 1, code: 'x', message: '', httpStatus: null } as const;
    expect(sentencesOf(scriptedRun({ ...ALONE, tell: () => failed }))).toEqual([]);
  });

  it('variants that are compared with each other have none', () => {
    expect(sentencesOf(scriptedRun({ ...ORDINARY, concurrency: 1 }))).toEqual([]);
  });

  it('under open load a lone variant is timed from when its calls were due', () => {
    const run = openRun();
    const alone = {
      ...run,
      run: { ...run.run, variants: run.run.variants.slice(0, 1) },
      samples: run.samples.filter(({ trial }) => trial.variant === run.run.variants[0]?.name),
    };
    expect(sentencesOf(alone)).toEqual([
      expect.stringMatching(/^standard takes \S+ m?s (\[.*\] )?from when a call is due, the median of /),
    ]);
  });
});

describe('the sentence of a variant of a sweep', () => {
  it('a sweep whose slices allow ranges only gives them in the unit of the table', () => {
    for (const sentence of sentencesOf(sweepRun([4, 6, 8]))) {
      expect(sentence).toMatch(
        / has a throughput of \S+ to \S+ \/ s at concurrency 4, \S+ to \S+ \/ s at concurrency 8/,
      );
    }
  });

  it('each variant of a sweep has its throughput at the first and the last concurrency', () => {
    const sentences = sentencesOf(sweepRun([1, 2, 4, 8]));
    expect(sentences).toHaveLength(2);
    for (const sentence of sentences) {
      expect(sentence).toMatch(/^\w+ has a throughput of .+ \/ s.* at concurrency 1, .+ \/ s.* at concurrency 8/);
    }
  });
});
