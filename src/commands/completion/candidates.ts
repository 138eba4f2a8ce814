import { listTargets } from '../../prepare/target-files.ts';
import { directories, files, suiteFiles, suitesWithRuns } from './path-candidates.ts';

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
}

/** Shells that have a script. */
export const SHELLS = ['bash', 'zsh'] as const;

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
  // A shell takes each line as one.
  return found.filter((each) => each.startsWith(current) && !/[\r\n]/.test(each));
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
  const options = await completed.optionsOf(command);
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
  if (option.type === 'number') return [];
  return name === 'resume' ? directories(current, cwd) : files(current, cwd);
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
