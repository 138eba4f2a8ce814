import type { ArgumentsCamelCase, Argv } from 'yargs';
import { type Edge, EXIT, type ExitCode, type OptionalParts } from '../../workflow/edge.ts';
import type { CompletedOption } from './completion.ts';
import { type CommandName, EXAMPLES } from './examples.ts';
import { hasImages } from './needs-images.ts';

export type Chosen = () => Promise<ExitCode>;

export interface Declaring {
  readonly edge: Edge;
  /** What only help shows is only loaded if true. */
  readonly help: boolean;
  /** Receives a command's options before its arguments are checked, and returns them. */
  readonly offered: <const T extends Readonly<Record<string, CompletedOption>>>(options: T) => T;
  readonly choose: (command: Chosen) => void;
}

export interface DeclaredCommand {
  readonly name: CommandName;
  readonly declare: (commands: Argv, declaring: Declaring) => Argv;
}

/** One of the parts that a run can do without: what its folder in `commands/` adds, in `part.ts`. */
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
