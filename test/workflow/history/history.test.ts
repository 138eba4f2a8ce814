import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checked } from '../../../src/kit/diagnostic.ts';
import type { HistoryLine } from '../../../src/record/kept-run.ts';
import { keepHistory, loadHistory } from '../../../src/workflow/history.ts';
import { freshFolder } from '../../fixtures/fresh-folder.ts';
import { memoryEdge } from '../../fixtures/memory-edge.ts';
import { storeRun } from '../../fixtures/stored-suite.ts';

function linesIn(suite: string): readonly HistoryLine[] {
  const text = readFileSync(join(suite, 'history.jsonl'), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

function load(suite: string, edge = memoryEdge(suite)) {
  return loadHistory(suite, edge);
}

describe('the history of a suite', () => {
  it('a missing file or line: is made again from the records, and appended once', async () => {
    const results = freshFolder();
    const suite = storeRun(results, 'second', '2026-01-02T00:00:00.000Z');
    storeRun(results, 'first', '2026-01-01T00:00:00.000Z');
    const made = await load(suite);
    expect(made.map(({ run, complete }) => [run, complete])).toEqual([
      ['first', true],
      ['second', true],
    ]);
    expect(made[0]?.variants[1]?.meanLn['latency.total']).toBeGreaterThan(0);
    expect(linesIn(suite)).toEqual(made);
    storeRun(results, 'third', '2026-01-03T00:00:00.000Z');
    expect((await load(suite)).map(({ run }) => run)).toEqual(['first', 'second', 'third']);
    expect(await load(suite)).toEqual(linesIn(suite));
    expect(linesIn(suite)).toHaveLength(3);
  });

  it('a run that another process writes, and one that cannot be read: are left out, the latter with a sentence', async () => {
    const results = freshFolder();
    const suite = storeRun(results, 'first', '2026-01-01T00:00:00.000Z');
    storeRun(results, 'running', '2026-01-02T00:00:00.000Z');
    writeFileSync(join(suite, 'running', 'lock'), `${process.pid}\n`);
    storeRun(results, 'damaged', '2026-01-03T00:00:00.000Z');
    writeFileSync(join(suite, 'damaged', 'journal.jsonl'), 'rubbish\n');
    const edge = memoryEdge(suite);
    expect((await load(suite, edge)).map(({ run }) => run)).toEqual(['first']);
    expect(edge.stderr()).toMatch(/^left out of the history: .*damaged cannot be read\n$/);
  });

  it('a line that is written twice: counts once, by the later one; a torn last line is dropped', async () => {
    const results = freshFolder();
    const suite = storeRun(results, 'first', '2026-01-01T00:00:00.000Z');
    const [line] = await load(suite);
    if (line === undefined) throw new Error('no line');
    appendFileSync(join(suite, 'history.jsonl'), '{"format":1,"ru');
    keepHistory(join(suite, 'first'), { ...line, verdict: 'fail' }, memoryEdge(suite));
    expect(linesIn(suite)).toHaveLength(2);
    expect(await load(suite)).toEqual([{ ...line, verdict: 'fail' }]);
  });

  it('a hostile line: is refused with file, line and field', async () => {
    const suite = storeRun(freshFolder(), 'first', '2026-01-01T00:00:00.000Z');
    const [line] = await load(suite);
    const file = join(suite, 'history.jsonl');
    writeFileSync(file, `${JSON.stringify(line)}\n${JSON.stringify({ ...line, variants: [{ variant: 3 }] })}\n`);
    const refused = await checked(() => load(suite));
    if (refused.ok) throw new Error('a hostile line was read');
    expect(refused.diagnostics[0]).toMatchObject({
      place: { file, line: 2 },
      cause: 'variants[0].variant must be a string, not 3',
      remedy: 'delete the line; `retake history` makes it again from its run',
    });
  });

  it('a folder that cannot be written to: is told, and the run goes on', () => {
    const edge = memoryEdge('/');
    const file = join(freshFolder(), 'file');
    writeFileSync(file, '');
    const line: HistoryLine = {
      format: 1,
      run: 'r',
      startedAt: '2026-01-01T00:00:00.000Z',
      suiteDigest: 'a'.repeat(64),
      complete: true,
      verdict: 'none',
      variants: [],
    };
    keepHistory(join(file, 'run'), line, edge);
    expect(edge.stderr()).toMatch(/^history\.jsonl was not written: cannot open .* \(ENOTDIR\)\n$/);
    expect(existsSync(join(file, 'history.jsonl'))).toBe(false);
  });
});
