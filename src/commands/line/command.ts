import { createRequire } from 'node:module';
import type { Argv, InferredOptionType, Options as YargsOptions } from 'yargs';
import { type Edge, EXIT, type ExitCode, printSentence } from '../edge.ts';
import { arranged, type GROUPS, helpColumns } from './help-text.ts';
import { type Completes, checkValues, type Option, type Positional } from './options.ts';

export type Chosen = () => Promise<ExitCode>;

type Positionals = Readonly<Record<string, Positional>>;
export type Options = Readonly<Record<string, Option>>;

interface CommandInputs<T, O> {
  readonly takes: T;
  readonly options: O;
}

/** For yargs: what is typed, with `$0` for the program, and what it does. */
type Example = readonly [typed: string, what: string];

/** All that the command line knows of a command but its name and how it is loaded. */
export interface CommandRecord<T = Positionals, O = Options> {
  readonly does: string;
  /** In order; by the names that help shows. */
  readonly takes: T;
  readonly options: O;
  /** What it takes in words, and that typed behind its name. */
  readonly wants?: readonly [what: string, typed: string];
  readonly examples: readonly [Example, Example];
  /** Its row of the first help; absent: the last, which only has names. */
  readonly group?: (typeof GROUPS)[number];
  /** Whether it decodes, compares or makes images; others work without sharp. */
  readonly needsImages?: boolean;
  /** Refuses arguments that exclude each other. */
  check?(args: ArgumentsOf<CommandInputs<T, O>>): true;
  /** The end of its help. */
  readonly about?: (edge: Edge) => string | Promise<string>;
  /** A line after that, for copying: help does not break it. */
  readonly copied?: (edge: Edge) => string;
}

/** What a command is called with: `allow-outside` as `allowOutside`. */
export type ArgumentsOf<C extends CommandInputs<unknown, unknown>> = WithOptional<{
  [K in keyof (C['takes'] & C['options']) as Camel<K>]: GivenOption<(C['takes'] & C['options'])[K]>;
}>;

type GivenOption<O> = O extends YargsOptions ? AsReadonly<InferredOptionType<O>> : never;

type AsReadonly<T> = T extends readonly (infer Each)[] ? readonly Each[] : T;

type Camel<K> = K extends `${infer First}-${infer Rest}` ? `${First}${Capitalize<Camel<Rest>>}` : K;

type WithOptional<T> = {
  readonly [K in keyof T as undefined extends T[K] ? K : never]?: T[K];
} & { readonly [K in keyof T as undefined extends T[K] ? never : K]: T[K] };

/** @returns the same: its arguments get their types from it */
export function command<const T extends Positionals, const O extends Options>(record: CommandRecord<T, O>) {
  return record;
}

export interface DeclaredCommand extends CommandRecord {
  readonly name: string;
  readonly declare: (commands: Argv, declaring: Declaring) => Argv;
}

interface Declaring {
  readonly edge: Edge;
  /** Whether help is asked for. */
  readonly isHelped: boolean;
  /** Null but where a shell asks what a word can become. */
  readonly completions: ((of: Completes) => readonly string[]) | null;
  /** Gets the command that is named, before its arguments are checked. */
  readonly read: DeclaredCommand[];
  readonly chosen: Chosen[];
}

/**
 * A command as yargs gets it.
 * @param begin runs it; loads its module only then
 */
export function named<T extends Positionals, O extends Options>(
  name: string,
  record: CommandRecord<T, O>,
  begin: (args: ArgumentsOf<CommandInputs<T, O>>, edge: Edge) => Promise<ExitCode>,
): DeclaredCommand {
  const words = Object.entries(record.takes).map(([take, { demandOption, array }]) => {
    const shown = array === true ? `${take}..` : take;
    return demandOption === true ? `<${shown}>` : `[${shown}]`;
  });
  /** yargs has made them as the record says, which the compiler cannot follow for any record. */
  const typed = (args: unknown) => args as ArgumentsOf<CommandInputs<T, O>>;
  const declared: DeclaredCommand = {
    ...record,
    name,
    declare: (commands, declaring) =>
      commands.command(
        [name, ...words].join(' '),
        record.does,
        (y) => {
          declaring.read.push(declared);
          y.check((args) => {
            checkValues(record.options, args);
            return record.check?.(typed(args)) ?? true;
          });
          return offer(y, declared, declaring);
        },
        (args) =>
          void declaring.chosen.push(async () => {
            if (record.needsImages === true && !(await hasImages(name, declaring.edge))) return EXIT.misuse;
            return begin(typed(args), declaring.edge);
          }),
      ),
  };
  return declared;
}

function offer(y: Argv, record: DeclaredCommand, { edge, isHelped, completions }: Declaring): Argv | Promise<Argv> {
  for (const [typed, what] of record.examples) y.example(typed, what);
  for (const [take, positional] of Object.entries(record.takes)) y.positional(take, positional);
  // What is hidden is not completed.
  y.options(arranged(record.options, isHelped || completions !== null));
  for (const [name, given] of Object.entries<Option | Positional>({ ...record.takes, ...record.options })) {
    if (completions !== null && 'completes' in given && given.completes) y.choices(name, completions(given.completes));
  }
  return isHelped ? explain(y, record, edge) : y;
}

/** What only help shows. */
async function explain(y: Argv, { about, copied }: DeclaredCommand, edge: Edge): Promise<Argv> {
  const line = copied?.(edge) ?? '';
  if (about !== undefined) y.epilogue([await about(edge), ...(line === '' ? [] : [line])].join('\n'));
  return y.wrap(Math.max(helpColumns(edge), line.length));
}

/**
 * Whether a command can work on this machine; if not, says why. npm counts the binary of sharp as optional, and without
 * it every output of a run would count as damaged.
 */
async function hasImages(command: string, { err }: Pick<Edge, 'err'>): Promise<boolean> {
  if (hasBinary()) return true;
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
