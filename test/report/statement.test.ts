import { describe, expect, it, test } from 'vitest';
import type { Analysis } from '../../src/analysis/analysis.ts';
import { noted } from '../../src/analysis/note.ts';
import type { CellLikeness, ComparedCells } from '../../src/analysis/output-summaries.ts';
import type { Measure } from '../../src/analysis/summaries.ts';
import type { StoredRun } from '../../src/record/kept-run.ts';
import { headlinesOf, isItSure, isItTheSame, latencySentences } from '../../src/report/answer-statement.ts';
import { headlineComparisons } from '../../src/report/comparison-statement.ts';
import { likenessToBaseline, mostChangedSentence } from '../../src/report/likeness-statement.ts';
import { completeness } from '../../src/report/run-statement.ts';
import { samenessSentences } from '../../src/report/sameness-statement.ts';
import { statementOf } from '../../src/report/statement.ts';
import { buildWarning } from '../fixtures/build-warning.ts';

import { reported } from '../fixtures/report-source.ts';
import { openRun, sweepRun } from '../fixtures/scripted-load.ts';
import { ORDINARY, scriptedRun, type Telling } from '../fixtures/scripted-run.ts';

const ONE: Telling = { ...ORDINARY, variants: ORDINARY.variants.slice(0, 1), prompts: ORDINARY.prompts.slice(0, 2) };

describe('statements', () => {
  const measure: Measure = {
    variant: 'v',
    kind: 'text-to-image',
    prompt: null,
    step: null,
    metric: 'm',
    statistic: 'p95',
    value: 5,
    unit: 'ms',
    better: 'lower',
    n: 30,
    ciLow: 4,
    ciHigh: 6,
    ciLevel: 0.95,
    method: 'order_statistics',
    notes: [],
  };
  const words = (change: Partial<Measure>) =>
    statementOf({ ...measure, ...change }, String, (low, high) => `${low}-${high}`);

  it('statements hold value, interval and n', () => {
    expect(words({})).toEqual({ value: '5', interval: '4-6', notes: [], n: 30 });
  });

  it('statements say why there is no interval or no value', () => {
    expect(words({ ciLow: null, notes: [noted('needs_n', 59)] })).toMatchObject({
      value: '5',
      interval: null,
      notes: ['no interval: needs 59 takes'],
    });
    expect(words({ value: null, notes: [noted('value_needs_n', 14)] })).toMatchObject({
      value: null,
      notes: ['no value: needs 14 takes'],
    });
    expect(words({ value: null })).toMatchObject({ value: null, notes: ['not measured'] });
    expect(statementOf(null, String, String)).toMatchObject({ value: null, notes: ['not measured'], n: 0 });
  });

  it('statements give the lower bound of a statistic that lies among the time-outs', () => {
    expect(words({ value: null, notes: [noted('censored_above_ms', 120_000), noted('needs_n', 59)] })).toEqual({
      value: '> 120 s',
      interval: null,
      notes: ['no interval: needs 59 takes'],
      n: 30,
    });
  });
});

describe('completeness', () => {
  it('the statement on completeness counts what is missing or was cancelled, and says why', () => {
    const { analysis } = reported(scriptedRun(ONE));
    expect(completeness(analysis)).toBe('Complete, but of 18 planned takes 1 failed');
    expect(completeness({ ...analysis, failures: [] })).toBe('Complete: all 18 planned takes have a result');
    const variants = analysis.variants.map((variant) => ({ ...variant, missing: 3, outcomes: { cancelled: 2 } }));
    const run = { ...analysis.run, complete: false };
    const sentence = (stop: typeof run.stop) => completeness({ ...analysis, variants, run: { ...run, stop } });
    expect(sentence({ reason: 'requests', limit: 7 })).toBe(
      'Incomplete: 5 of 18 planned takes have no result. Why: the limit of 7 requests was reached',
    );
    expect(sentence(null)).toContain('the process was killed before it could record why');
  });

  it('the statement on completeness counts the takes of a complete run that failed, were blocked or were dropped', () => {
    const { analysis } = reported(scriptedRun(ONE));
    const failure = {
      variant: 'standard',
      code: '',
      httpStatus: 500,
      message: '',
      undecodable: null,
      exampleTrial: '',
    };
    const failures = [
      { ...failure, outcome: 'error', count: 3 },
      { ...failure, outcome: 'moderated', count: 1 },
    ] as const;
    expect(completeness({ ...analysis, failures })).toBe(
      'Complete, but of 18 planned takes 3 failed and 1 was blocked',
    );
    const variants = analysis.variants.map((variant) => ({ ...variant, outcomes: { ok: 13, dropped: 5 } }));
    expect(completeness({ ...analysis, variants, failures: [] })).toBe(
      'Complete, but of 18 planned takes 5 were dropped (never sent)',
    );
  });
});

