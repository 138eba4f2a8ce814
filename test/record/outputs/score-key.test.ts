import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ScoreLine } from '../../../src/record/score.ts';
import { byOf, placeOf, type Scored, scoredDigest, scoreKey, writtenScores } from '../../../src/record/score-key.ts';
import { arbitraryScores } from '../../fixtures/scored-run.ts';
import { digestOf, inputOf } from '../../fixtures/stored-run-builder.ts';
import { draws } from '../../test-options.ts';

const scorer = {
  declared: {
    use: 'file',
    name: 'rated',
    gives: [{ value: 'rated', better: null, range: null, unit: 'score', meaning: null }],
  },
  files: { 'a.py': digestOf('a'), 'b.py': digestOf('b') },
  version: '1',
  weights: null,
} as const;

const scored: Scored = {
  by: byOf(scorer),
  prompt: { text: 'a fox', expect: { row: 1, values: { text: 'OPEN', more: { a: 1, b: [2] } } }, media: [] },
  media: [digestOf('1'), digestOf('2')],
  control: null,
};

it('a scorer is another one when its declaration, files, version or weights change, in whatever order they stand', () => {
  const { declared, files } = scorer;
  expect(byOf({ ...scorer, files: { 'b.py': files['b.py'], 'a.py': files['a.py'] } })).toBe(byOf(scorer));
  const others = [
    { ...scorer, declared: { ...declared, name: 'other' } },
    { ...scorer, files: { ...files, 'b.py': digestOf('c') } },
    { ...scorer, version: '2' },
    { ...scorer, version: null, weights: '1' },
  ];
  expect(new Set([scorer, ...others].map(byOf)).size).toBe(others.length + 1);
});

it('the key of a score changes with each thing that a scorer is asked, and with nothing else', () => {
  const { prompt } = scored;
  const sameExpect = { values: { more: { b: [2], a: 1 }, text: 'OPEN' }, row: 1 };
  expect(scoreKey({ ...scored, prompt: { ...prompt, expect: sameExpect } })).toBe(scoreKey(scored));
  const others = [
    { ...scored, by: digestOf('other') },
    { ...scored, prompt: { ...prompt, text: 'a fox.' } },
    { ...scored, prompt: { ...prompt, expect: { row: 1, values: { text: 'OPEN' } } } },
    { ...scored, prompt: { text: prompt.text, media: prompt.media } },
    { ...scored, prompt: { ...prompt, media: [inputOf('3')] } },
    { ...scored, media: scored.media.toReversed() },
    { ...scored, media: scored.media.slice(0, 1) },
    { ...scored, control: 'blurred' },
  ] as const;
  expect(new Set([scored, ...others].map(scoreKey)).size).toBe(others.length + 1);
});

it('a score belongs to the pixels of an output, or to its bytes where it has none', () => {
  const sha256 = digestOf('bytes');
  expect(scoredDigest({ sha256, shown: { pixelSha256: digestOf('pixels') } })).toBe(digestOf('pixels'));
  expect(scoredDigest({ sha256, shown: null })).toBe(sha256);
  expect(scoredDigest({ sha256 })).toBe(sha256);
});

it('only lines that do not count yet are missing, and once they are written none is', () => {
  fc.assert(
    fc.property(arbitraryScores(), arbitraryScores(), (written, wanted) => {
      const missing = writtenScores(written).missing(wanted);
      const all = [...written, ...missing];
      const last = (lines: readonly ScoreLine[]) => new Map(lines.map((line) => [placeOf(line), line]));
      expect(last(all)).toEqual(last([...written, ...wanted]));
      expect(writtenScores(all).missing([...last(wanted).values()])).toEqual([]);
      for (const line of wanted) {
        if (line.line !== 'scorer') expect(writtenScores(all).find(line.key)?.key).toBe(line.key);
      }
    }),
    { numRuns: draws(60) },
  );
});
