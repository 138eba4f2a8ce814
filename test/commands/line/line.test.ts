import { describe, expect, it } from 'vitest';
import { COMMANDS, readCommandLine } from '../../../src/commands/command-line.ts';
import { TABLE } from '../../../src/commands/line/help-text.ts';
import { freshFolder } from '../../fixtures/fresh-folder.ts';
import { memoryEdge } from '../../fixtures/memory-edge.ts';
import { retakeHere } from '../../fixtures/retake-process.ts';

const ALL = COMMANDS.flatMap(({ name: command, examples }) =>
  examples.map(([typed, what]) => ({ command, typed: typed.replaceAll('$0', 'retake'), what })),
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

  it('the help of run shows options that few need below the others', async () => {
    const { stdout } = await retakeHere(['run', '--help'], freshFolder());
    expect(stdout).toMatch(/\nOptions:\n.*--set .*\nTrust:\n.*--allow-outside .*\nOver machines:\n.*--fleet /s);
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
  'load',
])('the help of retake run explains the column %s of the table that a run ends with', (head) => {
  expect(TABLE).toMatch(new RegExp(`^ {2}${head}\\b`, 'm'));
});

it('the help of retake run about the table keeps to 80 columns', () => {
  expect(Math.max(...TABLE.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
});

it.each(COMMANDS)('what $name says where nothing is named is a command line that is accepted', async (command) => {
  const [, typed] = command.wants ?? ['', ''];
  const words = [command.name, ...typed.split(' ').filter((word) => word !== '')];
  expect(await readCommandLine(words, '1.0.0', memoryEdge(freshFolder()))).toBeTypeOf('function');
});

it('an option whose value is missing is answered with the example of its command', async () => {
  const faultOf = async (...words: string[]) => {
    const read = await readCommandLine(words, '1.0.0', memoryEdge(freshFolder()));
    return typeof read === 'function' ? null : read.fault;
  };
  for (const { name, options, wants = ['', ''] } of COMMANDS) {
    const [positionals = ''] = wants[1].split(' --');
    const words = [name, ...positionals.split(' ')].filter((word) => word !== '');
    for (const [option, declared] of Object.entries(options)) {
      if (declared.type === 'boolean') continue;
      const dashed = option.length === 1 ? `-${option}` : `--${option}`;
      expect(await faultOf(...words, dashed)).toBe(`${dashed} needs a value; write ${dashed} ${declared.example}`);
    }
  }
});
