import { expect, test } from 'vitest';
import { knownLines } from '../../../src/view/results/suite-history.ts';
import { nightLine, twoVariants, withOtherRequests } from '../../fixtures/history-lines.ts';

const ratiosOf = (lines: Parameters<typeof knownLines>[0]) =>
  [...knownLines(lines).values()].map(({ medians }) => medians.map(({ ratio }) => ratio));

test('the p50 of a run stands beside that of the last complete run that sent the same requests', () => {
  const [one, two, three] = [400, 500, 250].map((ms, night) => nightLine(night, { fast: { cellsMs: [ms] } }));
  if (one === undefined || two === undefined || three === undefined) throw new Error('three runs');
  const near = (ratio: number) => [expect.closeTo(ratio, 6)];
  expect(ratiosOf([three, two, one])).toEqual([[null], near(1.25), near(0.5)]);
  expect(ratiosOf([one, { ...two, complete: false }, three])).toEqual([[null], near(1.25), near(0.625)]);
  expect(ratiosOf([one, withOtherRequests(two, '7'), three])).toEqual([[null], [null], near(0.625)]);
});

test('each variant of a run is compared with itself', () => {
  expect(ratiosOf(twoVariants(2, 9))).toEqual([
    [null, null],
    [expect.any(Number), expect.any(Number)],
  ]);
});
