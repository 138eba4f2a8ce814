import { describe, expect, it } from 'vitest';
import { type Measured, type MeasuredParts, measurePlan } from '../fixtures/measured-run.ts';
import { CLOSED } from '../fixtures/plan-input.ts';
import { png } from '../targets/call/calling.ts';
import { serve } from '../targets/loopback.ts';
import { targetWith, variantOf } from '../targets/target-fixture.ts';

/* The runner between the parts of a plan: 8 case-seeds of two variants, then the same again. */

/** Measures a plan with a confirmation; gives how many requests the server had in flight at most, too. */
async function measured(parts: Omit<MeasuredParts, 'variants'>): Promise<Measured & { readonly most: number }> {
  let inFlight = 0;
  let most = 0;
  const server = await serve((_seen, response) => {
    inFlight += 1;
    most = Math.max(most, inFlight);
    setTimeout(() => {
      inFlight -= 1;
      png(response);
    }, 5);
  });
  const target = targetWith({
    base_url: server.url,
    inputs: { seed: { min: 0, max: 100_000, omit_means: 'random', claim: 'exact' } },
    submit: { path: '/generate', encoding: 'json', body: { prompt: '${case.prompt}', seed: '${case.seed}' } },
  });
  const variants = [variantOf(target, { name: 'a' }), variantOf(target, { name: 'b', baseline: false })];
  const run = await measurePlan({
    variants,
    seeds: [1, 2, 3, 4],
    repeats: 1,
    looks: 'confirm',
    load: { ...CLOSED, concurrency: 2, warmup: 1 },
    ...parts,
  });
  return { ...run, most };
}

const looksOf = ({ events }: Measured) => events.filter(({ event }) => event === 'look');

describe('the runner between two parts', () => {
  it('an undecided gate: the look comes with nothing in flight, and the second part follows', async () => {
    let [begun, ended] = [0, 0];
    const atLook: number[] = [];
    const run = await measured({
      observe: ({ event }) => {
        if (event === 'started') begun += 1;
        if (event === 'ended') ended += 1;
      },
      look: async () => {
        atLook.push(begun - ended, ended);
        return 'go_on';
      },
    });
    expect(atLook).toEqual([0, 18]);
    expect(run.samples).toHaveLength(34);
    expect(run.most).toBeLessThanOrEqual(2);
    expect(looksOf(run)).toMatchObject([{ segment: 1, look: 1, decided: false }]);
    expect(run.stop).toEqual({ reason: 'finished' });
  });

  it('a decided gate: no trial of the second part is sent, the probes are', async () => {
    const run = await measured({ probes: ['seed'], look: async () => 'decided' });
    const of = (phase: string) => run.samples.filter(({ trial }) => trial.phase === phase).length;
    expect([of('warmup'), of('trial'), of('confirm')]).toEqual([2, 16, 0]);
    expect(of('probe')).toBeGreaterThan(0);
    expect(looksOf(run)).toMatchObject([{ look: 1, decided: true }]);
    expect(run.stop).toEqual({ reason: 'finished' });
  });

  it('an interrupt while the gate is looked at: ends the run, and that look is not recorded', async () => {
    const interrupt = new AbortController();
    const run = await measured({
      drain: interrupt.signal,
      look: async () => {
        interrupt.abort();
        return 'decided';
      },
    });
    expect(run.samples).toHaveLength(18);
    expect(looksOf(run)).toEqual([]);
    expect(run.stop).toEqual({ reason: 'interrupted' });
  });

  it('a look that throws: is a defect', async () => {
    const broken = async (): Promise<never> => {
      throw new Error('broken look');
    };
    await expect(measured({ look: broken })).rejects.toThrow('broken look');
  });
});
