import { createRequire } from 'node:module';
import type { ArgumentsCamelCase, Argv } from 'yargs';
import { type Edge, EXIT, type ExitCode, type OptionalParts, printSentence } from '../edge.ts';
import type { CompletedOption } from './completion.ts';
import { type CommandName, EXAMPLES } from './help-text.ts';

export type Chosen = () => Promise<ExitCode>;

export interface Declaring {
  readonly edge: Edge;
  /** True for --help: loads what only help shows. */
  readonly help: boolean;
  /** Receives a command's options before its arguments are checked, and returns them. */
  readonly offered: <const T extends Readonly<Record<string, CompletedOption>>>(options: T) => T;
  readonly choose: (command: Chosen) => void;
}

export interface DeclaredCommand {
  readonly name: CommandName;
  readonly does: string;
  readonly declare: (commands: Argv, declaring: Declaring) => Argv;
}

/** What a part that a run can do without adds; declared in `part.ts` of its folder. */
export interface OptionalPart extends OptionalParts {
  readonly commands: readonly DeclaredCommand[];
}

/**
 * One command of the command line.
 * @param takes what follows its name: `<run>`; empty: options only
 * @param declare its positionals and options
 * @param begin runs it; loads its module only then
 */
export function command<T>(
  name: CommandName,
  takes: string,
  does: string,
  declare: (y: Argv, declaring: Declaring) => Argv<T> | Promise<Argv<T>>,
  begin: (args: ArgumentsCamelCase<T>, edge: Edge) => Promise<ExitCode>,
): DeclaredCommand {
  return {
    name,
    does,
    declare: (commands, declaring) =>
      commands.command(
        `${name} ${takes}`.trim(),
        does,
        (y) => declare(y.example(EXAMPLES[name]), declaring),
        (args) => {
          const { choose, edge } = declaring;
          choose(async () => ((await hasImages(name, edge)) ? begin(args, edge) : EXIT.misuse));
        },
      ),
  };
}

/** Commands that decode, compare or make images; the others work without sharp. */
const OF_IMAGES: ReadonlySet<CommandName> = new Set([
  'run',
  'work',
  'try',
  'report',
  'score',
  'vote',
  'merge',
  'gate',
  'inspect',
  'serve',
]);

/**
 * Whether a command can work on this machine; if not, says why. npm counts the binary of sharp as optional, and without
 * it every output of a run would count as damaged.
 */
async function hasImages(command: CommandName, { err }: Pick<Edge, 'err'>): Promise<boolean> {
  if (!OF_IMAGES.has(command) || hasBinary()) return true;
  try {
    await import('sharp');
    return true;
  } catch (error) {
    // sharp names its package first, then errors other than "not found", then what may help.
    const [, why = ''] = error instanceof Error ? error.message.split('\n') : [];
    const cause = why === '' || why.startsWith('Possible') ? 'its binary for this machine is not installed' : why;
    const remedy = 'run npm install --include=optional in the folder that has node_modules';
    printSentence(
      err,
      `retake ${command} needs sharp, the package for images, which does not load: ${cause}; ${remedy}`,
    );
    return false;
  }
}

/** Does not load sharp: in the process that measures, it makes receiving images slower. */
function hasBinary(): boolean {
  const { resolve } = createRequire(import.meta.url);
  return ['', 'musl'].some((libc) => {
    try {
      const sharp = createRequire(resolve('sharp'));
      return sharp.resolve(`@img/sharp-${process.platform}${libc}-${process.arch}/sharp.node`) !== '';
    } catch {
      return false;
    }
  });
}
