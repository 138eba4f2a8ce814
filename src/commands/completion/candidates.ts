import { listTargets } from '../../prepare/target-files.ts';
import { visibleLine } from '../../text/visible.ts';
import { directories, files, suiteFiles, suitesWithRuns } from './path-candidates.ts';
import { SHELLS } from './script.ts';
import { settings } from './setting-candidates.ts';

export interface CompletedOption {
  readonly type?: string;
  readonly choices?: readonly string[];
  readonly hidden?: boolean;
}

export interface Completed {
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
  const found = await (command === undefined
    ? firstWords(current, completed)
    : nextWords(command, before, current, completed, cwd));
  // A shell reads each line as one candidate and prints it, so names with control characters are left out. A complete
  // word is left out too: `load.order=` continues with its values.
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

const FOLDER_OPTIONS: ReadonlySet<string> = new Set(['resume', 'out']);
const FILE_OPTIONS: ReadonlySet<string> = new Set(['against', 'baseline', 'behaviour', 'csv', 'html', 'image']);

/** Keys before the sign, values after it. */
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
