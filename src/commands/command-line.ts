import yargs, { type Argv } from 'yargs';
import { NEEDS_ABSENT_PART } from '../workflow/workflow-edge.ts';
import { exitCodeOf } from './display/print.ts';
import { type Edge, EXIT, type ExitCode, type OptionalParts } from './edge.ts';
import { describeArgumentFault } from './line/argument-fault.ts';
import type { CompletedOption } from './line/completion.ts';
import type { Chosen, DeclaredCommand, Declaring } from './line/declare.ts';
import { arranged, EXAMPLES, FIRST_STEPS, shortHelp, WHAT_IT_IS } from './line/help-text.ts';
import { helpColumns, MEASURING_COMMANDS, suiteSchemaOf } from './measuring/measuring-commands.ts';
import { PRESENT } from './present-parts.ts';
import { RECORD_COMMANDS } from './records/record-commands.ts';
import { TOOL_COMMANDS } from './tools/tool-commands.ts';

const NAMES = Object.keys(EXAMPLES);

/** The commands of this build, in the order of help. */
export const COMMANDS: readonly DeclaredCommand[] = [
  ...MEASURING_COMMANDS,
  ...RECORD_COMMANDS,
  ...TOOL_COMMANDS,
  ...PRESENT.flatMap(({ commands }) => commands),
].sort((a, b) => NAMES.indexOf(a.name) - NAMES.indexOf(b.name));

/** The optional parts of this build. */
export const PARTS: OptionalParts = Object.assign({}, ...PRESENT);

/** The scripts of yargs put this before the typed words; those of bash and zsh begin with the program. */
export const ASKS = '--get-yargs-completions';

/** Loads only the command that is named. Wrong arguments are one sentence on standard error and exit code 2. */
export async function runCommandLine(args: readonly string[], version: string, edge: Edge): Promise<ExitCode> {
  if (args[0] === ASKS) return complete(args.slice(args[1]?.endsWith('retake') === true ? 2 : 1), edge);
  const [named = ''] = args;
  if (NAMES.includes(named) && !COMMANDS.some(({ name }) => name === named)) {
    edge.say(`retake ${named} ${NEEDS_ABSENT_PART}`);
    return EXIT.misuse;
  }
  if (args.length === 1 && isHelp(named)) {
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
  given: readonly string[],
  version: string,
  edge: Edge,
): Promise<Chosen | { readonly output: string; readonly fault: string | null }> {
  const all = given.findIndex((arg, at) => arg === 'all' && isHelp(given[at - 1]));
  const args = all < 0 ? given : given.toSpliced(all, 1);
  const chosen: Chosen[] = [];
  const options: string[] = [];
  let output = '';
  try {
    await declare(
      edge,
      args.some(isHelp) ? (all < 0 ? 'short' : 'all') : 'none',
      (choice) => chosen.push(choice),
      (offered) => options.push(...Object.keys(offered)),
    )
      .version('version', 'show the version', version)
      .parseAsync([...args], {}, (_error, _argv, text) => {
        output = text;
      });
  } catch (error) {
    const command = COMMANDS.find(({ name }) => name === args[0])?.name ?? null;
    return { output, fault: describeArgumentFault(error, args, { command, options }) };
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
      await declare(edge, 'none', () => {}, offer).parseAsync([command], {}, () => {});
    } catch {
      // The user has not typed its arguments yet.
    }
    return options;
  };
  const suiteSchema = suiteSchemaOf(edge);
  for (const candidate of await candidates(
    words,
    { commands: COMMANDS.map(({ name }) => name), optionsOf, suiteSchema },
    edge.cwd,
  ))
    edge.out.write(`${candidate}\n`);
  return EXIT.ok;
}

/** `choose` gets the command in the arguments; `offer` its options, before the arguments are checked. */
function declare(
  edge: Edge,
  asked: 'none' | 'short' | 'all',
  choose: (command: Chosen) => void,
  offer: (options: Readonly<Record<string, CompletedOption>>) => void,
): Argv {
  const help = asked !== 'none';
  const offered: Declaring['offered'] = (options) => {
    offer(options);
    if (!help) return options;
    const shown = arranged(options, asked === 'all');
    const hidden = Object.values(shown).filter((option) => 'hidden' in option).length;
    if (hidden > 0) named.describe('help', `show this help; --help all shows ${hidden} more options`);
    return shown;
  };
  const named = yargs()
    .scriptName('retake')
    .usage(`$0 <command>\n\n${WHAT_IT_IS}`)
    .locale('en')
    .parserConfiguration({ 'boolean-negation': false, 'dot-notation': false });
  return COMMANDS.reduce((all, command) => command.declare(all, { edge, help, offered, choose }), named)
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
    });
}
