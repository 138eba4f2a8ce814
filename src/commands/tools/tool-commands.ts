import yargs from 'yargs';
import { LEVELS } from '../../media/level.ts';
import { EXIT } from '../edge.ts';
import { command, type DeclaredCommand } from '../line/declare.ts';
import { choiceOf, init, jsonObject, required, textOr } from '../line/options.ts';

const inspect = command(
  'inspect',
  '<a> <b>',
  'compare two images or videos',
  (y, { offered }) =>
    y
      .positional('a', required('an image or video'))
      .positional('b', required('another image or video'))
      .options(
        offered({
          ...jsonObject,
          'at-least': choiceOf(LEVELS, 'the lowest accepted level; exit code 1 below it'),
        }),
      ),
  async (args, edge) => (await import('./inspect.ts')).inspectCommand(args, edge),
);

const writeSuite = command(
  'init',
  '[file]',
  'write a suite for your endpoint, or its CI file',
  (y, { offered }) =>
    y
      .positional('file', textOr('suite.yaml', 'the suite to write; with --ci, an existing suite is used'))
      .options(offered(init))
      .epilogue('On a terminal, init asks for each value that no option gives. It never overwrites a file.'),
  async (args, edge) => (await import('./init.ts')).initCommand(args, edge),
);

const completion = command(
  'completion',
  '',
  'print a script that completes commands and options in your shell (SHELL)',
  (y) => y,
  async (_args, { out }) => {
    const script = yargs().scriptName('retake').completion('completion');
    script.parse(['completion'], {}, (_error, _argv, text) => out.write(`${text}\n`));
    return EXIT.ok;
  },
);

export const TOOL_COMMANDS: readonly DeclaredCommand[] = [inspect, writeSuite, completion];
