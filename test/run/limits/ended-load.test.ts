import { expect, test } from 'vitest';
import { resumptionOf } from '../../../src/run/resumption.ts';
import { measurePlan } from '../../fixtures/measured-run.ts';
import { CLOSED } from '../../fixtures/plan-input.ts';
import { PNG } from '../../targets/call/calling.ts';
import { serve } from '../../targets/loopback.ts';
import { targetWith, variantOf } from '../../targets/target-fixture.ts';

/** A server that fails fast while more than two calls are in flight. */
async function ofTwoSlots() {
  let busy = 0;
  const server = await serve((_seen, response) => {
    busy += 1;
    const status = busy > 2 ? 500 : 200;
    setTimeout(
      () => {
        busy -= 1;
        response.writeHead(status, { 'content-type': 'image/png' });
        response.end(status === 200 ? PNG : '');
      },
      status === 200 ? 10 : 1,
    );
  });
  return variantOf(targetWith({ base_url: server.url, fail: [{ when: { status: '5xx' }, is: 'error' }] }));
}

test('a load that fails ends alone: the run goes on with the others, and the record says how much was not sent', async () => {
  const run = await measurePlan({
    variants: [await ofTwoSlots()],
    seeds: [1, 2],
    repeats: 30,
    load: { ...CLOSED, steps: [2, 8], concurrency: 8, warmup: 0 },
    failures: 0.2,
    holds: true,
  });
  expect(run.stop).toEqual({ reason: 'finished' });
  const at = (step: number) => run.samples.filter(({ trial }) => trial.step === step);
  expect(at(2).map(({ outcome }) => outcome)).toEqual(Array(120).fill('ok'));
  const [ended, ...more] = run.events.filter(({ event }) => event === 'load_ended');
  expect(more).toEqual([]);
  expect(ended).toMatchObject({ step: 8, planned: 120 });
  expect(at(8).length).toBeLessThan(120);
  // A resumed run sends nothing more of it.
  expect([...resumptionOf(run.events, false).endedLoads]).toHaveLength(1);
});

test('failures of a sweep that must hold nothing stop the run', async () => {
  const run = await measurePlan({
    variants: [await ofTwoSlots()],
    seeds: [1, 2],
    repeats: 30,
    load: { ...CLOSED, steps: [8], concurrency: 8, warmup: 0 },
    failures: 0.2,
  });
  expect(run.stop).toMatchObject({ reason: 'failures' });
});
