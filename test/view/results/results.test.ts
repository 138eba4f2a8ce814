import { expect, test } from 'vitest';
import type { RunPlace } from '../../../src/view/addresses.ts';
import type { ListedRun } from '../../../src/view/pages/lists/runs-table.ts';
import type { Library } from '../../../src/view/results/library.ts';

import { sortedPart, sortKeysOf } from '../../../src/view/routes/lists.ts';

const PLACES = ['c', 'b', 'a', 'broken'].map((run): RunPlace => ({ suite: 'nightly', run }));
const TOOK: Readonly<Record<string, number>> = { a: 3000, b: 1000, c: 2000 };
const GATES = { a: 'pass', b: 'fail', c: 'inconclusive' } as const;

const lineOf = (run: string) =>
  run === 'a' || run === 'b' || run === 'c' ? { complete: true, verdict: GATES[run], medians: new Map() } : null;

function listed(place: RunPlace): ListedRun {
  const common = {
    ...place,
    isInUse: false,
    line: lineOf(place.run),
    answer: null,
    isBaseline: false,
  };
  const durationMs = TOOK[place.run];
  if (durationMs === undefined) return { ...common, outline: null, why: 'run.json is missing' };
  const counts = { planned: 1, requests: 1, failed: 0, spend: null, left: null };
  const outline = { createdAt: '2026-11-20T15:45:00Z', variants: ['fast'], ...counts, durationMs };
  return { ...common, outline: { ...outline, measuring: { state: 'waiting' } }, why: null };
}

const library: Pick<Library, 'listed' | 'line'> = {
  listed: (place) => Promise.resolve(listed(place)),
  line: ({ run }) => lineOf(run),
};

test.each([
  ['took', false, ['b', 'c', 'a', 'broken']],
  ['took', true, ['a', 'c', 'b', 'broken']],
  ['gate', false, ['b', 'c', 'a', 'broken']],
  ['run', true, ['c', 'broken', 'b', 'a']],
  ['spend', true, ['c', 'b', 'a', 'broken']],
] as const)(
  'the runs of a list are sorted by %s, descending: %s; what is not known stands last',
  async (by, isDescending, names) => {
    const part = { from: 0, size: 10, of: PLACES.length };
    const runs = await sortedPart(PLACES, { by, isDescending }, part, library);
    expect(runs.map(({ run }) => run)).toEqual(names);
  },
);

test('a part of sorted runs is one of all of them', async () => {
  const runs = await sortedPart(PLACES, { by: 'took', isDescending: true }, { from: 1, size: 2, of: 4 }, library);
  expect(runs.map(({ run }) => run)).toEqual(['c', 'b']);
});

test('a list of very many runs is sorted only by what needs no journal', () => {
  const many = Array.from({ length: 501 }, (_, at) => ({ suite: 'nightly', run: `run-${at}` }));
  expect(sortKeysOf(many)).toEqual(['run', 'gate', 'began']);
  expect(sortKeysOf(PLACES)).toContain('spend');
});
