import { type Dirent, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ownValue } from '../../kit/json.ts';
import { visibleLine } from '../../kit/visible.ts';
import { listTargets } from '../../run/declared-files.ts';
import { SHELLS } from './shells.ts';

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
 * What the last word can become. Folders end with a slash, so that a shell continues in them.
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
  // A shell reads each line as one candidate and prints it, so names with control characters are left out. A complete
  // word is left out too: `load.order=` continues with its values.
  return possible.filter(
    (word) => word.startsWith(current) && visibleLine(word) === word && !(word === current && word.endsWith('=')),
  );
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
    return (ownValue(POSITIONALS, command) ?? []).flatMap((source) => source(current, cwd));
  }
  if (option.choices !== undefined) return option.choices;
  if (name === 'set') return command === 'try' ? [] : settings(suiteSchema).filter(isNext(current));
  if (command === 'init' && name === 'target') return targetNames(current, cwd);
  return ownValue<CompletionSource>(VALUES, name)?.(current, cwd) ?? [];
}

/** Keys before `=`, values after it. */
function isNext(current: string): (setting: string) => boolean {
  return (setting) => current.includes('=') || setting.endsWith('=');
}

/** What the begun word can become. */
type CompletionSource = (begun: string, cwd: string) => readonly string[];

const files: CompletionSource = (begun, cwd) => listed(begun, cwd, () => true);
const suiteFiles: CompletionSource = (begun, cwd) => listed(begun, cwd, (name) => /\.ya?ml$/i.test(name));
/** A run's folder ends without a slash, because nothing in it is named. */
const folders: CompletionSource = (begun, cwd) =>
  listed(begun, cwd, () => false).map((folder) =>
    existsSync(resolve(cwd, folder, 'run.json')) ? folder.slice(0, -1) : folder,
  );
const targetNames: CompletionSource = (_begun, cwd) => listTargets(cwd).map(({ name }) => name);
const suitesWithRuns: CompletionSource = (_begun, cwd) =>
  entriesOf(join(cwd, 'results')).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));

const suites: readonly CompletionSource[] = [() => ['demo'], suiteFiles];
const runs: readonly CompletionSource[] = [folders];
const pastSuites: readonly CompletionSource[] = [suitesWithRuns, folders];

/** By name of the command. */
const POSITIONALS: Readonly<Record<string, readonly CompletionSource[]>> = {
  run: suites,
  work: suites,
  plan: suites,
  try: [targetNames, suiteFiles],
  validate: [suiteFiles],
  targets: [targetNames],
  report: runs,
  score: runs,
  vote: runs,
  merge: runs,
  gate: runs,
  baseline: runs,
  compare: runs,
  history: pastSuites,
  view: runs,
  prune: pastSuites,
  inspect: [files],
  init: [suiteFiles],
  serve: [],
  fleet: [() => ['keys']],
  completion: [() => SHELLS],
};

const FILE_OPTIONS = [
  ...['against', 'baseline', 'behaviour', 'csv', 'export', 'from', 'html', 'image', 'import', 'key', 'mask'],
  'server-files',
];

/** By name of the option. */
const VALUES: Readonly<Record<string, CompletionSource>> = {
  resume: folders,
  out: folders,
  suite: suiteFiles,
  ...Object.fromEntries(FILE_OPTIONS.map((name) => [name, files])),
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

function listed(begun: string, cwd: string, isWanted: (name: string) => boolean): readonly string[] {
  const folder = begun.slice(0, begun.lastIndexOf('/') + 1);
  const start = begun.slice(folder.length);
  return entriesOf(resolve(cwd, folder)).flatMap((entry) => {
    if (!entry.name.startsWith(start) || (entry.name.startsWith('.') && start === '')) return [];
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : [`${folder}${entry.name}/`];
    return isWanted(entry.name) ? [folder + entry.name] : [];
  });
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}
