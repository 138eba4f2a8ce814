import { describe, expect, it, test } from 'vitest';
import type { Comparison } from '../../src/analysis/comparison.ts';
import type { CellLikeness } from '../../src/analysis/output-summaries.ts';
import { fewestToTell } from '../../src/analysis/pair-units.ts';
import { lateVariants } from '../../src/analysis/warnings/overload.ts';
import { headlineComparisons } from '../../src/report/comparison-statement.ts';
import type { ReportSource } from '../../src/report/reporter.ts';
import { csv } from '../../src/report/reporters/csv.ts';
import { markdown } from '../../src/report/reporters/markdown.ts';
import { measuresOf } from '../../src/report/statement.ts';
import { renderTerminal } from '../../src/report/terminal.ts';
import { benjaminiHochberg } from '../../src/statistics/multiple-tests.ts';
import { rendered } from '../contracts/reporter.ts';
import { readCsv } from '../fixtures/csv-reader.ts';
import { pageOf } from '../fixtures/rendered-page.ts';
import { reported } from '../fixtures/report-source.ts';
import { sweepRun } from '../fixtures/scripted-load.ts';
import { chance, ORDINARY, ok, scriptedRun, type Telling } from '../fixtures/scripted-run.ts';

/* Several candidates beside one baseline variant: what is told of one follows the p of all. */

const [STANDARD, FAST] = ORDINARY.variants;

/** So many candidates and pairs of takes; only the first candidate differs: in every pair it takes so many times as long. */
function sourceOf(candidates: number, pairs: number, ratio = 1.5): ReportSource {
  if (STANDARD === undefined || FAST === undefined) throw new Error('the ordinary run has variants');
  return reported(
    scriptedRun({
      ...ORDINARY,
      variants: [STANDARD, ...Array.from({ length: candidates }, (_, at) => ({ ...FAST, name: `model-${at + 1}` }))],
      prompts: ORDINARY.prompts.slice(0, 1),
      seeds: Array.from({ length: pairs }, (_, at) => at + 1),
      repeats: 1,
      concurrency: 1,
      tell: (variant, prompt, seed) => {
        // The others take as long as the baseline variant, now longer, now shorter.
        const noise = variant === 'standard' ? 0 : (seed % 2 === 0 ? 1 : -1) * (0.01 + 0.02 * chance(variant, seed));
        const own = variant === 'model-1' ? ratio + 0.01 * chance(prompt, seed) : 1 + noise;
        return ok(1000 * own);
      },
    }),
  );
}

function findingsOf({ analysis, comparisons }: ReportSource): readonly Comparison['finding'][] {
  return headlineComparisons(comparisons, analysis.run.plan.load).map(({ finding }) => finding);
}

async function surfaces(source: ReportSource): Promise<readonly string[]> {
  return [
    renderTerminal(source, { colour: false, ascii: false, width: 80, hasPage: true }).replace(/\n */g, ' '),
    (await pageOf(source)).text('body'),
    (await rendered(markdown, source)).get('summary.md')?.replaceAll('\\', '') ?? '',
  ];
}

const LINE = 'With several candidates a difference needs more evidence; intervals stay 95 %.';