it('nothing is sure in part where one speed is not to be relied on and the others show no difference', () => {
  const { analysis, comparisons } = reported(scriptedRun({ ...ORDINARY, concurrency: 1 }));
  const variants = analysis.variants.filter(({ kind }) => kind === 'text-to-image');
  const undecided = comparisons.map((each) => ({
    ...each,
    finding: 'undecided' as const,
    notes: each.variant === 'fast' ? [{ code: 'unfit_machine' as const }] : [],
  }));
  expect(isItSure(analysis, undecided, variants).words).toBe('No: this machine could not keep up (fast)');
});

it('a variant that gave the same files as its baseline variant has no sentence, unless its speed is told apart', () => {
  const { analysis, comparisons } = reported(scriptedRun({ ...ORDINARY, concurrency: 1 }));
  const equal = buildWarning('equal_variants', { variants: ['standard', 'fast'] });
  const same = { ...analysis, warnings: [equal] };
  const undecided = comparisons.map((each) => ({ ...each, finding: 'undecided' as const }));
  const said = [comparisons, undecided].map((some) =>
    headlinesOf(analysis.variants, { analysis: same, comparisons: some }).map(({ variant }) => variant),
  );
  expect(said[1]).toEqual(said[0]?.filter((name) => name !== 'fast'));
});

it('what could not be tested for equal repeats is counted beside what was', () => {
  const { analysis } = reported(scriptedRun(ALONE));
  const [first, ...cells] = analysis.cells;
  const some = { ...analysis, cells: [...cells, ...(first ? [{ ...first, byte: 'too_few_takes' as const }] : [])] };
  expect(isItTheSame(some, analysis.variants).words).toMatch(/^Yes: .*-identical, 1 not tested$/);
});

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
    ).toEqual([expect.stringMatching(/^standard takes \S+ s, the median of 2 takes; no interval: needs 6 takes$/)]);
  });

  it('a lone variant that delivered nothing has no sentence', () => {
    const failed = { outcome: 'error', totalMs: 1, code: 'x', message: '', httpStatus: null } as const;
    expect(sentencesOf(scriptedRun({ ...ALONE, tell: () => failed }))).toEqual([]);
  });

  it('variants that are compared with each other have none', () => {
    expect(sentencesOf(scriptedRun({ ...ORDINARY, concurrency: 1 }))).toEqual([]);
  });

  it('under open load a lone variant is timed from the planned send time', () => {
    const run = openRun();
    const alone = {
      ...run,
      run: { ...run.run, variants: run.run.variants.slice(0, 1) },
      samples: run.samples.filter(({ trial }) => trial.variant === run.run.variants[0]?.name),
    };
    expect(sentencesOf(alone)).toEqual([
      expect.stringMatching(/^standard takes \S+ m?s (\[.*\] )?from the planned send time, the median of /),
    ]);
  });
});

