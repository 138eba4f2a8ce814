import { describe, expect, it } from 'vitest';
import { githubActionBenchmark } from '../../src/report/reporters/benchmarks.ts';
import { rendered } from '../contracts/reporter.ts';
import { reported } from '../fixtures/report-source.ts';
import { ORDINARY, scriptedRun } from '../fixtures/scripted-run.ts';

interface Entry {
  readonly name: string;
  readonly unit: string;
  readonly value: number;
  readonly range?: string;
}

async function entries(): Promise<Readonly<Record<'smaller' | 'bigger', readonly Entry[]>>> {
  const files = await rendered(githubActionBenchmark, reported(scriptedRun(ORDINARY)));
  const read = (name: string) => JSON.parse(files.get(`github-action-benchmark.${name}.json`) ?? '');
  return { smaller: read('smaller'), bigger: read('bigger') };
}

describe('github-action-benchmark', () => {
  it('github-action-benchmark puts each measure into the file of its better direction, under a name of its own', async () => {
    const { smaller, bigger } = await entries();
    const names = (list: readonly Entry[]) => list.map(({ name }) => name);
    expect(names(smaller)).toContain('fast: latency.total p50');
    expect(names(bigger).every((name) => !name.includes('latency'))).toBe(true);
    const all = [...names(smaller), ...names(bigger)];
    expect(new Set(all).size).toBe(all.length);
  });

  it('github-action-benchmark gives each entry a number and a unit, and its interval where there is one', async () => {
    const { smaller, bigger } = await entries();
    for (const { value, unit } of [...smaller, ...bigger]) {
      expect(typeof value).toBe('number');
      expect(unit).not.toBe('');
    }
    const median = smaller.find(({ name }) => name === 'fast: latency.total p50');
    expect(median).toMatchObject({ unit: 'ms', range: expect.stringMatching(/^\[\d.*, \d.*\]$/) });
  });
});
