import { LEVELS } from '../../media/level.ts';
import { command, type DeclaredCommand, named } from '../line/command.ts';
import {
  choiceOf,
  init,
  jsonObject,
  listeningOn,
  numberOr,
  optionalText,
  required,
  requiredTexts,
  textOr,
  texts,
} from '../line/options.ts';

export const inspect = command({
  does: 'compare two images or videos',
  takes: { a: required('an image or video'), b: required('another image or video') },
  options: {
    ...jsonObject,
    'at-least': choiceOf(LEVELS, 'the lowest accepted level; exit code 1 below it', 'near'),
  },
  wants: ['two images or videos', 'a.png b.png'],
  examples: [
    ['$0 inspect a.png b.png', 'how equal two images are, and where they differ'],
    ['$0 inspect a.mp4 b.mp4 --json', 'the same of two videos, as JSON'],
  ],
  group: 'Look',
  needsImages: true,
});

export const writeSuite = command({
  does: 'write a suite for your endpoint, or its CI file',
  takes: {
    file: {
      type: 'string',
      default: 'suite.yaml',
      describe: 'the suite to write; with --ci, an existing suite is used',
    },
  },
  options: init,
  wants: ['the suite to write', 'suite.yaml'],
  examples: [
    ['$0 init', 'ask for each value, write suite.yaml'],
    ['$0 init suite.yaml --ci github', 'write the workflow that runs the suite'],
  ],
  group: 'Measure',
  about: () => 'On a terminal, init asks for each value that no option gives. It never overwrites a file.',
});

export const serve = command({
  does: 'start the reference service',
  takes: {},
  options: {
    ...listeningOn(8787),
    'allow-host': {
      ...texts('accept one more host name in requests: --allow-host bench.example.com', 'bench.example.com'),
      fits: (name: string) => /^[a-z0-9-]+(\.[a-z0-9-]+)*$/i.test(name),
      needs: 'a host name without port',
    },
    workers: numberOr(1, 'the number of sampling threads', '2', { least: 1, most: 64 }),
    behaviour: optionalText('a YAML file of faults to inject', 'faults.yaml'),
    embedded: { type: 'boolean', default: false, hidden: true },
  },
  examples: [
    ['$0 serve', 'listen on port 8787 of this machine'],
    ['$0 serve --behaviour faults.yaml', 'inject the faults of a file'],
  ],
  needsImages: true,
});

export const fleetKeys = command({
  does: 'write the keys of a fleet: one for each worker, and the configuration of nats-server',
  takes: {
    action: { ...required('what to write'), choices: ['keys'] },
    names: requiredTexts('the names of the workers: letters, digits, - and _'),
  },
  options: { out: textOr('.', 'the folder to write to', 'results') },
  wants: ['keys, and the workers of a fleet', 'keys eu-1 us-1'],
  examples: [
    ['$0 fleet keys eu-1 us-1', 'keys for two workers and the coordinator'],
    ['$0 fleet keys eu-1 --out keys', 'the same in another folder'],
  ],
  about: () => 'It never overwrites a file.',
});

const completion = command({
  does: 'print a script that completes commands and options in your shell (SHELL)',
  takes: {},
  options: {},
  examples: [
    ['source <($0 completion)', 'in this shell: bash or zsh'],
    ['$0 completion > ~/.zfunc/_retake', 'in zsh, with ~/.zfunc in fpath'],
  ],
});

export const TOOL_COMMANDS: readonly DeclaredCommand[] = [
  named('inspect', inspect, async (args, edge) => (await import('../tools/inspect.ts')).inspectCommand(args, edge)),
  named('init', writeSuite, async (args, edge) => (await import('../tools/init.ts')).initCommand(args, edge)),
  named('serve', serve, async (args, edge) => (await import('../service/serve.ts')).serveCommand(args, edge)),
  named('fleet', fleetKeys, async (args, edge) =>
    (await import('../fleet/fleet-keys.ts')).fleetKeysCommand(args, edge),
  ),
  named('completion', completion, async (_args, edge) =>
    (await import('../tools/completion.ts')).completionCommand(edge),
  ),
];