describe('the sentence of a variant of a sweep', () => {
  it('each variant of a sweep has its knee, else its throughput or latency at the first and the last concurrency', () => {
    const tooShort = sentencesOf(sweepRun([4, 6, 8]));
    expect(tooShort).toHaveLength(2);
    for (const sentence of tooShort)
      expect(sentence).toMatch(/^\w+ takes \S+ m?s at concurrency 4, \S+ m?s at concurrency 8$/);
    for (const sentence of sentencesOf(sweepRun([1, 2, 4, 8])))
      expect(sentence).toMatch(
        /^\w+ (takes .+ at concurrency 1, .+ at concurrency 8|gains up to concurrency \d(: .+ \/ s)?)$/,
      );
  });
});

describe('sameness statement', () => {
  const [STANDARD, FAST] = ORDINARY.variants;

  function sentencesOf(telling: Partial<Telling>): readonly string[] {
    return samenessSentences(
      reported(scriptedRun({ ...ORDINARY, prompts: ORDINARY.prompts.slice(0, 2), ...telling })).analysis,
    );
  }

  const ok = (output: number) => ({ outcome: 'ok', totalMs: 100, output }) as const;

  function named(count: number) {
    if (STANDARD === undefined || FAST === undefined) throw new Error('the ordinary run has variants');
    return [STANDARD, ...Array.from({ length: count - 1 }, (_, at) => ({ ...FAST, name: `fast-${at}` }))];
  }

  test('variants whose repeats are equal share a sentence with their cells', () => {
    expect(sentencesOf({ variants: ORDINARY.variants.slice(0, 2), tell: () => ok(0) })).toEqual([
      'Repeats of each variant are byte-identical in 12 of 12 prompts x seeds',
    ]);
    expect(sentencesOf({ variants: named(7), seeds: [1], tell: () => ok(0) })).toEqual([
      'Repeats of each variant are byte-identical in 14 of 14 prompts x seeds',
    ]);
  });

  test('variants whose repeats differ are said first, with how many of their cells', () => {
    const tell: Telling['tell'] = (variant, prompt, seed, repeat) =>
      ok(variant === 'fast' && prompt === 'fox' && seed === 1 ? repeat : 0);
    expect(sentencesOf({ variants: ORDINARY.variants.slice(0, 2), tell })).toEqual([
      'Repeats of fast are not pixel-identical in 1 of 6 prompts x seeds',
      'Repeats of standard are byte-identical in 6 of 6 prompts x seeds',
    ]);
  });

  test('many variants whose repeats differ are counted beyond those that differ most', () => {
    const tell: Telling['tell'] = (variant, prompt, seed, repeat) =>
      ok(variant !== 'standard' && (variant === 'fast-3' || prompt === 'fox') ? repeat + 10 * seed : 0);
    expect(sentencesOf({ variants: named(8), tell })).toEqual([
      'Repeats of fast-3 are not pixel-identical in 6 of 6 prompts x seeds',
      'Repeats of fast-0 are not pixel-identical in 3 of 6 prompts x seeds',
      'Repeats of fast-1 are not pixel-identical in 3 of 6 prompts x seeds',
      'Repeats of 4 more variants differ for some prompts x seeds',
      'Repeats of standard are byte-identical in 6 of 6 prompts x seeds',
    ]);
  });

  test('variants whose repeats come from a cache are named, and not called equal', () => {
    const [variant] = ORDINARY.variants;
    if (variant === undefined) throw new Error('the ordinary run has variants');
    const { analysis } = reported(scriptedRun({ ...ORDINARY, variants: [variant], tell: () => ok(0) }));
    const cached = analysis.measures.map((measure) =>
      measure.metric.startsWith('determinism.')
        ? { ...measure, value: null, notes: [{ code: 'cached' } as const] }
        : measure,
    );
    expect(samenessSentences({ ...analysis, measures: cached })).toEqual([
      'Repeats of standard come from a cache: whether they would be equal is not testable',
    ]);
  });

  test('variants with one take of each cell have no sentence on repeats', () => {
    expect(sentencesOf({ tell: () => ok(0), repeats: 1 })).toEqual([]);
  });
});

