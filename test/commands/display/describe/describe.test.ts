import { describe, expect, it } from 'vitest';
import { describeLoad, describePace } from '../../../../src/commands/display/plan/describe-load.ts';
import { exitCodeOf } from '../../../../src/commands/display/print.ts';
import { planCommand } from '../../../../src/commands/measuring/plan.ts';
import type { Pace, Plan } from '../../../../src/plan/plan.ts';
import type { ClosedLoad, OpenLoad } from '../../../../src/suite/load.ts';
import { memoryEdge } from '../../../fixtures/memory-edge.ts';
import { CLOSED } from '../../../fixtures/plan-input.ts';
import { buildTrial } from '../../../fixtures/stored-run-builder.ts';

describe('the gate of a plan', () => {
  it('the gate of a plan refuses a limit of latency that the open load is too short for', async () => {
    const planned = async (load: string) => {
      const edge = memoryEdge(process.cwd());
      const set = [`load=${load}`, 'gate=[{metric: latency.total, max: 1s}]'];
      const code = await exitCodeOf(
        () => planCommand({ suite: 'suites/demo.yaml', set, json: false, bodies: false }, edge),
        edge,
      );
      return { code, said: edge.stdout() + edge.stderr() };
    };
    const constant = 'mode: open, arrivals: constant';
    expect(await planned(`{ ${constant}, rate: 1/s, duration: 12s }`)).toMatchObject({ code: 0 });
    const { code, said } = await planned(`{ ${constant}, rate: 2/s, duration: 9s }`);
    expect(code).toBe(2);
    expect(said).toContain('the open load of standard lasts 8.50 s, so that the rule can never pass; it needs 10.0 s');
  });
});

const BY_FOUR: ClosedLoad = { ...CLOSED, concurrency: 4, shuffle: 7 };
const OPEN: OpenLoad = {
  mode: 'open',
  order: 'sequential',
  concurrency: 64,
  arrivals: 'poisson',
  stages: [{ ratePerSecond: 2, forMs: null }],
  warmup: 1,
  onThrottle: 'wait',
  shuffle: 7,
};

/** A plan whose slices are paced so, with so many trials each. */
function planOf(trials: number, ...paces: readonly Pace[]): Plan {
  const slices = paces.map((pace, index) => ({
    index,
    pace,
    trials: Array.from({ length: trials }, (_, at) => buildTrial({ repeat: at + 1 })),
  }));
  return { digest: '', slices, requests: trials * paces.length, looks: null };
}

const closed = { mode: 'closed', concurrency: 4 } as const;

describe('the load of a plan', () => {
  it('the load of a plan names the concurrency, and why it is less than asked for', () => {
    expect(describeLoad(BY_FOUR, planOf(4, closed))).toEqual([
      'Load: closed, 4 in flight at most; order paired, shuffle 7, 1 group of takes',
      'Time: about 1 s if each take lasts 1 s, 10 s if 10 s',
    ]);
    expect(describeLoad(BY_FOUR, planOf(3, closed))[0]).toContain(
      '3 in flight at most (4 allowed, but a group of takes of a variant has only 3;',
    );
  });

  it('the load of a plan names the steps of a sweep, ascending', () => {
    expect(describeLoad({ ...BY_FOUR, steps: [4, 1, 2] }, planOf(4, closed, closed))).toEqual([
      'Load: a sweep over concurrency 1, 2 and 4, each variant and step alone; 4 in flight at most; shuffle 7, 2 groups of takes',
      'Time: about 2 s if each take lasts 1 s, 20 s if 10 s',
    ]);
  });

  it('the load of a plan names, under open load, when calls come, the ceiling, and the least time it takes', () => {
    const paced = { mode: 'open', ceiling: 64, startsMs: [0, 400, 4250] } as const;
    expect(describeLoad(OPEN, planOf(3, paced, paced))).toEqual([
      'Load: open, random arrivals (a Poisson process): 2 / s; one variant after the other, shuffle 7, 2 groups of takes',
      'Ceiling: 64 in flight; a start above it is dropped and counted',
      'Time: 3 takes per variant over 4.25 s, at least 8.50 s in all, plus warm-ups and the last takes',
    ]);
  });

  it('the load of a plan counts stages to their end, not to the last call', () => {
    const stages = [
      { ratePerSecond: 2, forMs: 30_000 },
      { ratePerSecond: 0.5, forMs: 60_000 },
    ];
    const lines = describeLoad({ ...OPEN, stages }, planOf(3, { mode: 'open', ceiling: 64, startsMs: [0, 1, 2] }));
    expect(lines[0]).toContain('2 / s for 30 s, then 30 / min for 1 min;');
    expect(lines[2]).toContain('over 1 min 30 s, at least 1 min 30 s in all');
  });
});

describe('the pace of a slice', () => {
  it('the pace of a slice is named where the load does not give it for all', () => {
    const [plain] = planOf(2, closed).slices;
    const [paced] = planOf(2, { mode: 'open', ceiling: 64, startsMs: [0, 500] }).slices;
    expect(plain && describePace(plain)).toBe('');
    expect(plain && describePace({ ...plain, trials: [buildTrial({ phase: 'step', step: 4 })] })).toBe(
      ' at concurrency 4',
    );
    expect(paced && describePace(paced)).toBe(', 2 takes over 500 ms');
  });
});
