import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { type Frame, HAS_PSEUDO_TERMINAL, ROWS, startInTerminal } from '../fixtures/pseudo-terminal.ts';
import { type ServedService, serveHere } from '../fixtures/retake-process.ts';

/* A run in a terminal of 80 x 24, as somebody who sits at it sees it. */

/** Each call takes long enough to be seen in flight, and none has to be drawn twice. */
const RULES = ['{ latency: { constant: 150ms } }', '{ cached: {} }'];

let service: ServedService;
beforeAll(async () => {
  service = await serveHere(RULES);
});
afterAll(() => service.close());

/** Starts `retake` in a terminal, with the address and key of the service. */
const start = (args: readonly string[], cwd: string, env: Readonly<Record<string, string | undefined>> = {}) =>
  startInTerminal(args, cwd, { ...service.env, ...env });

const HIDE_CURSOR = '\u001b[?25l';
const SHOW_CURSOR = '\u001b[?25h';
const CTRL_C = '\u0003';
const CTRL_Z = '\u001a';

/** Thirty variants, one with a name as long as names get; more than the terminal has lines. */
function folderOf(repeats: number, count = 30): string {
  const folder = freshFolder();
  const variants = Array.from(
    { length: count },
    (_, at) =>
      `  v${at}${at === 7 ? `-${'long'.repeat(20)}` : ''}: { target: reference/text-to-image, const: { model: fast-lcm } }`,
  );
  const suite = `suite: 1
name: terminal
variants:
${variants.join('\n')}
prompts: [A red fox]
repeats: ${repeats}
load: { warmup: 0, concurrency: 2 }
reports: [html]
`;
  writeFileSync(`${folder}/suite.yaml`, suite);
  return folder;
}

const HEAD = /^\d+ \/ \d+ requests?, [1-9]\d* in flight/;

function isProgress({ lines }: Frame): boolean {
  return lines.some((line) => HEAD.test(line));
}

describe.skipIf(!HAS_PSEUDO_TERMINAL)('a run on a terminal', () => {
  it('a run on a terminal of 80 x 24 draws its progress in place, within its lines and columns, and hides the cursor meanwhile', async () => {
    const terminal = start(['run', 'suite.yaml'], folderOf(1));
    expect(await terminal.ended).toBe(0);
    const frames = terminal.frames().filter(isProgress);
    expect(frames.length).toBeGreaterThan(5);
    for (const { lines, wrapped } of frames) {
      const from = lines.findIndex((line) => HEAD.test(line));
      expect(wrapped.filter((at) => at >= from)).toEqual([]);
      expect(lines.filter((line) => HEAD.test(line))).toHaveLength(1);
      expect(lines.filter((line) => /^ {2}\d+ more: \d+ done, \d+ not yet$/.test(line))).toHaveLength(1);
      expect(lines.filter((line) => /^ {2}v\d+/.test(line)).length).toBeLessThan(ROWS - 2);
    }
    const scrolled = frames.map((frame) => frame.scrolled);
    expect(scrolled.at(-1)).toBe(scrolled[0]);
    expect(terminal.transcript().filter((line) => / more: \d+ done/.test(line))).toEqual([]);
    const sent = terminal.sent();
    expect(sent).toContain(HIDE_CURSOR);
    expect(sent.lastIndexOf(SHOW_CURSOR)).toBeGreaterThan(sent.lastIndexOf(HIDE_CURSOR));
    expect(terminal.transcript().join('')).toMatch(/Report: .*report\.html$/);
    expect(terminal.transcript().join(' ')).toMatch(
      /to follow this run in a browser: +retake view results\/\S+\/\d{8}T/,
    );
  });

  it.each([
    ['NO_COLOR', { NO_COLOR: '1' }],
    ['CI', { CI: 'true' }],
  ])('a run on a terminal writes plain lines where %s is set', async (_, env) => {
    const terminal = start(['run', 'suite.yaml'], folderOf(1, 3), env);
    expect(await terminal.ended).toBe(0);
    expect(terminal.sent()).not.toContain(HIDE_CURSOR);
    expect(terminal.sent()).not.toContain('\u001b[1A');
    expect(terminal.transcript().some((line) => line.startsWith('3 / 3 requests, 0 in flight'))).toBe(true);
  });

  it('a run on a terminal that is quiet writes nothing before its results', async () => {
    const terminal = start(['run', 'suite.yaml', '--quiet'], folderOf(1, 3));
    expect(await terminal.ended).toBe(0);
    expect(terminal.sent()).not.toContain(HIDE_CURSOR);
    expect(terminal.sent()).not.toMatch(/\d in flight, /);
  });

  it('a run on a terminal drains at the first Ctrl-C and says how to abort', async () => {
    const terminal = start(['run', 'suite.yaml'], folderOf(20));
    await terminal.shows('p50');
    terminal.type(CTRL_C);
    expect(await terminal.ended).toBe(3);
    const text = terminal.transcript().join('\n');
    expect(text).toMatch(/INCOMPLETE {2}[^.]* have no result\. Why:\s+interrupted\./);
    expect(text).toContain('retake run --resume');
    const sent = terminal.sent();
    expect(sent.lastIndexOf(SHOW_CURSOR)).toBeGreaterThan(sent.lastIndexOf(HIDE_CURSOR));
  });

  it('a run on a terminal gives the screen back while it is suspended, and draws again below', async () => {
    const terminal = start(['run', 'suite.yaml'], folderOf(5, 3));
    await terminal.shows('p50');
    terminal.type(CTRL_Z);
    terminal.resume();
    expect(await terminal.ended).toBe(0);
    const sent = terminal.sent();
    expect(sent.indexOf(SHOW_CURSOR)).toBeLessThan(sent.lastIndexOf(HIDE_CURSOR));
    expect(sent.lastIndexOf(SHOW_CURSOR)).toBeGreaterThan(sent.lastIndexOf(HIDE_CURSOR));
    expect(terminal.transcript().filter((line) => HEAD.test(line))).toEqual([]);
    expect(terminal.transcript().join('\n')).toContain('/ 15 requests, 0 in flight');
  });

  it('a run on a terminal aborts at the second Ctrl-C, and still writes its report', async () => {
    const terminal = start(['run', 'suite.yaml'], folderOf(20));
    await terminal.shows('p50');
    terminal.type(CTRL_C);
    terminal.type(CTRL_C);
    expect(await terminal.ended).toBe(3);
    expect(terminal.transcript().join('')).toMatch(/Report: .*report\.html/);
    const sent = terminal.sent();
    expect(sent.lastIndexOf(SHOW_CURSOR)).toBeGreaterThan(sent.lastIndexOf(HIDE_CURSOR));
  });
});
