import type { Argv } from 'yargs';
import { LEVELS, type Level } from '../media/compare/level.ts';
import { EXIT } from './edge.ts';
import { EXAMPLES } from './line/examples.ts';
import { init, last, number, optionalText, out, overrides, text } from './line/options.ts';
import { completionScript, SHELLS } from './line/shells.ts';
import type { Declaring } from './record-commands.ts';

export function declareToolCommands(commands: Argv, { edge, offered, choose }: Declaring): Argv {
  return commands
    .command(
      'inspect <a> <b>',
      'compare two images or videos',
      (y) =>
        y
          .example(EXAMPLES.inspect)
          .positional('a', { type: 'string', demandOption: true, describe: 'an image or video' })
          .positional('b', { type: 'string', demandOption: true, describe: 'another image or video' })
          .options(
            offered({
              json: { type: 'boolean', default: false, describe: 'print one JSON object' },
              'at-least': {
                type: 'string',
                nargs: 1,
                choices: LEVELS,
                coerce: last<Level | undefined>,
                describe: 'the lowest accepted level; exit code 1 below it',
              },
            } as const),
          ),
      (a) => choose(async () => (await import('./inspect.ts')).inspectCommand(a, edge)),
    )
    .command(
      'calibrate',
      'measure the noise floor of this machine',
      (y) =>
        y.example(EXAMPLES.calibrate).options(
          offered({
            ...out,
            json: { type: 'boolean', default: false, describe: 'print one JSON object' },
          } as const),
        ),
      (a) => choose(async () => (await import('./calibrate.ts')).calibrateCommand(a, edge)),
    )
    .command(
      'init [file]',
      'write a suite for your endpoint, or the CI file that runs a suite',
      (y) =>
        y
          .example(EXAMPLES.init)
          .positional('file', {
            ...text,
            default: 'suite.yaml',
            describe: 'the suite to write; with --ci, an existing suite is used',
          })
          .options(offered(init))
          .epilogue('On a terminal, init asks for each value that no option gives. It never overwrites a file.'),
      (a) => choose(async () => (await import('./init.ts')).initCommand(a, edge)),
    )
    .command(
      'serve',
      'start the reference service',
      (y) =>
        y.example(EXAMPLES.serve).options(
          offered({
            port: { ...number, default: 8787, describe: 'the port; 0 picks a free port' },
            host: {
              ...text,
              default: '127.0.0.1',
              describe: 'the IP address to listen on; by default, only this machine can connect',
            },
            'allow-host': {
              ...overrides.set,
              describe: 'accept one more host name in requests: --allow-host bench.example.com',
            },
            workers: { ...number, default: 1, describe: 'the number of sampling threads' },
            behaviour: { ...optionalText, describe: 'a YAML file of faults to inject' },
            embedded: { type: 'boolean', default: false, hidden: true },
          } as const),
        ),
      (a) => choose(async () => (await import('./serve.ts')).serveCommand(a, edge)),
    )
    .command(
      'completion [shell]',
      'print a script that completes commands, options and files in a shell',
      (y) =>
        y.example(EXAMPLES.completion).positional('shell', {
          choices: SHELLS,
          default: edge.env.SHELL?.endsWith('zsh') === true ? 'zsh' : 'bash',
          describe: 'the shell',
          defaultDescription: 'that of SHELL',
        }),
      (a) =>
        choose(async () => {
          edge.out.write(completionScript(a.shell === 'zsh' ? 'zsh' : 'bash'));
          return EXIT.ok;
        }),
    );
}
