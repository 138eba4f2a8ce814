import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { beganMs } from '../../src/record/codes.ts';
import type { Sample } from '../../src/record/journal.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { journalOf, onlyRun, retakeHere, serveHere } from '../fixtures/retake-process.ts';

const SUITE = `suite: 1
name: sweep
variants:
  fast-lcm: { target: reference/text-to-image, const: { model: fast-lcm } }
prompts: [A red fox]
seeds: [1, 2]
repeats: 3
load: { concurrency: [1, 3], warmup: 0 }
reports: [csv]
`;

/** Most that were in flight at once, by the marks. */
function mostInFlight(samples: readonly Sample[]): number {
  const edges = samples.flatMap((sample) => [
    { at: beganMs(sample), by: 1 },
    { at: sample.endedMs, by: -1 },
  ]);
  let inFlight = 0;
  return edges
    .sort((a, b) => a.at - b.at || a.by - b.by)
    .reduce((most, { by }) => {
      inFlight += by;
      return Math.max(most, inFlight);
    }, 0);
}

it('a sweep measures each step alone, with as many in flight as it says', async () => {
  const service = await serveHere(['{ latency: { constant: 200ms } }', '{ cached: {} }']);
  const folder = freshFolder();
  writeFileSync(join(folder, 'suite.yaml'), SUITE);
  const { code } = await retakeHere(['run', 'suite.yaml'], folder, service.env);
  const { routes } = await service.stats();
  await service.close();
  expect(code).toBe(0);
  const { intents, samples } = journalOf(onlyRun(join(folder, 'results')));
  expect(intents).toHaveLength(2 * 2 * 3);
  expect(samples.map(({ outcome }) => outcome)).toEqual(intents.map(() => 'ok'));
  const atStep = (step: number) => samples.filter(({ trial }) => trial.step === step);
  expect(mostInFlight(atStep(1))).toBe(1);
  expect(mostInFlight(atStep(3))).toBe(3);
  // Nothing of one slice is beside another's: together they are never more than the largest step.
  expect(mostInFlight(samples)).toBe(3);
  expect(routes['POST /v2/image/generations']).toMatchObject({ started: 12, mostInFlight: 3 });
});
