import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatDiagnostic } from '../../../src/kit/diagnostic.ts';
import type { Json } from '../../../src/kit/json.ts';
import { type Run, runSchema } from '../../../src/record/run.ts';
import { readDecidableRun } from '../../../src/workflow/history.ts';
import { planSuite } from '../../../src/workflow/plan-suite.ts';
import { takeShare } from '../../../src/workflow/prepare-run.ts';
import { describeRun } from '../../../src/workflow/run-header.ts';
import { freshFolder } from '../../fixtures/fresh-folder.ts';
import { memoryEdge } from '../../fixtures/memory-edge.ts';
import { gateRule } from '../../fixtures/scripted-run.ts';
import { buildOk, buildStoredRun } from '../../fixtures/stored-run-builder.ts';

const SUITE = {
  suite: 1,
  name: 's',
  variants: { fast: { target: 'reference/text-to-image' }, again: { target: 'reference/text-to-image' } },
  prompts: [{ text: 'a fox' }, { text: 'a sign' }],
  repeats: 1,
};
const ENV = { TOKEN: 'sk-0123456789', PIN: '1234' };
const folder = freshFolder();

async function runOf(suite: object, vantage: string | null = null): Promise<Run> {
  writeFileSync(join(folder, 's.json'), JSON.stringify(suite));
  const edge = memoryEdge(folder, ENV);
  const planned = await planSuite('s.json', { set: [] }, edge, { nonce: 1 });
  const prepared = planned.ok ? takeShare(planned.value, null) : planned;
  if (!prepared.ok) throw new Error(prepared.diagnostics.map(({ cause }) => cause).join('\n'));
  const run = await describeRun(
    prepared.value,
    '2026-11-20T15:45:00.000Z',
    { run: 'r', label: null, vantage },
    null,
    edge,
  );
  return runSchema.parse(JSON.parse(JSON.stringify(run)));
}

const label = fc.stringMatching(/^[a-z][a-z0-9_-]{0,8}$/);

const given = fc.record(
  {
    better: fc.constantFrom('lower', 'higher', null),
    range: fc.tuple(fc.integer({ min: -9, max: 0 }), fc.integer({ min: 1, max: 9 })),
    unit: fc.constantFrom('score', '1'),
    meaning: fc.constantFrom('how sharp', '${env.TOKEN} <b>'),
  },
  { requiredKeys: ['better'] },
);

const gives = fc.dictionary(label, given, { minKeys: 1, maxKeys: 3 });

const scorer = fc.oneof(
  fc.record({ use: fc.constant('file'), gives }),
  fc.record(
    {
      use: fc.constant('command'),
      gives,
      command: fc.array(fc.constantFrom('python3', '${env.TOKEN}', '--pin=${env.PIN}'), { minLength: 1, maxLength: 3 }),
      env: fc.subarray(['TOKEN', 'PIN']),
      timeout: fc.constantFrom('1s', '5m'),
      frames: fc.integer({ min: 1, max: 9 }),
      original: fc.boolean(),
    },
    { requiredKeys: ['use', 'gives', 'command'] },
  ),
);

/** Suites refuse numbers that are too large to be kept exactly. */
function withExactNumbers(value: unknown): Json {
  return JSON.parse(JSON.stringify(value), (_, each) =>
    typeof each === 'number' && Math.abs(each) > Number.MAX_SAFE_INTEGER ? 0 : each,
  );
}

describe('run.json of a suite with scorers', () => {
  test('scorers and expect change nothing else of run.json and no request, and no value of a variable is in it', async () => {
    const plain = await runOf(SUITE);
    expect(plain).not.toHaveProperty('scorers');
    const scorers = fc.dictionary(label, scorer, { minKeys: 1, maxKeys: 3 });
    const expectation = fc.dictionary(label, fc.jsonValue({ maxDepth: 2 }).map(withExactNumbers), { maxKeys: 2 });
    await fc.assert(
      fc.asyncProperty(scorers, expectation, async (declared, expected) => {
        const prompts = [SUITE.prompts[0], { ...SUITE.prompts[1], expect: expected }];
        const run = await runOf({ ...SUITE, scorers: declared, prompts });
        const { scorers: recorded = [], ...rest } = run;
        expect(recorded.map(({ name, use }) => [name, use])).toEqual(
          Object.entries(declared).map(([name, { use }]) => [name, use]),
        );
        expect(run.prompts.map((prompt) => prompt.expect)).toEqual([undefined, { values: expected }]);
        const { declared: _, digest: __, environment: ___, ...suite } = run.suite;
        expect({ ...rest, suite, prompts: run.prompts.map(({ expect: _expect, ...sent }) => sent) }).toEqual({
          ...plain,
          suite: { ...suite, ...pick(plain.suite) },
        });
        expect(JSON.stringify(run)).not.toMatch(/sk-0123456789|=1234/);
      }),
      { numRuns: 25 },
    );
  });
});

test('the vantage of a run is the only thing in run.json that --vantage changes', async () => {
  const [plain, named] = [await runOf(SUITE), await runOf(SUITE, 'eu')];
  expect('vantage' in plain).toBe(false);
  expect(named).toEqual({ ...plain, vantage: 'eu' });
});

function pick({ name, description, file, overrides }: Run['suite']) {
  return { name, description, file, overrides };
}

/** The folder of a run that holds this rule. */
function runWith(metric: string): string {
  const folder = freshFolder();
  const samples = ['standard', 'fast'].map((variant) => buildOk(5, variant, { trial: { variant } }));
  const { run } = buildStoredRun({ samples, gate: [gateRule(metric, { is: 'max', value: 5 })] });
  writeFileSync(join(folder, 'run.json'), JSON.stringify(run, null, 2));
  writeFileSync(join(folder, 'journal.jsonl'), '');
  return folder;
}

test('a run whose gate is as a suite declares it can be decided', async () => {
  expect(await readDecidableRun(runWith('latency.total'))).toMatchObject({ ok: true });
});

test('a run.json whose gate was changed to a rule that no suite may have is refused with the rule', async () => {
  const folder = runWith('latency.totl');
  const read = await readDecidableRun(folder);
  expect(read.ok ? [] : read.diagnostics.map(formatDiagnostic)).toEqual([
    `${join(folder, 'run.json')}:1:1: gate[0]: there is no metric "latency.totl"; restore the file: it was changed after it was written`,
  ]);
});
