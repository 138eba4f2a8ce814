import { expect, test } from 'vitest';
import { comparedOutputs, isEqual } from '../../src/page/compared-outputs.ts';
import { ORDINARY, scriptedRun } from '../fixtures/scripted-run.ts';

const run = scriptedRun(ORDINARY);

test('the outputs of a run beside itself are the first delivered take of each variant, prompt and seed', () => {
  const pairs = comparedOutputs(run, run);
  const keys = pairs.map(({ variant, prompt, seed }) => JSON.stringify([variant, prompt, seed]));
  expect(new Set(keys).size).toBe(keys.length);
  expect(pairs.every(isEqual)).toBe(true);
  for (const { variant, prompt, seed, outputs } of pairs) {
    const delivered = run.samples.find(
      ({ outcome, trial }) =>
        outcome === 'ok' &&
        trial.phase === 'trial' &&
        trial.variant === variant &&
        trial.prompt === prompt &&
        trial.seed === seed,
    );
    expect(delivered?.outcome === 'ok' ? delivered.outputs[0] : null).toEqual(outputs[0]);
  }
});

test('outputs that changed come first, equal pixels are no change, and what only one run delivered is left out', () => {
  const [, changed] = comparedOutputs(run, run);
  if (changed === undefined) throw new Error('a run has two outputs');
  const { variant, prompt } = changed;
  const [old, sha256] = [changed.outputs[0].sha256, 'ff'.repeat(32)];
  const samples = run.samples
    .filter(({ trial }) => trial.prompt === prompt)
    .map((sample) =>
      sample.outcome === 'ok' && sample.trial.variant === variant
        ? { ...sample, outputs: [{ ...sample.outputs[0], sha256 }] as const }
        : sample,
    );
  const pairs = comparedOutputs(run, { ...run, samples });
  expect(pairs.every((pair) => pair.prompt === prompt)).toBe(true);
  const differing = pairs.filter((pair) => !isEqual(pair));
  expect(differing.length).toBeGreaterThan(0);
  expect(pairs.slice(0, differing.length)).toEqual(differing);
  expect(new Set(differing.map((pair) => pair.variant))).toEqual(new Set([variant]));
  const facts = run.facts.map((fact) => (fact.fact === 'output' && fact.sha256 === old ? { ...fact, sha256 } : fact));
  const recoded = comparedOutputs(run, { ...run, samples, facts }).filter(({ outputs }) => outputs[0].sha256 === old);
  expect(recoded.map(isEqual)).toContain(true);
});
