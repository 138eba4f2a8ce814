import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { formatDiagnostic } from '../../../src/kit/diagnostic.ts';
import { readDecidableRun } from '../../../src/workflow/steps/read-run.ts';
import { freshFolder } from '../../fixtures/fresh-folder.ts';
import { gateRule } from '../../fixtures/scripted-run.ts';
import { buildOk, buildStoredRun } from '../../fixtures/stored-run-builder.ts';

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
