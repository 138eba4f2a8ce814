import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { visibleLine } from '../../kit/visible.ts';
import { listTargets } from '../../run/declared-files.ts';
import type { Edge } from '../edge.ts';
import type { DeclaredCommand } from './command.ts';
import { suiteSchemaOf } from './help-text.ts';
import type { Completes, Positional } from './options.ts';

/**
 * What the last word can become. Where there is nothing, the shell completes files.
 * @param words typed after the name of the program; the last one may be empty
 */
export function candidates(
  words: readonly string[],
  commands: readonly DeclaredCommand[],
  edge: Where,
): readonly string[] {
  const current = words.at(-1) ?? '';
  const [named, ...before] = words.slice(0, -1);
  const possible =
    named === undefined
      ? firstWords(current, commands)
      : nextWords(
          commands.find(({ name }) => name === named),
          before,
          current,
          edge,
        );
  // A shell reads each line as one candidate and prints it, so names with control characters are left out.
  return possible.filter((word) => word.startsWith(current) && visibleLine(word) === word);
}

type Where = Pick<Edge, 'cwd' | 'program'>;

function firstWords(current: string, commands: readonly DeclaredCommand[]): readonly string[] {
  return current.startsWith('-') ? ['--help', '--version'] : commands.map(({ name }) => name);
}

function nextWords(
  { takes, options }: Pick<DeclaredCommand, 'takes' | 'options'> = { takes: {}, options: {} },
  before: readonly string[],
  current: string,
  edge: Where,
): readonly string[] {
  if (current.startsWith('-')) {
    const names = Object.entries(options).flatMap(([name, option]) => ('hidden' in option ? [] : [`--${name}`]));
    return [...names, '--help'];
  }
  const option = options[/^--?(.+)$/.exec(before.at(-1) ?? '')?.[1] ?? ''];
  if (option?.type === 'string') return valuesOf(option, edge);
  const [first] = Object.values(takes);
  const words = first === undefined ? [] : valuesOf(first, edge);
  return before.some((word) => words.includes(word)) ? [] : words;
}

function valuesOf({ choices, completes }: Pick<Positional, 'choices' | 'completes'>, edge: Where): readonly string[] {
  if (choices !== undefined) return choices;
  return completes === undefined ? [] : SOURCES[completes](edge);
}

const SOURCES: Readonly<Record<Completes, (edge: Where) => readonly string[]>> = {
  targets: ({ cwd }) => listTargets(cwd).map(({ name }) => name),
  suites: ({ cwd }) => {
    try {
      const entries = readdirSync(join(cwd, 'results'), { withFileTypes: true });
      return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
    } catch {
      return [];
    }
  },
  settings: ({ program }) => settings(suiteSchemaOf(program)),
};

/** `repeats=`, `load.concurrency=`, and for few values `load.order=paired`. Empty if the schema cannot be read. */
function settings(schemaFile: URL): readonly string[] {
  const { properties = {} } = readSchema(schemaFile);
  return Object.entries(properties)
    .filter(([name]) => !LEFT_OUT.has(name))
    .flatMap(([name, schema]) =>
      schema.properties === undefined
        ? assignments(name, schema)
        : Object.entries(schema.properties).flatMap(([key, inner]) => assignments(`${name}.${key}`, inner)),
    );
}

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly enum?: readonly unknown[];
}

/** Not set on a command line: they make the suite, or have their own keys. */
const LEFT_OUT: ReadonlySet<string> = new Set(['$schema', 'suite', 'name', 'description', 'variants', 'prompts']);

function assignments(key: string, { enum: values = [] }: Schema): readonly string[] {
  return [`${key}=`, ...values.map((value) => `${key}=${String(value)}`)];
}

function readSchema(file: URL): Schema {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
}
