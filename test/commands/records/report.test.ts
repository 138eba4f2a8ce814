import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { exitCodeOf } from '../../../src/commands/display/print.ts';
import { reportCommand } from '../../../src/commands/records/report.ts';
import { partOf } from '../../../src/record/own-files.ts';
import { REPORT_FILES } from '../../../src/record/own-names.ts';
import { freshFolder } from '../../fixtures/fresh-folder.ts';
import { memoryEdge } from '../../fixtures/memory-edge.ts';
import { storeRun } from '../../fixtures/stored-suite.ts';

async function report(results: string, out: string) {
  const run = storeRun(results, `r${Math.random()}`, '2026-11-20T15:45:00.000Z', { examined: true });
  const edge = memoryEdge(results);
  const code = await exitCodeOf(() => reportCommand({ run, format: ['markdown'], out, quiet: true }, edge), edge);
  return { code, stderr: edge.stderr() };
}

it('retake report --out replaces its own reports, and no file of the user: refused by name before anything is written', async () => {
  const out = freshFolder();
  const own = join(out, 'own');
  expect((await report(freshFolder(), own)).code).toBe(0);
  writeFileSync(join(own, 'summary.md'), 'old');
  expect((await report(freshFolder(), own)).code).toBe(0);
  expect(readFileSync(join(own, 'summary.md'), 'utf8')).not.toBe('old');
  for (const [name, text] of [
    ['summary.md', 'words'],
    ['verdict.json', '["guilty"]'],
    ['verdict.json', 'guilty'],
  ] as const) {
    const user = freshFolder();
    writeFileSync(join(user, name), text);
    expect(await report(freshFolder(), user)).toEqual({
      code: 2,
      stderr: `${user} has ${name}, not written by Retake; name another folder with --out\n`,
    });
    expect(REPORT_FILES.filter((file) => existsSync(join(user, file)))).toEqual([name]);
    expect(readFileSync(join(user, name), 'utf8')).toBe(text);
  }
});

it('retake report --out removes the part that a killed report left an hour before, and none that may be written now', async () => {
  const out = join(freshFolder(), 'out');
  mkdirSync(out);
  const [old, alive, other] = [
    partOf(join(out, 'summary.md')),
    partOf(join(out, 'summary.md')),
    partOf(join(out, 'x')),
  ];
  for (const path of [old, alive, other]) writeFileSync(path, 'half');
  for (const path of [old, other]) utimesSync(path, 1, 1);
  expect((await report(freshFolder(), out)).code).toBe(0);
  expect([old, alive, other].map((path) => existsSync(path))).toEqual([false, true, true]);
});
