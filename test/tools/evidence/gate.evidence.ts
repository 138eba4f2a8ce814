import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RuleResult, Verdict } from '../../../src/gate/verdict.ts';
import { freshFolder } from '../../fixtures/fresh-folder.ts';
import { PACED_CELLS, pace, pacedSuite, servePaced } from '../../fixtures/paced-service.ts';
import { retake, type ServedService } from '../../fixtures/retake-process.ts';

/* What the gate on latency decides of real runs: of a variant that takes 20 % longer, and of one that is its own baseline. */

const EQUAL_RUNS = 20;
const SLOWED_RUNS = 5;

describe('the gate on latency', () => {
  let usual: ServedService;
  let steady: ServedService;
  let slow: ServedService;
  let folder: string;

  beforeAll(async () => {
    // A fifth of 400 ms is above the noise floor of a busy machine, too.
    [usual, steady, slow] = await Promise.all([
      servePaced([pace(150)]),
      servePaced([pace(400)]),
      servePaced([pace(480)]),
    ]);
    folder = freshFolder();
  });

  afterAll(() => Promise.all([usual, steady, slow].map((service) => service.close())));

  /** The results of the one comparison in so many runs of a suite. */
  async function resultsOf(
    name: string,
    variants: Readonly<Record<string, ServedService>>,
    runs: number,
  ): Promise<readonly RuleResult[]> {
    const gate = ['{ metric: latency.total, max_increase: 5% }'];
    writeFileSync(join(folder, `${name}.yaml`), pacedSuite({ name, variants, repeats: 3, gate }));
    const results: RuleResult[] = [];
    for (let run = 1; run <= runs; run += 1) {
      const { code } = await retake(['run', `${name}.yaml`, '--run', `run-${run}`, '--quiet'], folder, usual.env);
      const verdict: Verdict = JSON.parse(
        readFileSync(join(folder, 'results', name, `run-${run}`, 'verdict.json'), 'utf8'),
      );
      const [result] = verdict.rules;
      if (result === undefined) throw new Error('the gate has no result');
      expect({ exitCode: verdict.exitCode, n: result.n }).toEqual({ exitCode: code, n: PACED_CELLS });
      results.push(result);
    }
    console.log(`${name}: ${results.map(shown).join(', ')}`);
    return results;
  }

  it(`a variant against itself, ${EQUAL_RUNS} runs: never fails, and passes in at least 17`, async () => {
    const results = await resultsOf('equal', { usual, same: usual }, EQUAL_RUNS);
    expect(results.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
    expect(results.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThanOrEqual(17);
  });

  it(`a variant that takes 20 % longer, ${SLOWED_RUNS} runs: fails in each`, async () => {
    const results = await resultsOf('slowed', { steady, slow }, SLOWED_RUNS);
    expect(results.map(({ verdict }) => verdict)).toEqual(Array(SLOWED_RUNS).fill('fail'));
    for (const { estimate } of results) {
      expect(estimate).toBeGreaterThan(1.1);
      expect(estimate).toBeLessThan(1.3);
    }
  });
});

function shown({ verdict, code, estimate, ciLow, ciHigh }: RuleResult): string {
  const digits = (value: number | null) => value?.toFixed(3) ?? 'open';
  return `${verdict} (${code}) ${digits(estimate)} [${digits(ciLow)}, ${digits(ciHigh)}]`;
}
