import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { comparableDigest } from '../../../src/analysis/earlier-runs.ts';
import { exitCodeOf } from '../../../src/commands/display/print.ts';
import { planCommand } from '../../../src/commands/measuring/plan.ts';
import type { HistoryLine } from '../../../src/record/kept-run.ts';
import { type PlannedSuite, planSuite } from '../../../src/workflow/plan-suite.ts';
import { freshFolder } from '../../fixtures/fresh-folder.ts';
import { memoryEdge } from '../../fixtures/memory-edge.ts';

async function preparedIn(cwd: string): Promise<PlannedSuite> {
  const prepared = await planSuite('s.yaml', { set: [] }, memoryEdge(cwd));
  if (!prepared.ok) throw new Error('the suite is wrong');
  return prepared.value;
}

/** The line of a night in which calls took 2 and 4 s, and 6 % more or less. */
function nightly(night: number, plan: Parameters<typeof comparableDigest>[0]): HistoryLine {
  const ln = 0.06 * (night % 2 === 0 ? 1 : -1);
  const variantOf = (variant: string, ms: number) => ({
    variant,
    kind: 'text-to-image' as const,
    comparableDigest: comparableDigest(plan, { name: variant, baseUrl: 'embedded:' }, null),
    cells: [{ prompt: 'a-fox', seed: 1 }],
    lnValues: { 'latency.total': [Math.log(ms) + ln] },
    meanLn: { 'latency.total': Math.log(ms) + ln },
    rates: {},
  });
  return {
    format: 1,
    run: `night-${night}`,
    startedAt: new Date(Date.UTC(2026, 0, 1 + night)).toISOString(),
    suiteDigest: '0'.repeat(64),
    complete: true,
    verdict: 'none',
    variants: [variantOf('a', 2000), variantOf('b', 4000)],
  };
}

describe('retake plan', () => {
  test('retake plan takes the time from the latest run, and says what a rule against earlier runs can find', async () => {
    const cwd = freshFolder();
    const declared =
      'suite: 1\nname: s\nvariants: { a: { target: reference/text-to-image, baseline: true }, b: { target: reference/text-to-image } }\nprompts: [a fox]\nrepeats: 4\nload: { concurrency: 1, warmup: 1 }\ngate: [{ metric: latency.total, against: history, max_increase: 5%, variants: [b] }]\n';
    writeFileSync(join(cwd, 's.yaml'), declared);
    const lines = async () => {
      const edge = memoryEdge(cwd);
      expect(await planCommand({ suite: 's.yaml', set: [], json: false, bodies: false }, edge)).toBe(0);
      return edge.stdout().split('\n');
    };
    expect(await lines()).toContain('    b: needs 9 comparable earlier runs');
    const { plan, suite } = await preparedIn(cwd);
    const keep = (runs: number) =>
      writeFileSync(
        join(cwd, 'results', 's', 'history.jsonl'),
        Array.from({ length: runs }, (_, at) => `${JSON.stringify(nightly(at, { ...plan, load: suite.load }))}\n`).join(
          '',
        ),
      );
    mkdirSync(join(cwd, 'results', 's'), { recursive: true });
    keep(3);
    expect(await lines()).toContain('Time: about 32 s, if takes are as long as in run night-2');
    expect(await lines()).toContain('    b: needs 9 comparable earlier runs, has 3');
    keep(12);
    const found = (await lines()).find((line) => line.includes('earlier runs vary'));
    expect(found).toMatch(
      /^ {4}b: 12 earlier runs vary by 6\.\d %: finds a slowdown of [23]\d % in the second such run, 4 times in 5; below max_increase: 1\d% unchanged runs are mostly not decided; a slow drift is not found, since /,
    );
    const edge = memoryEdge(cwd);
    await planCommand({ suite: 's.yaml', set: [], json: false, bodies: false, vantage: 'eu' }, edge);
    // They do not say where their calls were sent from.
    expect(edge.stdout()).toMatch(/ b: needs 9 comparable earlier runs(, has 0)?\n/);
  });

  test('retake plan gives the label and the vantage of the run to programs, and refuses what the run would refuse', async () => {
    const cwd = freshFolder();
    writeFileSync(
      join(cwd, 's.yaml'),
      'suite: 1\nname: s\nvariants: { a: { target: reference/text-to-image } }\nprompts: [a fox]\n',
    );
    const usual = { suite: 's.yaml', set: [], json: false, bodies: false };
    const plan = async (given: object) => {
      const edge = memoryEdge(cwd);
      const code = await exitCodeOf(() => planCommand({ ...usual, ...given }, edge), edge);
      return { code, stdout: edge.stdout(), stderr: edge.stderr() };
    };
    const [first] = (await plan({ label: 'eu-west', json: true })).stdout.split('\n');
    expect(first).toBe('{"run":{"id":null,"label":"eu-west"}}');
    const [named] = (await plan({ vantage: 'eu', json: true })).stdout.split('\n');
    expect(named).toBe('{"run":{"id":null,"label":null,"vantage":"eu"}}');
    for (const [given, says] of [
      [{ label: 'two\nlines' }, '--label "two'],
      [{ vantage: 'eu west' }, '--vantage "eu west" is not a valid name of a place; use letters'],
      [{ vantage: '' }, '--vantage "" is not'],
      [{ vantage: 'e'.repeat(101) }, '--vantage "eee'],
      [{ run: 'a b' }, '--run "a b" is not a valid name of a run'],
      [{ allowOrigin: ['nonsense'] }, '--allow-origin "nonsense" is not a valid origin'],
    ] as const) {
      const refused = await plan(given);
      expect(refused).toMatchObject({ code: 2, stdout: '' });
      expect(refused.stderr).toContain(says);
    }
  });
});
