import { expect, test } from 'vitest';
import { headlineTrends } from '../../../src/view/progress/suite-history.ts';
import { nightLine, twoVariants, withOtherRequests } from '../../fixtures/history-lines.ts';

test('the trend of a variant has its latest comparable runs, the earliest first', () => {
  const lines = twoVariants(6, 3);
  const [first] = headlineTrends(lines.toReversed(), 4);
  const values = lines.map(({ variants }) => variants.find(({ variant }) => variant === first?.variant)?.meanLn);
  expect(first?.lnValues).toEqual(values.slice(-4).map((meanLn) => meanLn?.['latency.total']));
});

test('the trend of a variant leaves out runs with other requests, and incomplete ones', () => {
  const [one, two, three, four] = twoVariants(4, 9);
  if (one === undefined || two === undefined || three === undefined || four === undefined) throw new Error('four runs');
  const incomplete = nightLine(9, { fast: { cellsMs: [1] } }, { complete: false });
  const trends = headlineTrends(
    [withOtherRequests(one, '7'), { ...two, complete: false }, three, four, incomplete],
    60,
  );
  expect(trends.map(({ lnValues }) => lnValues.length)).toEqual([2, 2]);
  expect(headlineTrends([incomplete], 60)).toEqual([]);
});
