import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { startRetake } from '../fixtures/retake-process.ts';
import { storeRun } from '../fixtures/stored-suite.ts';
import { ask, served } from '../fixtures/viewer-process.ts';

const RUNS = 100;

/** What a process holds in memory, in bytes; proc(5). */
function residentBytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
}

test.skipIf(process.platform !== 'linux')(
  'a folder of 100 runs is listed in parts, and reading it all again and again takes no more memory',
  async () => {
    const cwd = freshFolder();
    const results = join(cwd, 'results');
    mkdirSync(results);
    let folder = '';
    for (let at = 0; at < RUNS; at += 1) {
      const createdAt = new Date(Date.UTC(2026, 0, 1) + at * 86_400_000).toISOString();
      folder = storeRun(results, `run-${at}`, createdAt, { examined: true });
    }
    const suite = folder.slice(results.length + 1);
    const viewer = await served(startRetake(['view', '--port', '0'], cwd));
    const began = performance.now();
    const first = await ask(viewer.url, '/');
    const firstMs = performance.now() - began;
    // The row of the suite leads to the latest one too.
    expect(first.body.match(/report\.html"/g)).toHaveLength(9);
    expect(first.body).toContain(`All ${RUNS} runs of ${suite}`);
    expect(firstMs).toBeLessThan(5000);
    const readAll = async (): Promise<void> => {
      for (let from = 0; from < RUNS; from += 50) {
        const { body } = await ask(viewer.url, `/suites/${suite}/?from=${from}`);
        expect(body.match(/report\.html"/g)).toHaveLength(50);
      }
      for (let at = 0; at < RUNS; at += 40) await ask(viewer.url, `/runs/${suite}/run-${at}/report.html`);
    };
    await readAll();
    const before = residentBytes(viewer.pid);
    for (let times = 0; times < 2; times += 1) await readAll();
    const after = residentBytes(viewer.pid);
    console.info(
      `first page ${Math.round(firstMs)} ms, ${Math.round(before / 1e6)} MB, then ${Math.round(after / 1e6)} MB`,
    );
    expect(after).toBeLessThan(500 * 1024 * 1024);
    expect((await viewer.close()).code).toBe(0);
  },
  180_000,
);
