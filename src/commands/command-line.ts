import { pathToFileURL } from 'node:url';
import yargs, { type Argv } from 'yargs';
import { KINDS, type Kind } from '../suite/format/kind.ts';
import { visibleLine } from '../text/visible.ts';
import { type Edge, EXIT, type ExitCode, printSentence } from './edge.ts';
import { describeArgumentFault } from './line/argument-fault.ts';
import type { CompletedOption } from './line/completion.ts';
import { EXAMPLES } from './line/examples.ts';
import { EXIT_CODES, FIRST_STEPS, TABLE } from './line/help-text.ts';
import {
  against,
  allowOrigin,
  allowOutside,
  last,
  looks,
  number,
  optionalText,
  out,
  overrides,
  quiet,
  shard,
  suite,
  suiteOfRun,
  text,
} from './line/options.ts';
import { ASKS } from './line/shells.ts';
import { type Chosen, type Declaring, declareRecordCommands } from './record-commands.ts';
import { declareToolCommands } from './tool-commands.ts';

/** Loads only the command that is named. Wrong arguments are one sentence on standard error and exit code 2. */
export async function runCommandLine(args: readonly string[], version: string, edge: Edge): Promise<ExitCode> {
  if (args[0] === ASKS) return complete(args.slice(1), edge);
  const read = await readCommandLine(args, version, edge);
  if (typeof read === 'function') return read();
  const { output, fault } = read;
  if (fault !== null) {
    printSentence(edge.err, `retake: ${visibleLine(fault)}`);
    return EXIT.misuse;
  }
  edge.out.write(`${output}\n`);
  return EXIT.ok;
}

export async function readCommandLine(
  args: readonly string[],
  version: string,
  edge: Edge,
): Promise<Chosen | { readonly output: string; readonly fault: string | null }> {
  const chosen: Chosen[] = [];
  const options: string[] = [];
  let output = '';
  try {
    await declare(
      edge,
      args.some((arg) => arg === '--help' || arg === '-h'),
      (choice) => chosen.push(choice),
      (offered) => options.push(...Object.keys(offered)),
    )
      .version('version', 'show the version', version)
      .parseAsync([...args], {}, (_error, _argv, text) => {
        output = text;
      });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // Only the command in the arguments has declared its options.
    const command = options.length > 0 ? (args[0] ?? null) : null;
    return { output, fault: describeArgumentFault(message, args, { command, options }) };
  }
  const [command] = chosen;
  return command !== undefined && output === '' ? command : { output, fault: null };
}

/** Prints what the last word can become, one candidate per line, for a shell. */
async function complete(words: readonly string[], edge: Edge): Promise<ExitCode> {
  const { candidates } = await import('./line/completion.ts');
  const optionsOf = async (command: string) => {
    let options: Readonly<Record<string, CompletedOption>> = {};
    const offer = (offered: typeof options) => {
      options = offered;
    };
    try {
      await declare(edge, false, () => {}, offer).parseAsync([command], {}, () => {});
    } catch {
      // The user has not typed its arguments yet.
    }
    return options;
  };
  const suiteSchema = suiteSchemaOf(edge);
  for (const each of await candidates(words, { commands: Object.keys(EXAMPLES), optionsOf, suiteSchema }, edge.cwd))
    edge.out.write(`${each}\n`);
  return EXIT.ok;
}

function suiteSchemaOf({ program }: Pick<Edge, 'program'>): URL {
  return new URL('../suites/suite.schema.json', pathToFileURL(program));
}

function hasSuite({ suite, resume }: { readonly suite?: string | undefined; readonly resume?: unknown }): true {
  if (suite === undefined && resume === undefined)
    throw new Error('Not enough non-option arguments: got 0, need at least 1');
  return true;
}