describe('likeness statement', () => {
  const SOURCE = reported(scriptedRun({ ...ORDINARY, concurrency: 1 }));
  const [STANDARD, FAST] = SOURCE.analysis.variants;
  if (STANDARD === undefined || FAST === undefined) throw new Error('the ordinary run has variants');

  type Word = ComparedCells['word'] | Extract<CellLikeness, { word: 'unknown' }>['why'];

  function pairOf(word: Word, seed: number, ssim: number | null, frames = 1): CellLikeness {
    const cells = { variant: 'fast', baseline: 'standard', kind: 'text-to-image', prompt: 'fox', seed } as const;
    const outputs = { output: 'a'.repeat(64), baselineOutput: 'b'.repeat(64) };
    if (word !== 'similar' && word !== 'changed' && word !== 'another')
      return { ...cells, ...outputs, word: 'unknown', why: word };
    const difference = {
      frames,
      unpaired: 0,
      samples: null,
      ssim: ssim === null ? null : { p5: ssim, worst: ssim },
      chroma: null,
      pdqDistance: 40,
      similarityFrames: frames,
    };
    const decision =
      ssim === null
        ? ({ measure: 'size', value: null, limit: null } as const)
        : ({ measure: 'ssim', value: ssim, limit: 0.95 } as const);
    const decidedBy = word === 'similar' ? null : decision;
    return { ...cells, ...outputs, word, decidedBy, difference, sharpness: 1, repeatSsim: 1, otherSeed: null };
  }

  function analysisOf(...pairs: readonly CellLikeness[]): Analysis {
    return { ...SOURCE.analysis, likeness: [...pairs] };
  }

  const words = (...list: readonly Word[]) => list.map((word, at) => pairOf(word, at + 1, 0.9));

  function headline(analysis: Analysis): string {
    const comparisons = SOURCE.comparisons.filter(({ variant }) => variant === 'fast');
    return headlinesOf(
      [FAST ?? analysis.variants[0]].flatMap((each) => each ?? []),
      { analysis, comparisons },
    )
      .map(({ sentence }) => sentence)
      .join('\n');
  }

  describe('what the speed costs, in a sentence', () => {
    it('a headline says speed and likeness, with the noun of the outputs', () => {
      expect(headline(analysisOf(...words('similar', 'similar')))).toMatch(
        /^fast is 3\.\dx as fast as standard; 2 of 2 images stay visually similar\.$/,
      );
      expect(headline(analysisOf(...words('similar', 'changed', 'another')))).toContain(
        '; 1 of 3 images stays visually similar, 1 changed, 1 is another picture.',
      );
      expect(headline(analysisOf(...words('changed', 'another', 'another')))).toContain(
        '; none of 3 images stays similar: 1 changed, 2 are another picture.',
      );
      expect(headline(analysisOf(pairOf('similar', 1, 0.9, 24)))).toContain(
        '; 1 of 1 animation stays visually similar.',
      );
      const edits = words('similar', 'changed').map((pair) => ({ ...pair, kind: 'image-edit' as const }));
      expect(headline(analysisOf(...edits))).toContain("; 1 of 2 edits is similar to standard's, 1 changed.");
    });

    it('a headline counts pairs without a likeness and says why, and is no judgement', () => {
      expect(
        headline(analysisOf(...words('similar', 'baseline_missing', 'baseline_missing', 'not_compared'))),
      ).toContain(
        '; 1 of 1 image stays visually similar, 3 not compared: the baseline variant delivered nothing (2), their media are gone or were not compared (1).',
      );
      expect(headline(analysisOf(...words('baseline_varies', 'baseline_varies')))).toContain(
        '; likeness to standard unknown: repeats of the baseline variant differ.',
      );
      expect(headline(analysisOf(...words('seed_unused')))).toContain('unknown: the seed is ignored or not sent.');
      const all = headline(analysisOf(...words('changed', 'another', 'candidate_varies', 'both_missing')));
      expect(all).not.toMatch(/better|worse|quality|lower/);
    });

    it('a headline of a run without comparisons says only the likeness, and of one without media only the speed', () => {
      const { analysis } = SOURCE;
      const alone = headlinesOf(analysis.variants, { analysis: analysisOf(...words('similar')), comparisons: [] });
      expect(alone.map(({ sentence }) => sentence)).toEqual(['fast: 1 of 1 image stays visually similar.']);
      expect(headline(analysisOf())).toMatch(/^fast is 3\.\dx as fast as standard\.$/);
    });

    it('a headline of too few pairs is an estimate', () => {
      const few = reported(scriptedRun({ ...ORDINARY, seeds: [2], repeats: 1, concurrency: 1 }));
      const [first] = headlinesOf(few.analysis.variants, few);
      expect(first?.speed).toMatch(
        /^fast against standard: too few pairs of takes to tell \(4 of 7\); estimate 2\.\dx as fast$/,
      );
    });

    it('a headline of a sweep has the range of speeds, or the steps that tell none, and one of open load none', () => {
      const speedsOf = (record: StoredRun) => {
        const source = reported(record);
        const [comparison, ...others] = source.comparisons.filter(({ step }) => step !== null);
        const few = comparison === undefined ? [] : [{ ...comparison, finding: 'too_few' as const, nUnits: 4 }];
        return [source.comparisons, [...few, ...others]].map((comparisons) =>
          headlinesOf(source.analysis.variants, { ...source, comparisons }).map(({ speed }) => speed),
        );
      };
      expect(speedsOf(sweepRun())).toEqual([
        [expect.stringMatching(/^fast is 2\.\dx to 2\.\dx as fast as standard at concurrency 1 to 8$/)],
        [
          expect.stringMatching(
            /^fast against standard: too few groups of pairs to tell \(4 of 6\) at concurrency 1; 2\.\dx as fast at concurrency 2/,
          ),
        ],
      ]);
      expect(speedsOf(openRun())[0]).toEqual([null]);
    });
  });

  describe('the most changed outputs', () => {
    it('the most changed output is another picture before the lowest SSIM, and none where pixels are equal', () => {
      const another = pairOf('another', 3, 0.8);
      const changed = pairOf('changed', 2, 0.34);
      expect(mostChangedSentence(analysisOf(changed, another))).toBe(
        'Most changed: fast, fox, seed 3 (another picture: SSIM 0.80, limit 0.95)',
      );
      expect(mostChangedSentence(analysisOf(changed, pairOf('changed', 1, 0.5)))).toBe(
        'Most changed: fast, fox, seed 2 (changed: SSIM 0.34, limit 0.95)',
      );
      expect(mostChangedSentence(analysisOf(pairOf('similar', 1, 0.998)))).toContain('(SSIM > 0.99, visually similar)');
      expect(mostChangedSentence(analysisOf(pairOf('changed', 1, null)))).toContain('(changed: another size)');
      expect(
        mostChangedSentence(analysisOf({ ...pairOf('similar', 1, 1), difference: null } as CellLikeness)),
      ).toBeNull();
      expect(mostChangedSentence(analysisOf(...words('seed_unused')))).toBeNull();
    });

    it('a variant has a likeness to the baseline variant of its kind alone', () => {
      const analysis = analysisOf(...words('similar', 'changed'));
      expect(likenessToBaseline(FAST, analysis)).toMatchObject({ compared: 2, similar: 1, changed: 1, another: 0 });
      expect(likenessToBaseline(STANDARD, analysis)).toBeNull();
    });

    it('a likeness is counted again for other cells: a pair that was never sent is none', () => {
      const analysis = analysisOf(...words('similar', 'seed_unused'));
      const cells = analysis.cells.map((cell) => (cell.variant === 'fast' ? { ...cell, takes: [] } : cell));
      expect(likenessToBaseline(FAST, analysis)?.pairs).toHaveLength(2);
      expect(likenessToBaseline(FAST, { ...analysis, cells })?.pairs).toHaveLength(1);
    });
  });
});
