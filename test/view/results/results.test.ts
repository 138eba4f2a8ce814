import { expect, test } from 'vitest';
import type { RunPlace } from '../../../src/view/addresses.ts';
import type { ListedRun } from '../../../src/view/pages/lists/runs-table.ts';
import { isSame, type Library, outputPairs } from '../../../src/view/results/library.ts';

import { sortedPart, sortKeysOf } from '../../../src/view/routes/lists.ts';
import { ORDINARY, scriptedRun } from '../../fixtures/scripted-run.ts';

const run = scriptedRun(ORDINARY);

test('the outputs of a run beside itself are the first delivered take of each variant, prompt and seed', () => {
  const pairs = outputPairs(run, run);
  const keys = pairs.map(({ variant, prompt, seed }) => JSON.stringify([variant, prompt, seed]));
  expect(new Set(keys).size).toBe(keys.length);
  expect(pairs.every(isSame)).toBe(true);
  for (const { variant, prompt, seed, earlier } of pairs) {
    const delivered = run.samples.find(
      ({ outcome, trial }) =>
        outcome === 'ok' &&
        trial.phase === 'trial' &&
        trial.variant === variant &&
        trial.prompt === prompt &&
        trial.seed === seed,
    );
    expect(delivered?.outcome === 'ok' ? delivered.outputs[0] : null).toEqual(earlier);
  }
});

test('outputs that differ come first, and what only one run delivered is left out', () => {
  const [, changed] = outputPairs(run, run);
  if (changed === undefined) throw new Error('a run has two outputs');
  const { variant, prompt } = changed;
  const samples = run.samples
    .filter(({ trial }) => trial.prompt === prompt)
    .map((sample) =>
      sample.outcome === 'ok' && sample.trial.variant === variant
        ? { ...sample, outputs: [{ ...sample.outputs[0], sha256: 'ff'.repeat(32) }] as const }
        : sample,
    );
  const pairs = outputPairs(run, { ...run, samples });
  expect(pairs.every((pair) => pair.prompt === prompt)).toBe(true);
  const differing = pairs.filter((pair) => !isSame(pair));
  expect(differing.length).toBeGreaterThan(0);
  expect(pairs.slice(0, differing.length)).toEqual(differing);
  expect(new Set(differing.map((pair) => pair.variant))).toEqual(new Set([variant]));
});

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