describe('a family of comparisons', () => {
  it('a difference of one candidate needs 6 units alone, 7 among two or three, 9 among ten', () => {
    expect([1, 2, 3, 10].map(fewestToTell)).toEqual([6, 7, 7, 9]);
    for (const [candidates, fewest] of [
      [1, 6],
      [2, 7],
      [3, 7],
      [10, 9],
    ] as const) {
      expect(findingsOf(sourceOf(candidates, fewest))[0]).toBe('higher');
      if (fewest > 6) expect(findingsOf(sourceOf(candidates, fewest - 1))[0]).toBe('undecided');
    }
  });

  it('an interval that excludes equality keeps its ends where the difference is not told', () => {
    const [first] = headlineComparisons(sourceOf(3, 6).comparisons, { mode: 'closed' });
    expect(first).toMatchObject({ finding: 'undecided', p: 1 / 32, pAdjusted: 3 / 32, family: 3 });
    expect(first?.ciLow).toBeGreaterThan(1.4);
  });

  it('the p of a family is that of Benjamini and Hochberg over its candidates, in CSV too, and the finding follows', async () => {
    const source = sourceOf(5, 9);
    const own = headlineComparisons(source.comparisons, { mode: 'closed' });
    expect(own.map(({ pAdjusted }) => pAdjusted)).toEqual(benjaminiHochberg(own.map(({ p }) => p ?? 1)));
    const text = (await rendered(csv, source)).get('comparisons.csv') ?? '';
    const [head = [], ...rows] = readCsv(text);
    const adjusted = rows.map((cells) => Object.fromEntries(head.map((name, at) => [name, cells[at] ?? ''])));
    for (const row of adjusted.filter(({ p_adjusted: p }) => p !== '')) {
      expect(Number(row.family)).toBeGreaterThan(1);
      expect(Number(row.p_adjusted)).toBeGreaterThanOrEqual(Number(row.p));
      if (row.finding === 'lower' || row.finding === 'higher') expect(Number(row.p_adjusted)).toBeLessThanOrEqual(0.05);
    }
  });

  it('one candidate is told by its interval, without an adjusted p; of two the smaller p is doubled', () => {
    const alone = headlineComparisons(sourceOf(1, 8).comparisons, { mode: 'closed' });
    expect(alone).toMatchObject([{ finding: 'higher', family: 1, p: 1 / 128, pAdjusted: null }]);
    const [differs, equal] = headlineComparisons(sourceOf(2, 8).comparisons, { mode: 'closed' });
    expect(differs).toMatchObject({ finding: 'higher', family: 2, p: 1 / 128, pAdjusted: 1 / 64 });
    expect(equal).toMatchObject({ finding: 'undecided', family: 2 });
  });

  it('the comparisons of each prompt are one family of candidates x prompts, of one candidate too', () => {
    const { comparisons } = reported(scriptedRun({ ...ORDINARY, variants: ORDINARY.variants.slice(0, 2) }));
    const prompts = comparisons.filter(({ metric, scope }) => metric === 'latency.total' && scope.of === 'prompt');
    expect(prompts.map(({ family }) => family)).toEqual(ORDINARY.prompts.map(() => ORDINARY.prompts.length));
  });

  it('no surface has a verb or a number of speed of a sweep whose steps have too few groups of pairs', async () => {
    const swept = sweepRun();
    const samples = swept.samples.filter(({ trial: { seed, repeat } }) => seed === 1 && repeat === 1);
    for (const text of await surfaces(reported({ ...swept, samples }))) {
      expect(text).toMatch(/fast against standard.*too few groups of pairs to tell \(1 of 6\)/);
      expect(/.{80}(\dx as (fast|long)|estimate \d|looks \d).{30}/.exec(text)?.[0] ?? '').toBe('');
    }
  });

  it('every surface says once that differences of two candidates are adjusted, and of one none does', async () => {
    const times = (said: string) => said.split(LINE.slice(0, -1)).length - 1;
    expect((await surfaces(sourceOf(2, 7))).map(times)).toEqual([1, 1, 1]);
    expect((await surfaces(sourceOf(1, 7))).map(times)).toEqual([0, 0, 0]);
  });

  it('no candidate of many leads, and none is put before another, unless it is told to be faster', async () => {
    const headlines = async (ratio: number) => {
      const source = sourceOf(9, 12, ratio);
      const likeness = source.analysis.likeness.map(({ variant, baseline, kind, prompt, seed }): CellLikeness => {
        const cells = { variant, baseline, kind, prompt, seed, output: 'a'.repeat(64), baselineOutput: 'b'.repeat(64) };
        const word = variant === 'model-2' ? 'similar' : 'changed';
        return { ...cells, word, decidedBy: null, difference: null, sharpness: 1, repeatSsim: 1, otherSeed: null };
      });
      return (await pageOf({ ...source, analysis: { ...source.analysis, likeness } })).words('#outcome .headlines li');
    };
    const places = (all: readonly string[]) => all.map((words) => /model-\d+/.exec(words)?.[0]);
    const suite = [2, 3, 4, 5, 6, 7, 8, 9].map((at) => `model-${at}`);
    expect(places(await headlines(0.5))).toEqual(['model-1', ...suite]);
    const slower = await headlines(1);
    expect(places(slower)).toEqual([...suite, 'model-1']);
    expect(slower.join(' ')).not.toMatch(/fastest|Fast and/);
  });
});

/* What is done with many variants: the work grows with their number, not with its square. It is counted in looks at names. */

function runOf(count: number) {
  const [standard, other] = ORDINARY.variants;
  if (standard === undefined || other === undefined) throw new Error('ORDINARY has variants');
  const others = Array.from({ length: count - 1 }, (_, at) => ({ ...other, name: `model-${at}` }));
  const telling: Telling = {
    ...ORDINARY,
    variants: [standard, ...others],
    prompts: ORDINARY.prompts.slice(0, 1),
    seeds: [1],
    repeats: 1,
    tell: () => ok(100),
  };
  return reported(scriptedRun(telling));
}

/** The same items; `looked` is called each time the variant of one is read. */
function watched<T extends { readonly variant: string }>(items: readonly T[], looked: () => void): readonly T[] {
  return items.map((item) => ({
    ...item,
    get variant() {
      looked();
      return item.variant;
    },
  }));
}

test('late stamps of twice as many variants take about twice the work', () => {
  const looksFor = (count: number): number => {
    let looks = 0;
    const { analysis, samples } = runOf(count);
    const trials = samples.map(({ sample }) => ({
      sample: { trial: watched([sample.trial], () => (looks += 1))[0] ?? sample.trial },
    }));
    lateVariants({ flagged: [], variants: analysis.variants, trials });
    return looks;
  };
  expect(looksFor(80) / looksFor(40)).toBeLessThan(2.5);
});

test('the table of measures is made once for an analysis', () => {
  const { analysis } = runOf(2);
  expect(measuresOf(analysis)).toBe(measuresOf({ ...analysis }));
});
