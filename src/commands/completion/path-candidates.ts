import { type Dirent, existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Folders end with a slash. */
export function files(begun: string, cwd: string): readonly string[] {
  return listed(begun, cwd, () => true);
}

export function suiteFiles(begun: string, cwd: string): readonly string[] {
  return listed(begun, cwd, (name) => /\.ya?ml$/i.test(name));
}

/** A run's folder ends without a slash, because nothing in it is named. */
export function directories(begun: string, cwd: string): readonly string[] {
  return listed(begun, cwd, () => false).map((found) =>
    existsSync(resolve(cwd, found, 'run.json')) ? found.slice(0, -1) : found,
  );
}

export function suitesWithRuns(cwd: string): readonly string[] {
  return entriesOf(join(cwd, 'results')).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
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
