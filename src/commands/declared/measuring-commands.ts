import { TARGET_KINDS } from '../../suite/kind.ts';
import { nothingNamed } from '../line/argument-fault.ts';
import { command, type DeclaredCommand, named } from '../line/command.ts';
import { EXIT_CODES, suiteSchemaOf, TABLE } from '../line/help-text.ts';
import {
  ArgumentFault,
  against,
  allowCommands,
  allowOrigin,
  allowOutside,
  choiceOf,
  flag,
  fleet,
  jsonEvents,
  numberOr,
  ofNewRun,
  optional,
  optionalText,
  out,
  overFleet,
  overrides,
  planned,
  quiet,
  required,
  requiredTexts,
  shard,
  suite,
  textOr,
  texts,
  vantage,
  yes,
} from '../line/options.ts';

const SUITE = ['a suite file', 'suite.yaml'] as const;

export const run = command({
  does: 'measure a suite and write its reports',
  // Optional, because a resumed run has its own.
  takes: { suite: optional(suite.describe) },
  options: {
    ...overrides,
    ...out,
    ...quiet,
    ...planned,
    ...allowOrigin,
    ...allowCommands,
    ...shard,
    ...ofNewRun,
    resume: optionalText(
      'resume a run that ended early: the folder of the run; suite and --set are those of the run',
      'results/demo/20261121T210000Z-7f3a',
    ),
    'resend-unknown': flag('with --resume: send requests without an answer once more; they may be charged twice'),
    ...overFleet,
    ...yes,
    ...jsonEvents,
  },
  wants: SUITE,
  examples: [
    ['$0 run demo', 'measure the built-in suite'],
    ['$0 run suite.yaml --set repeats=10', 'with another value for this run'],
  ],
  group: 'Measure',
  needsImages: true,
  check: ({ suite: file, resume, fleet: url, workers, ...others }) => {
    if (file === undefined && resume === undefined)
      throw new ArgumentFault(nothingNamed({ name: 'run', wants: SUITE }));
    if (url !== undefined) {
      if (workers === undefined) throw new Error('--fleet needs --workers');
      if (resume !== undefined)
        throw new Error('--resume cannot be used with --fleet: resume each shard on its machine');
      return true;
    }
    const needing = {
      '--workers': workers,
      '--key': others.key,
      '--leave-media': others.leaveMedia,
    };
    const [lone] = Object.entries(needing).find(([, given]) => given !== undefined && given !== false) ?? [];
    if (lone !== undefined) throw new Error(`${lone} needs --fleet`);
    return true;
  },
  about: () => `${TABLE}\n${EXIT_CODES}`,
});

export const work = command({
  does: 'measure a share of a suite, in step with the other workers of a fleet',
  takes: { suite },
  options: {
    fleet: fleet.fleet,
    name: optionalText('the name of this worker, its own in the fleet: --name eu-1', 'eu-1'),
    key: fleet.key,
    ...vantage,
    ...overrides,
    ...out,
    ...quiet,
    ...against,
    ...allowOutside,
    ...allowOrigin,
    ...yes,
  },
  wants: ['a suite file', 'suite.yaml --fleet nats://127.0.0.1:4222 --name eu-1'],
  examples: [
    ['$0 work s.yaml --fleet URL --name a', 'wait for a coordinator'],
    ['$0 work s.yaml --fleet URL --name b', 'a second worker'],
  ],
  needsImages: true,
  check: ({ fleet: url, name }) => {
    if (url === undefined || name === undefined) throw new Error('work needs --fleet and --name');
    return true;
  },
});

export const plan = command({
  does: 'show what a run would send; send nothing',
  takes: { suite },
  options: {
    ...overrides,
    ...out,
    ...planned,
    ...allowOrigin,
    ...shard,
    ...ofNewRun,
    bodies: flag('show one request of each variant: URL, headers, body'),
    json: flag('print takes, what rules can find, inputs (keys, variables, files) and cost as JSON lines'),
  },
  wants: SUITE,
  examples: [
    ['$0 plan demo', 'requests, cost, what the gate can detect'],
    ['$0 plan suite.yaml --bodies', 'one request of each variant in full'],
  ],
  group: 'Measure',
});

