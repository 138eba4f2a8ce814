import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { showProgress } from '../../src/commands/display/progress/show-progress.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { memoryEdge } from '../fixtures/memory-edge.ts';
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

/** By default more variants than the terminal has lines, one with a name as long as names get. */
function folderOf(repeats: number, count = 26, reports = 'csv'): string {
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
reports: [${reports}]
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
    expect(terminal.transcript().join(' ')).toMatch(
      /to follow this run in a browser: +retake view results\/\S+\/\d{8}T/,
    );
  });

  it('a run on a terminal writes plain lines where NO_COLOR is set', async () => {
    const terminal = start(['run', 'suite.yaml'], folderOf(1, 3), { NO_COLOR: '1' });
    expect(await terminal.ended).toBe(0);
    expect(terminal.sent()).not.toContain(HIDE_CURSOR);
    expect(terminal.sent()).not.toContain('\u001b[1A');
    expect(terminal.transcript().some((line) => line.startsWith('3 / 3 requests, 0 in flight'))).toBe(true);
  });

  it('a run on a terminal gives the screen back while it is suspended, draws again below, and ends with its report at Ctrl-C pressed twice', async () => {
    const terminal = start(['run', 'suite.yaml'], folderOf(200, 3, 'html'));
    const isDrawnAgain = () => {
      const given = terminal.sent().indexOf(SHOW_CURSOR);
      return given >= 0 && terminal.sent().lastIndexOf(HIDE_CURSOR) > given;
    };
    await terminal.shows('p50');
    terminal.type(CTRL_Z);
    terminal.resume();
    await expect.poll(isDrawnAgain).toBe(true);
    terminal.type(CTRL_C);
    terminal.type(CTRL_C);
    expect(await terminal.ended).toBe(3);
    const text = terminal.transcript().join('\n');
    expect(text).toMatch(/INCOMPLETE {2}[^.]* have no result\. Why:\s+interrupted\./);
    expect(text).toContain('retake run --resume');
    expect(terminal.transcript().join('')).toMatch(/Report: .*report\.html/);
    expect(terminal.transcript().filter((line) => HEAD.test(line))).toEqual([]);
    const sent = terminal.sent();
    expect(sent.lastIndexOf(SHOW_CURSOR)).toBeGreaterThan(sent.lastIndexOf(HIDE_CURSOR));
  });
});

it.each([
  ['1', false],
  ['', true],
])('the progress on a terminal is drawn in place, and not where CI is "%s"', async (CI, isDrawn) => {
  const edge = memoryEdge(freshFolder());
  const followed = { stopping: () => {}, block: () => ['of a run'], line: () => 'a line', event: () => ({}) };
  const err = { ...edge.err, interactive: true, colour: true };
  const display = await showProgress(followed, { ...edge, err, env: { CI } }, () => 0);
  display.say('a message');
  display.close();
  expect(edge.stderr()).toContain('a message');
  expect(edge.stderr().includes('of a run')).toBe(isDrawn);
});
