import { listTargets } from '../../prepare/target-files.ts';
import { visibleLine } from '../../text/visible.ts';
import { directories, files, suiteFiles, suitesWithRuns } from './path-candidates.ts';
import { SHELLS } from './script.ts';
import { settings } from './setting-candidates.ts';

/** An option of a command, as far as completion needs it. */
export interface CompletedOption {
  readonly type?: string;
  readonly choices?: readonly string[];
  readonly hidden?: boolean;
}

/** What the command line takes. */
export interface Completed {
  /** In the order they are offered. */
  readonly commands: readonly string[];
  /** The options of a command by name; empty where there is no such command. */
  readonly optionsOf: (command: string) => Promise<Readonly<Record<string, CompletedOption>>>;
  /** The published schema of suites. */
  readonly suiteSchema: URL;
}

/**
 * What the last of these words can become: a command, an option, one of its choices, a suite, a target, a run, a file. Folders end
 * with a slash, so that a shell goes on in them.
 *
 * @param words what is typed behind the name of the program; the last one may be empty
 */
export async function candidates(
  words: readonly string[],
  completed: Completed,
  cwd: string,
): Promise<readonly string[]> {
  const current = words.at(-1) ?? '';
  const [command, ...before] = words.slice(0, -1);
  const found = await (command === undefined
    ? firstWords(current, completed)
    : nextWords(command, before, current, completed, cwd));
  // A shell takes each line as one, and prints it: a name with control characters is not offered. What is typed whole is not offered: `load.order=` goes on with its values.
  return found.filter(
    (each) => each.startsWith(current) && visibleLine(each) === each && !(each === current && each.endsWith('=')),
  );
}

function firstWords(current: string, { commands }: Completed): readonly string[] {
  return current.startsWith('-') ? ['--help', '--version'] : commands;
}

async function nextWords(
  command: string,
  before: readonly string[],
  current: string,
  completed: Completed,
  cwd: string,
): Promise<readonly string[]> {
  const { optionsOf, suiteSchema } = completed;
  const options = await optionsOf(command);
  if (current.startsWith('-')) {
    return [
      ...Object.entries(options).flatMap(([name, { hidden }]) => (hidden === true ? [] : [`--${name}`])),
      '--help',
    ];
  }
  const name = /^--(.+)$/.exec(before.at(-1) ?? '')?.[1] ?? before.at(-1)?.replace(/^-/, '') ?? '';
  const option = before.at(-1)?.startsWith('-') === true ? options[name] : undefined;
  if (option === undefined || option.type === 'boolean') return positionals(command, current, cwd);
  if (option.choices !== undefined) return option.choices;
  if (name === 'set') return command === 'try' ? [] : settings(suiteSchema).filter(isNext(current));
  if (FOLDER_OPTIONS.has(name)) return directories(current, cwd);
  if (command === 'init' && name === 'target') return targetNames(cwd);
  return FILE_OPTIONS.has(name) ? files(current, cwd) : [];
}

/** Options that take a path; of the others, only their user knows the value. */
const FOLDER_OPTIONS: ReadonlySet<string> = new Set(['resume', 'out']);
const FILE_OPTIONS: ReadonlySet<string> = new Set(['against', 'baseline', 'behaviour', 'csv', 'html', 'image']);

/** Keys before the sign, values behind it. */
function isNext(current: string): (setting: string) => boolean {
  return (setting) => current.includes('=') || setting.endsWith('=');
}

function positionals(command: string, current: string, cwd: string): readonly string[] {
  switch (command) {
    case 'run':
    case 'plan':
      return ['demo', ...suiteFiles(current, cwd)];
    case 'validate':
      return suiteFiles(current, cwd);
    case 'try':
      return [...targetNames(cwd), ...suiteFiles(current, cwd)];
    case 'targets':
      return targetNames(cwd);
    case 'report':
    case 'merge':
    case 'gate':
    case 'baseline':
    case 'compare':
    case 'view':
      return directories(current, cwd);
    case 'history':
    case 'prune':
      return [...suitesWithRuns(cwd), ...directories(current, cwd)];
    case 'completion':
      return SHELLS;
    default:
      return files(current, cwd);
  }
}

function targetNames(cwd: string): readonly string[] {
  return listTargets(cwd).map(({ name }) => name);
}