export const makeOneCall = command({
  does: 'make one call; show every request and timestamp; save the output',
  takes: { target: { ...required('provider/endpoint, or a target file'), completes: 'targets' } },
  options: {
    prompt: textOr('A red fox running through fresh snow', 'the prompt', '"A red fox"'),
    seed: numberOr(1, 'the seed', '7', { least: Number.MIN_SAFE_INTEGER }),
    image: texts('an input image; repeat it for more, in the order that they are sent', 'fox.png'),
    mask: optionalText('what of the first image may change: a PNG; white changes, black stays', 'mask.png'),
    'base-url': optionalText('call this server instead of the one in the target', 'https://api.example.com'),
    'download-origin': texts(
      'allow media from one more origin: --download-origin http://127.0.0.1:7002',
      'http://127.0.0.1:7002',
    ),
    set: texts('set a constant or an input of the target: --set model=fast', 'model=fast'),
    bodies: flag('show headers and bodies, without secrets'),
    'allow-outside': flag('allow the target to read files outside its folder'),
    out: textOr('.', 'the folder for the outputs, or the file of one: --out fox.png', 'results'),
  },
  wants: ['a target', 'reference/text-to-image'],
  examples: [
    ['$0 try reference/text-to-image', 'one call to the reference service'],
    ['$0 try ./my-target.yaml --bodies', 'with headers and bodies'],
  ],
  group: 'Measure',
  needsImages: true,
});

export const validate = command({
  does: 'check suite and target files; send nothing',
  takes: { files: requiredTexts('suite or target files') },
  options: {
    ...against,
    'allow-outside': flag('allow suites and targets to read files outside their folders: prompts, images, targets'),
    ...quiet,
  },
  wants: ['suite or target files', 'suite.yaml'],
  examples: [
    ['$0 validate suite.yaml', 'a suite, with the targets it names'],
    ['$0 validate suites/*.yaml --quiet', 'several files; print only what is wrong'],
  ],
  group: 'Measure',
  about: () => 'For completion and checks in an editor, begin a suite with this line:',
  copied: ({ program }) => `# yaml-language-server: $schema=${suiteSchemaOf(program).href}`,
});

export const targets = command({
  does: 'list the targets by kind; show which keys are set',
  takes: { name: { ...optional('filter by name; an exact name shows its file'), completes: 'targets' } },
  options: {
    kind: choiceOf(TARGET_KINDS, 'show only this kind', 'text-to-image'),
    check: flag('fail if a default model has ended or ends within 14 days; with an exact name, ask its provider too'),
  },
  wants: ['a name or a part of one', 'text-to-image'],
  examples: [
    ['$0 targets --kind text-to-video', 'the targets of one kind'],
    ['$0 targets reference/text-to-image', 'the file of one target'],
  ],
});

export const MEASURING_COMMANDS: readonly DeclaredCommand[] = [
  named('run', run, async (args, edge) => {
    const { resume, fleet: url, suite: file = '', workers = 0 } = args;
    if (url !== undefined) {
      const { fleetRunCommand } = await import('../fleet/fleet-run.ts');
      return fleetRunCommand({ ...args, fleet: url, workers, suite: file }, edge);
    }
    const { resumeCommand, runCommand } = await import('../measuring/run.ts');
    return resume === undefined ? runCommand({ ...args, suite: file }, edge) : resumeCommand({ ...args, resume }, edge);
  }),
  named('work', work, async ({ fleet: url = '', name = '', ...args }, edge) =>
    (await import('../fleet/work.ts')).workCommand({ ...args, fleet: url, name }, edge),
  ),
  named('plan', plan, async (args, edge) => (await import('../measuring/plan.ts')).planCommand(args, edge)),
  named('try', makeOneCall, async (args, edge) => (await import('../measuring/try.ts')).tryCommand(args, edge)),
  named('validate', validate, async (args, edge) =>
    (await import('../measuring/validate.ts')).validateCommand(args, edge),
  ),
  named('targets', targets, async (args, edge) => (await import('../measuring/targets.ts')).targetsCommand(args, edge)),
];
