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
  'a folder of 100 runs is one list, and reading it all again and again takes no more memory',
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
    expect(first.body.match(/class="name"/g)).toHaveLength(RUNS);
    expect(firstMs).toBeLessThan(5000);
    const readAll = async (): Promise<void> => {
      await ask(viewer.url, '/');
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
