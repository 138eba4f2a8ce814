import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownValue } from '../../kit/json.ts';
import { visibleLine } from '../../kit/visible.ts';
import { listTargets } from '../../run/declared-files.ts';

export interface CompletedOption {
  readonly type?: string;
  readonly choices?: readonly string[];
  readonly hidden?: boolean;
}

interface Completed {
  readonly commands: readonly string[];
  readonly optionsOf: (command: string) => Promise<Readonly<Record<string, CompletedOption>>>;
  readonly suiteSchema: URL;
}

/**
 * What the last word can become. Where there is nothing, the shell completes files.
 * @param words typed after the name of the program; the last one may be empty
 */
export async function candidates(
  words: readonly string[],
  completed: Completed,
  cwd: string,
): Promise<readonly string[]> {
  const current = words.at(-1) ?? '';
  const [command, ...before] = words.slice(0, -1);
  const possible = await (command === undefined
    ? firstWords(current, completed)
    : nextWords(command, before, current, completed, cwd));
  // A shell reads each line as one candidate and prints it, so names with control characters are left out.
  return possible.filter((word) => word.startsWith(current) && visibleLine(word) === word);
}

function firstWords(current: string, { commands }: Completed): readonly string[] {
  return current.startsWith('-') ? ['--help', '--version'] : commands;
}

async function nextWords(
  command: string,
  before: readonly string[],
  current: string,
  { optionsOf, suiteSchema }: Completed,
  cwd: string,
): Promise<readonly string[]> {
  const options = await optionsOf(command);
  if (current.startsWith('-')) {
    return [
      ...Object.entries(options).flatMap(([name, { hidden }]) => (hidden === true ? [] : [`--${name}`])),
      '--help',
    ];
  }
  const name = /^--?(.+)$/.exec(before.at(-1) ?? '')?.[1] ?? '';
  const option = options[name];
  if (option === undefined || option.type === 'boolean') {
    if (command === 'fleet' && before.includes('keys')) return [];
    return ownValue(POSITIONALS, command)?.(cwd) ?? [];
  }
  if (option.choices !== undefined) return option.choices;
  if (name === 'set') return command === 'try' ? [] : settings(suiteSchema);
  return command === 'init' && name === 'target' ? targetNames(cwd) : [];
}

type CompletionSource = (cwd: string) => readonly string[];

const targetNames: CompletionSource = (cwd) => listTargets(cwd).map(({ name }) => name);
const suitesWithRuns: CompletionSource = (cwd) => {
  try {
    const entries = readdirSync(join(cwd, 'results'), { withFileTypes: true });
    return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  } catch {
    return [];
  }
};

/** By name of the command. */
const POSITIONALS: Readonly<Record<string, CompletionSource>> = {
  try: targetNames,
  targets: targetNames,
  history: suitesWithRuns,
  prune: suitesWithRuns,
  fleet: () => ['keys'],
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
