import { expect, test } from 'vitest';
import { isSame, outputPairs } from '../../../src/view/results/compared-runs.ts';
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
