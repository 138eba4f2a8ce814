import yargs from 'yargs';
import { MEASURING_COMMANDS } from './declared/measuring-commands.ts';
import { RECORD_COMMANDS } from './declared/record-commands.ts';
import { TOOL_COMMANDS } from './declared/tool-commands.ts';
import { exitCodeOf } from './display/print.ts';
import { type Edge, EXIT, type ExitCode } from './edge.ts';
import { describeArgumentFault } from './line/argument-fault.ts';
import type { Chosen, DeclaredCommand } from './line/command.ts';
import { FIRST_STEPS, helpColumns, shortHelp, WHAT_IT_IS } from './line/help-text.ts';

/** In the order of help. */
export const COMMANDS: readonly DeclaredCommand[] = [...MEASURING_COMMANDS, ...RECORD_COMMANDS, ...TOOL_COMMANDS];

/** The scripts of yargs put this before the typed words. */
const COMPLETES = '--get-yargs-completions';

/** Loads only the command that is named. Wrong arguments are one sentence on standard error and exit code 2. */
export async function runCommandLine(args: readonly string[], version: string, edge: Edge): Promise<ExitCode> {
  if (args.length === 1 && isHelp(args[0])) {
    edge.out.write(`${shortHelp(COMMANDS)}\n`);
    return EXIT.ok;
  }
  const read = await readCommandLine(args, version, edge);
  if (typeof read === 'function') return exitCodeOf(read, edge);
  const { output, fault } = read;
  if (fault !== null) {
    edge.say(`retake: ${fault}`);
    return EXIT.misuse;
  }
  edge.out.write(`${output}\n`);
  return EXIT.ok;
}

function isHelp(arg: string | undefined): boolean {
  return arg === '--help' || arg === '-h';
}

export async function readCommandLine(
  args: readonly string[],
  version: string,
  edge: Edge,
): Promise<Chosen | { readonly output: string; readonly fault: string | null }> {
  const isHelped = args.some(isHelp);
  const isCompletion = args[0] === COMPLETES;
  const completions = isCompletion ? (await import('./line/completions.ts')).completionsIn(edge) : null;
  const read: DeclaredCommand[] = [];
  const chosen: Chosen[] = [];
  let output = '';
  const declaring = { edge, isHelped, completions, read, chosen };
  try {
    await COMMANDS.reduce(
      (declared, command) => command.declare(declared, declaring),
      // Completion reads the arguments again.
      yargs([...args])
        .scriptName('retake')
        .usage(`$0 <command>\n\n${WHAT_IT_IS}`)
        .locale('en')
        .parserConfiguration({ 'boolean-negation': false, 'dot-notation': false }),
    )
      .demandCommand(1, 'name a command')
      .recommendCommands()
      .strict()
      .epilogue(FIRST_STEPS)
      .wrap(helpColumns(edge))
      .help('help', 'show this help')
      .alias('help', 'h')
      .exitProcess(false)
      .fail((message, error) => {
        throw error ?? new Error(message);
      })
      .version('version', 'show the version', version)
      .parseAsync([...args], {}, (_error, _argv, text) => {
        output = text;
      });
  } catch (error) {
    return { output, fault: describeArgumentFault(error, args, read[0] ?? null) };
  }
  const [command] = chosen;
  return command !== undefined && output === '' ? command : { output, fault: null };
}
