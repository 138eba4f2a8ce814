import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { COMMANDS, readCommandLine, runCommandLine } from '../../../src/commands/command-line.ts';
import { EXAMPLES, TABLE } from '../../../src/commands/line/help-text.ts';
import { ASKS } from '../../../src/commands/line/shells.ts';
import { freshFolder } from '../../fixtures/fresh-folder.ts';
import { memoryEdge } from '../../fixtures/memory-edge.ts';
import { retakeHere } from '../../fixtures/retake-process.ts';

/** Of the commands of this build. */
const ALL = COMMANDS.flatMap(({ name: command }) =>
  EXAMPLES[command].map(([typed, what]) => ({ command, typed: typed.replaceAll('$0', 'retake'), what })),
);

/** What a shell gives the program of a line: without what the shell does with its output. */
function wordsOf(typed: string): readonly string[] {
  const line = /^source <\((.*)\)$/.exec(typed)?.[1] ?? typed.replace(/ > .*$/, '');
  return line.split(' ').slice(1);
}

describe('an example in the help', () => {
  it.each(ALL)(
    'an example in the help of $command is a command line that is accepted: $typed',
    async ({ command, typed }) => {
      const words = wordsOf(typed);
      expect(words[0]).toBe(command);
      const read = await readCommandLine(words, '1.0.0', memoryEdge(freshFolder()));
      expect(read).toBeTypeOf('function');
    },
  );

  it('an example in the help stands there, two for each command that the help lists', async () => {
    const wide = memoryEdge(freshFolder());
    const edge = { ...wide, out: { ...wide.out, width: 80 } };
    const help = async (...words: string[]) => {
      const read = await readCommandLine([...words, '--help'], '1.0.0', edge);
      return typeof read === 'function' ? '' : read.output;
    };
    const listed = [...(await help()).matchAll(/^ {2}retake (\w+)/gm)].map(([, name]) => name);
    expect(listed).toEqual(COMMANDS.map(({ name }) => name));
    for (const { command, typed, what } of ALL) {
      const text = (await help(command)).replaceAll(/\s+/g, ' ');
      expect(text).toContain(typed);
      expect(text).toContain(what);
    }
  });
});

describe('the first help', () => {
  it('the first help fits a terminal, and names each command once', async () => {
    const { stdout, code } = await retakeHere(['--help'], freshFolder());
    expect(code).toBe(0);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(24);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    const rows = lines.filter((line) => /^(?:\w+| +) {2,}\w/.test(line));
    const named = rows.flatMap((line) =>
      line.startsWith('More') ? line.slice(9).split(', ') : line.slice(9).split(' ')[0],
    );
    expect(named.toSorted()).toEqual(COMMANDS.map(({ name }) => name).toSorted());
  });

  it('the help of run shows 12 options, and with "all" every option', async () => {
    const optionsOf = async (...words: string[]) => {
      const { stdout } = await retakeHere(words, freshFolder());
      return [...stdout.matchAll(/^ {2,6}(?:-h, )?--([a-z-]+)/gm)].map(([, name]) => name);
    };
    const short = await optionsOf('run', '--help');
    expect(short.filter((name) => name !== 'help' && name !== 'version')).toHaveLength(12);
    const all = await optionsOf('run', '--help', 'all');
    expect(all).toEqual(expect.arrayContaining([...short, 'shard', 'fleet', 'allow-outside', 'allow-origin']));
    expect(new Set(all).size).toBe(short.length + 10);
    expect((await retakeHere(['--help', 'all'], freshFolder())).stdout).toContain('retake completion');
  });
});

it.each([
  'p50',
  'speed',
  'similar',
  'equal repeats',
  'errors',
  'blocked',
  'dropped',
  'cost each',
  'throughput',
  'knee',
])('the help of retake run explains the column %s of the table that a run ends with', (head) => {
  expect(TABLE).toMatch(new RegExp(`^ {2}${head}\\b`, 'm'));
});

it('the help of retake run about the table keeps to 80 columns', () => {
  expect(Math.max(...TABLE.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
});

interface Offered {
  /** What completes it in a folder of suites, media and runs. */
  readonly values: readonly string[];
  /** What is said where the value of an option is missing; null: it needs none. */
  readonly fault: string | null;
}

/** Of each command, and of each option: `score --from`. */
async function everythingOffered(): Promise<ReadonlyMap<string, Offered>> {
  const cwd = freshFolder();
  mkdirSync(join(cwd, 'results/demo/20260101T000000Z-1a2b'), { recursive: true });
  for (const name of ['suite.yaml', 'fox.png']) writeFileSync(join(cwd, name), '');
  const candidates = async (...words: string[]) => {
    const edge = memoryEdge(cwd);
    await runCommandLine([ASKS, ...words], '1.0.0', edge);
    return edge.stdout().split('\n').slice(0, -1);
  };
  const offered = new Map<string, Offered>();
  for (const { name } of COMMANDS) {
    offered.set(name, { values: await candidates(name, ''), fault: null });
    const example = wordsOf(EXAMPLES[name][0][0]);
    const named = example.slice(
      0,
      [...example, '-'].findIndex((word) => word.startsWith('-')),
    );
    for (const option of await candidates(name, '--')) {
      const read = await readCommandLine([...named, option], '1.0.0', memoryEdge(cwd));
      const fault = typeof read === 'function' ? null : read.fault;
      if (fault?.includes('needs a value') !== true) continue;
      offered.set(`${name} ${option}`, { fault, values: await candidates(name, option, '') });
    }
  }
  return offered;
}

describe('each option that takes a value', () => {
  let offered: ReadonlyMap<string, Offered>;
  beforeAll(async () => {
    offered = await everythingOffered();
  });

  it('each option that takes a value has an example, shown where the value is missing', () => {
    expect([...offered.keys()]).toEqual(expect.arrayContaining(['init --swap', 'history --metric', 'prune --keep']));
    expect([...offered.values()].filter(({ fault }) => fault?.endsWith(' VALUE') === true)).toEqual([]);
  });

  it('each option that takes a file, folder or choice is completed; what only its user knows is not', () => {
    const known = `allow-host allow-origin auth base-url const download-origin encoding fleet host in-use keep kind label metric
      model n name pairs path port prompt reply run secret seed set shard swap vantage vantages workers`;
    const nothing = [...offered].filter(([, { values }]) => values.length === 0).map(([of]) => of.replace(/.* --/, ''));
    expect([...new Set(nothing)].toSorted()).toEqual([...known.split(/\s+/), 'serve'].toSorted());
    expect(offered.get('work')?.values).toEqual(['demo', 'results/', 'suite.yaml']);
    expect(offered.get('score --suite')?.values).toEqual(['results/', 'suite.yaml']);
    for (const option of ['try --mask', 'work --key', 'vote --export']) {
      expect(offered.get(option)?.values).toEqual(['fox.png', 'results/', 'suite.yaml']);
    }
  });
});
