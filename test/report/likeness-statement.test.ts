import { describe, expect, it } from 'vitest';
import type { Analysis } from '../../src/analysis/analysis.ts';
import type { CellLikeness, ComparedCells } from '../../src/analysis/output-summaries.ts';
import { likenessToBaseline, mostChangedSentence } from '../../src/report/likeness-statement.ts';
import { headlinesOf } from '../../src/report/statements/headline-statement.ts';
import { reported } from '../fixtures/report-source.ts';
import { openRun, sweepRun } from '../fixtures/scripted-load.ts';
import { ORDINARY, scriptedRun } from '../fixtures/scripted-run.ts';

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
    expect(headline(analysisOf(pairOf('similar', 1, 0.9, 24)))).toContain('; 1 of 1 animation stays visually similar.');
  });

  it('a headline counts pairs without a likeness and says why, and is no judgement', () => {
    expect(headline(analysisOf(...words('similar', 'baseline_missing', 'baseline_missing', 'not_compared')))).toContain(
      '; 1 of 1 image stays visually similar, 3 not compared: the baseline delivered nothing (2), their media are gone or were not compared (1).',
    );
    expect(headline(analysisOf(...words('baseline_varies', 'baseline_varies')))).toContain(
      '; likeness to standard unknown: repeats of the baseline differ.',
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
      /^fast against standard: too few pairs of takes to tell \(4 of 6\); estimate 2\.\dx as fast$/,
    );
  });

  it('a headline of a sweep or of open load has no speed', () => {
    for (const record of [sweepRun(), openRun()]) {
      const source = reported(record);
      expect(headlinesOf(source.analysis.variants, source).filter(({ speed }) => speed !== null)).toEqual([]);
    }
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
});
