import { expect, test } from 'vitest';
import { lateVariants } from '../../src/analysis/warnings/too-many-late-stamps.ts';
import { measuresOf } from '../../src/report/statement.ts';
import { reported } from '../fixtures/report-source.ts';
import { ORDINARY, scriptedRun, type Telling } from '../fixtures/scripted-run.ts';

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
    tell: () => ({ outcome: 'ok', totalMs: 100, output: 0 }),
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

test.each<[name: string, looksFor: (count: number) => number]>([
  [
    'late stamps',
    (count) => {
      let looks = 0;
      const { analysis, samples } = runOf(count);
      const trials = samples.map(({ sample }) => ({
        sample: { trial: watched([sample.trial], () => (looks += 1))[0] ?? sample.trial },
      }));
      lateVariants({ flagged: [], variants: analysis.variants, trials });
      return looks;
    },
  ],
])('%s of twice as many variants takes about twice the work', (_, looksFor) => {
  expect(looksFor(80) / looksFor(40)).toBeLessThan(2.5);
});

test('the table of measures is made once for an analysis', () => {
  const { analysis } = runOf(2);
  expect(measuresOf(analysis)).toBe(measuresOf({ ...analysis }));
});