/** `choose` gets the command in the arguments; `offer` its options, before the arguments are checked. */
function declare(
  edge: Edge,
  help: boolean,
  choose: (command: Chosen) => void,
  offer: (options: Readonly<Record<string, CompletedOption>>) => void,
): Argv {
  const offered: Declaring['offered'] = (options) => {
    offer(options);
    return options;
  };
  const helpColumns = Math.min(100, edge.out.width);
  const schemaLine = `# yaml-language-server: $schema=${suiteSchemaOf(edge).href}`;
  const measuring = yargs()
    .scriptName('retake')
    .usage('$0 <command>\n\nBenchmarks and compares generative-media models behind HTTP APIs.')
    .locale('en')
    .parserConfiguration({ 'boolean-negation': false, 'dot-notation': false })
    .command(
      'run [suite]',
      'measure a suite and write its reports',
      (y) =>
        y
          .example(EXAMPLES.run)
          .positional('suite', suiteOfRun)
          .check(hasSuite)
          .options(
            offered({
              ...overrides,
              ...out,
              ...quiet,
              ...looks,
              ...against,
              ...allowOutside,
              ...allowOrigin,
              shard,
              run: {
                ...optionalText,
                describe: 'the name of the run, also of its folder; the same for all shards of a run',
                defaultDescription: 'its UTC time and 4 random digits',
              },
              label: {
                ...optionalText,
                describe: 'a text that tells this run from others, such as a place or a build: --label eu-west',
              },
              resume: {
                ...optionalText,
                describe: 'resume a run that ended early: the folder of the run; suite and --set are those of the run',
              },
              'resend-unknown': {
                type: 'boolean',
                default: false,
                describe: 'with --resume: send requests without an answer once more; they may be charged twice',
              },
              yes: {
                type: 'boolean',
                default: false,
                describe: 'start without a question, also above a cost of 1 USD',
              },
              'dry-run': { type: 'boolean', default: false, describe: 'print the plan; send nothing' },
              json: { type: 'boolean', default: false, describe: 'print events as JSON lines' },
            } as const),
          )
          .epilogue(`${TABLE}\n${EXIT_CODES}`),
      (a) =>
        choose(async () => {
          const { resume, suite = '' } = a;
          if (resume !== undefined) return (await import('./resume.ts')).resumeCommand({ ...a, resume }, edge);
          if (a.dryRun) return (await import('./plan.ts')).dryRunCommand({ ...a, suite }, edge);
          return (await import('./run.ts')).runCommand({ ...a, suite }, edge);
        }),
    )
    .command(
      'plan <suite>',
      'show what a run would send; send nothing',
      (y) =>
        y
          .example(EXAMPLES.plan)
          .positional('suite', suite)
          .options(
            offered({
              ...overrides,
              ...out,
              ...looks,
              ...against,
              ...allowOutside,
              shard,
              bodies: {
                type: 'boolean',
                default: false,
                describe: 'show one request of each variant: URL, headers, body',
              },
              json: {
                type: 'boolean',
                default: false,
                describe: 'print trials, throughput, inputs (keys, variables, files) and cost as JSON lines',
              },
            } as const),
          ),
      (a) => choose(async () => (await import('./plan.ts')).planCommand(a, edge)),
    )
    .command(
      'try <target>',
      'make one call; show every request and timestamp; save the output',
      (y) =>
        y
          .example(EXAMPLES.try)
          .positional('target', { type: 'string', demandOption: true, describe: 'provider/endpoint, or a target file' })
          .options(
            offered({
              prompt: { ...text, default: 'A red fox running through fresh snow', describe: 'the prompt' },
              seed: { ...number, default: 1, describe: 'the seed' },
              image: { ...optionalText, describe: 'an input image' },
              'base-url': { ...optionalText, describe: 'call this server instead of the one in the target' },
              'download-origin': {
                ...overrides.set,
                describe: 'allow media from one more origin: --download-origin http://127.0.0.1:7002',
              },
              set: { ...overrides.set, describe: 'set a constant or an input of the target: --set model=fast' },
              n: {
                ...number,
                default: 1,
                describe: 'the number of calls, one after another; above 1, a line for each, p50 and a contact sheet',
              },
              bodies: { type: 'boolean', default: false, describe: 'show headers and bodies, without secrets' },
              show: {
                type: 'boolean',
                default: false,
                describe: 'show small images of the outputs in the terminal: iTerm2, kitty, WezTerm',
              },
              'allow-outside': {
                ...allowOutside['allow-outside'],
                describe: 'allow the target to read files outside its folder',
              },
              out: { ...text, default: '.', describe: 'the folder for the outputs, or the file of one: --out fox.png' },
            } as const),
          ),
      (a) =>
        choose(async () => (await import('./try.ts')).tryCommand({ ...a, downloadOrigins: a.downloadOrigin }, edge)),
    )
    .command(
      'validate <files..>',
      'check suite and target files; send nothing',
      (y) =>
        y
          .example(EXAMPLES.validate)
          .positional('files', { type: 'string', array: true, demandOption: true, describe: 'suite or target files' })
          .options(
            offered({
              ...against,
              'allow-outside': {
                ...allowOutside['allow-outside'],
                describe: 'allow suites and targets to read files outside their folders: prompts, images, targets',
              },
              ...quiet,
            }),
          )
          .epilogue(`For completion and checks in an editor, begin a suite with this line:\n${schemaLine}`)
          // The line is for copying, so it is not wrapped.
          .wrap(Math.max(helpColumns, schemaLine.length)),
      (a) => choose(async () => (await import('./validate.ts')).validateCommand(a, edge)),
    )
    .command(
      'targets [name]',
      'list the targets by kind; show which keys are set',
      (y) =>
        y
          .example(EXAMPLES.targets)
          .positional('name', { type: 'string', describe: 'filter by name; an exact name shows its details' })
          .options(
            offered({
              kind: {
                type: 'string',
                nargs: 1,
                choices: KINDS,
                coerce: last<Kind | undefined>,
                describe: 'show only this kind',
              },
            } as const),
          ),
      (a) => choose(async () => (await import('./targets.ts')).targetsCommand(a, edge)),
    );
  const declaring = { edge, help, offered, choose };
  return declareToolCommands(declareRecordCommands(measuring, declaring), declaring)
    .demandCommand(1, 'name a command')
    .recommendCommands()
    .strict()
    .epilogue(FIRST_STEPS)
    .wrap(helpColumns)
    .help('help', 'show this help')
    .alias('help', 'h')
    .exitProcess(false)
    .fail((message, error) => {
      throw error ?? new Error(message);
    });
}
