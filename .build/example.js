// @ts-check
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/*
 * Measures results/example/suite.yaml and writes its reports beside it: `npm run example`, on a machine that does nothing else. Then
 * `npm run screenshot -- results/example/report.html` takes the README's screenshot.
 */

const EXAMPLE = join('results', 'example');

const scratch = mkdtempSync(join(tmpdir(), 'retake-example-'));
try {
  retake(['run', join(EXAMPLE, 'suite.yaml'), '--yes', '--out', scratch]);
  const suite = join(scratch, 'example');
  const run = readdirSync(suite, { withFileTypes: true }).find((entry) => entry.isDirectory());
  if (run === undefined) throw new Error('the run has no folder');
  const formats = ['csv', 'html', 'markdown'].flatMap((format) => ['--format', format]);
  const reports = join(scratch, 'reports');
  retake(['report', join(suite, run.name), '--out', reports, ...formats]);
  for (const name of readdirSync(reports)) {
    if (name !== 'comparisons.csv') copyFileSync(join(reports, name), join(EXAMPLE, name));
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** @param {readonly string[]} args */
function retake(args) {
  const { status } = spawnSync(process.execPath, [join('dist', 'main.js'), ...args], { stdio: 'inherit' });
  if (status !== 0) throw new Error(`retake ${args[0]} ended with ${status}`);
}
