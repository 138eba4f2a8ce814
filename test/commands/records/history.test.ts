import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exitCodeOf } from '../../../src/commands/display/print.ts';
import { type HistoryArguments, historyCommand } from '../../../src/commands/records/history.ts';
import { readTable } from '../../fixtures/csv-reader.ts';
import { freshFolder } from '../../fixtures/fresh-folder.ts';
import { nightLine, twoVariants } from '../../fixtures/history-lines.ts';
import { memoryEdge } from '../../fixtures/memory-edge.ts';
import { retake } from '../../fixtures/retake-process.ts';
import { storeRun } from '../../fixtures/stored-suite.ts';

const ARGUMENTS: HistoryArguments = { suite: 'nightly', out: 'results', json: false, quiet: false };

/** A folder with `results/nightly/history.jsonl` of twelve nights, the last four of them slower. */
function twelveNights(): { readonly folder: string; readonly history: string } {
  const folder = freshFolder();
  const suite = join(folder, 'results', 'nightly');
  mkdirSync(suite, { recursive: true });
  const history = join(suite, 'history.jsonl');
  const lines = [...twoVariants(12, 8), nightLine(12, { fast: { cellsMs: [1] } }, { complete: false })];
  writeFileSync(history, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return { folder, history };
}

async function history(folder: string, args: Partial<HistoryArguments> = {}) {
  const edge = memoryEdge(folder);
  const code = await exitCodeOf(() => historyCommand({ ...ARGUMENTS, ...args }, edge), edge);
  return { code, stdout: edge.stdout(), stderr: edge.stderr() };
}

describe('retake history', () => {
  it.each(['nightly', 'results/nightly'])('a suite by its name or folder: is shown: %s', async (suite) => {
    const { code, stdout, stderr } = await history(twelveNights().folder, { suite });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/latency\.total of fast rose to 1\.\d\dx .* with run night-8,/);
    expect(stdout).toContain('Left out of fast: 1 incomplete run (night-12).');
  });

  it('the CSV: has a row for each variant, metric and run, marks the change, and names the run that is left out', async () => {
    const { folder } = twelveNights();
    const { stdout } = await history(folder, { csv: '-' });
    const rows = readTable(stdout);
    expect(rows).toHaveLength(2 * 3 * 12 + 1);
    const changes = rows.filter((row) => row.metric === 'latency.total' && row.mean_after !== '');
    expect(changes).toMatchObject([{ variant: 'fast', run: 'night-8', unit: 'ms', verdict: 'pass', left_out: '' }]);
    expect(Number(changes[0]?.mean_after) / Number(changes[0]?.mean_before)).toBeCloseTo(1.5, 1);
    expect(rows.at(-1)).toMatchObject({ variant: 'fast', run: 'night-12', metric: '', left_out: 'incomplete' });
    const written = await history(folder, { csv: 'to/history.csv' });
    expect(written.stdout).toContain(`${join(folder, 'to', 'history.csv')}\n`);
    expect(readFileSync(join(folder, 'to', 'history.csv'), 'utf8')).toBe(stdout);
  });

  it('the JSON: is one object of codes and numbers, the same each time', async () => {
    const { folder } = twelveNights();
    const { code, stdout } = await history(folder, { json: true });
    expect(code).toBe(0);
    const trend = JSON.parse(stdout);
    expect(trend).toMatchObject({ format: 1, suite: 'nightly', baseFrom: null });
    expect(trend.runs).toHaveLength(13);
    expect(trend.variants[1].series[0].changes).toMatchObject([{ index: 8, run: 'night-8' }]);
    expect((await history(folder, { json: true })).stdout).toBe(stdout);
  });

  it('the page: is written beside the runs, and links to their reports from wherever it is', async () => {
    const folder = freshFolder();
    const suite = storeRun(join(folder, 'results'), 'first', '2026-01-01T00:00:00.000Z');
    storeRun(join(folder, 'results'), 'second', '2026-01-02T00:00:00.000Z');
    writeFileSync(join(suite, 'second', 'report.html'), '');
    const { code, stdout } = await history(folder, { suite });
    expect(code).toBe(0);
    expect(stdout.endsWith(`\n${join(suite, 'history.html')}\n`)).toBe(true);
    const text = readFileSync(join(suite, 'history.html'), 'utf8');
    expect(text).toContain('<a href="second/report.html">second</a>');
    expect(text).not.toContain('first/report.html');
    await history(folder, { suite, html: join(folder, 'elsewhere', 'page one.html'), quiet: true });
    const elsewhere = readFileSync(join(folder, 'elsewhere', 'page one.html'), 'utf8');
    expect(elsewhere).toContain(`<a href="../results/${basename(suite)}/second/report.html">second</a>`);
    await history(folder, { suite });
    expect(readFileSync(join(suite, 'history.html'), 'utf8')).toBe(text);
  });

  it("days: are those of the machine's time zone on the terminal, and UTC in the data", async () => {
    const { folder } = twelveNights();
    const env = { TZ: 'America/New_York' };
    expect((await retake(['history', 'nightly'], folder, env)).stdout).toContain('from 2025-12-31 to 2026-01-12');
    const { stdout } = await retake(['history', 'nightly', '--csv', '-'], folder, env);
    expect(readTable(stdout)[0]?.started_at).toBe('2026-01-01T00:00:00.000Z');
  });

  it('output for programs: comes without the page', async () => {
    const { folder, history: file } = twelveNights();
    await history(folder, { json: true });
    await history(folder, { csv: '-' });
    expect(existsSync(join(file, '..', 'history.html'))).toBe(false);
    const both = await history(folder, { json: true, html: 'page.html' });
    expect(JSON.parse(both.stdout).suite).toBe('nightly');
    expect(both.stderr).toBe(`${join(folder, 'page.html')}\n`);
  });

  it('a metric that no run has: is refused, with the one that was meant', async () => {
    const { code, stderr } = await history(twelveNights().folder, { metric: ['latency.downlaod'] });
    expect(code).toBe(2);
    expect(stderr).toBe('no run has a series of latency.downlaod; did you mean "latency.download"?\n');
  });

  it('what has no runs: is refused, with the suites that have', async () => {
    const { folder } = twelveNights();
    expect(await history(folder, { suite: 'daily' })).toEqual({
      code: 2,
      stdout: '',
      stderr: 'there are no runs of daily; name a suite, or the folder of its runs: results/nightly\n',
    });
    writeFileSync(join(folder, 'nightly.yaml'), '');
    const file = await history(folder, { suite: 'nightly.yaml' });
    expect(file.stderr).toBe('nightly.yaml is a file; name a suite, or the folder of its runs: results/nightly\n');
  });

  it('a run: is refused, with the folder of its suite', async () => {
    const folder = freshFolder();
    const suite = storeRun(join(folder, 'results'), 'first', '2026-01-01T00:00:00.000Z');
    const { code, stderr } = await history(folder, { suite: join(suite, 'first') });
    expect(code).toBe(2);
    expect(stderr).toContain(`is one run; name the folder of its suite: ${suite}\n`);
  });

  it('both outputs on standard output: are refused', async () => {
    expect((await history(twelveNights().folder, { json: true, csv: '-' })).code).toBe(2);
  });

  it('a damaged history: is refused with its line; a line that was deleted is made again', async () => {
    const folder = freshFolder();
    const suite = storeRun(join(folder, 'results'), 'first', '2026-01-01T00:00:00.000Z');
    storeRun(join(folder, 'results'), 'second', '2026-01-02T00:00:00.000Z');
    expect((await history(folder, { suite })).code).toBe(0);
    const file = join(suite, 'history.jsonl');
    const before = readFileSync(file, 'utf8');
    appendFileSync(file, '{}\n');
    const refused = await history(folder, { suite });
    expect([refused.code, refused.stdout]).toEqual([2, '']);
    expect(refused.stderr).toContain('history.jsonl:3:1: ');
    writeFileSync(file, before.slice(0, before.indexOf('\n') + 1));
    expect((await history(folder, { suite })).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  it('a stored baseline that cannot be read: is told, and the series are shown', async () => {
    const { folder, history: file } = twelveNights();
    writeFileSync(join(file, '..', 'baseline.json'), '{}');
    const { code, stdout, stderr } = await history(folder);
    expect(code).toBe(0);
    expect(stderr).toContain('baseline.json has no format version');
    expect(stdout).toContain('latency.total of fast');
  });
});
