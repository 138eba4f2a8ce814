import { pathToFileURL } from 'node:url';
import { TARGET_KINDS } from '../../suite/kind.ts';
import { NEEDS_ABSENT_PART } from '../../workflow/workflow-edge.ts';
import { type Edge, EXIT } from '../edge.ts';
import { ArgumentFault, nothingNamed } from '../line/argument-fault.ts';
import { command, type DeclaredCommand } from '../line/declare.ts';
import { EXIT_CODES, TABLE } from '../line/help-text.ts';
import {
  against,
  allowCommands,
  allowOrigin,
  choiceOf,
  flag,
  fleet,
  jsonEvents,
  named,
  numberOr,
  optionalNumber,
  optionalText,
  out,
  overrides,
  planned,
  quiet,
  required,
  requiredTexts,
  shard,
  suite,
  textOr,
  texts,
  yes,
} from '../line/options.ts';

export function suiteSchemaOf({ program }: Pick<Edge, 'program'>): URL {
  return new URL('../suites/suite.schema.json', pathToFileURL(program));
}

export function helpColumns({ out }: Pick<Edge, 'out'>): number {
  return Math.min(100, out.width);
}

const run = command(
  'run',
  '[suite]',
  'measure a suite and write its reports',
  (y, { offered }) =>
    y
      // Optional, because a resumed run has its own.
      .positional('suite', { type: 'string', describe: suite.describe })
      .check(hasSuite)
      .options(
        offered({
          ...overrides,
          ...out,
          ...quiet,
          ...planned,
          ...allowOrigin,
          ...allowCommands,
          shard,
          ...named,
          resume: optionalText(
            'resume a run that ended early: the folder of the run; suite and --set are those of the run',
          ),
          'resend-unknown': flag('with --resume: send requests without an answer once more; they may be charged twice'),
          ...fleet,
          workers: optionalNumber('with --fleet: how many workers to wait for; this process sends no request'),
          'by-vantage': flag('with --fleet: measure the whole plan from each vantage, in turn; a run for each'),
          'leave-media': flag('with --fleet: leave outputs with the workers; the report shows thumbnails'),
          ...yes,
          ...jsonEvents,
        }),
      )
      .check(fitsFleet)
      .epilogue(`${TABLE}\n${EXIT_CODES}`),
  async (args, edge) => {
    const { resume, suite: file = '' } = args;
    if (resume !== undefined) return (await import('./run.ts')).resumeCommand({ ...args, resume }, edge);
    if (args.fleet !== undefined) {
      const { runFleet } = edge.parts;
      if (runFleet !== undefined)
        return runFleet({ ...args, fleet: args.fleet, workers: args.workers ?? 0, suite: file }, edge);
      edge.say(`--fleet ${NEEDS_ABSENT_PART}`);
      return EXIT.misuse;
    }
    return (await import('./run.ts')).runCommand({ ...args, suite: file }, edge);
  },
);

/** Refuses options of a fleet without --fleet, and --resume with it. */
function fitsFleet({
  fleet: url,
  workers,
  resume,
  ...others
}: Partial<Record<'fleet' | 'workers' | 'key' | 'byVantage' | 'leaveMedia' | 'resume', unknown>>): true {
  if (url !== undefined) {
    if (workers === undefined) throw new Error('--fleet needs --workers');
    if (resume !== undefined) throw new Error('--resume cannot be used with --fleet: resume each shard on its machine');
    return true;
  }
  const needing = {
    '--workers': workers,
    '--key': others.key,
    '--by-vantage': others.byVantage,
    '--leave-media': others.leaveMedia,
  };
  const [lone] = Object.entries(needing).find(([, given]) => given !== undefined && given !== false) ?? [];
  if (lone !== undefined) throw new Error(`${lone} needs --fleet`);
  return true;
}

function hasSuite({ suite: named, resume }: { readonly suite?: string | undefined; readonly resume?: unknown }): true {
  if (named === undefined && resume === undefined) throw new ArgumentFault(nothingNamed('run'));
  return true;
}

const plan = command(
  'plan',
  '<suite>',
  'show what a run would send; send nothing',
  (y, { offered }) =>
    y.positional('suite', suite).options(
      offered({
        ...overrides,
        ...out,
        ...planned,
        ...allowOrigin,
        shard,
        ...named,
        vantages: numberOr(1, 'for run --by-vantage: the number of vantages; shows requests and cost of all'),
        bodies: flag('show one request of each variant: URL, headers, body'),
        json: flag('print takes, what rules can find, inputs (keys, variables, files) and cost as JSON lines'),
      }),
    ),
  async (args, edge) => (await import('./plan.ts')).planCommand(args, edge),
);

const makeOneCall = command(
  'try',
  '<target>',
  'make one call; show every request and timestamp; save the output',
  (y, { offered }) =>
    y.positional('target', required('provider/endpoint, or a target file')).options(
      offered({
        prompt: textOr('A red fox running through fresh snow', 'the prompt'),
        seed: numberOr(1, 'the seed'),
        image: texts('an input image; repeat it for more, in the order that they are sent'),
        mask: optionalText('what of the first image may change: a PNG; white changes, black stays'),
        'base-url': optionalText('call this server instead of the one in the target'),
        'download-origin': texts('allow media from one more origin: --download-origin http://127.0.0.1:7002'),
        set: texts('set a constant or an input of the target: --set model=fast'),
        n: numberOr(1, 'the number of calls, one after another; above 1, a line for each, and p50'),
        bodies: flag('show headers and bodies, without secrets'),
        'allow-outside': flag('allow the target to read files outside its folder'),
        out: textOr('.', 'the folder for the outputs, or the file of one: --out fox.png'),
      }),
    ),
  async (args, edge) => (await import('./try.ts')).tryCommand({ ...args, downloadOrigins: args.downloadOrigin }, edge),
);

const validate = command(
  'validate',
  '<files..>',
  'check suite and target files; send nothing',
  (y, { edge, offered }) => {
    const schemaLine = `# yaml-language-server: $schema=${suiteSchemaOf(edge).href}`;
    return (
      y
        .positional('files', requiredTexts('suite or target files'))
        .options(
          offered({
            ...against,
            'allow-outside': flag(
              'allow suites and targets to read files outside their folders: prompts, images, targets',
            ),
            ...quiet,
          }),
        )
        .epilogue(`For completion and checks in an editor, begin a suite with this line:\n${schemaLine}`)
        // The line is for copying, so it is not wrapped.
        .wrap(Math.max(helpColumns(edge), schemaLine.length))
    );
  },
  async (args, edge) => (await import('./validate.ts')).validateCommand(args, edge),
);

const targets = command(
  'targets',
  '[name]',
  'list the targets by kind; show which keys are set',
  (y, { offered }) =>
    y.positional('name', { type: 'string', describe: 'filter by name; an exact name shows its details' }).options(
      offered({
        kind: choiceOf(TARGET_KINDS, 'show only this kind'),
        check: flag(
          'fail if a default model has ended or ends within 14 days; with an exact name, ask its provider too',
        ),
      }),
    ),
  async (args, edge) => (await import('./targets.ts')).targetsCommand(args, edge),
);

export const MEASURING_COMMANDS: readonly DeclaredCommand[] = [run, plan, makeOneCall, validate, targets];
