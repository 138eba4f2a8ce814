import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, extname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { type Checked, codeOf, type Fault, refused, unreadable } from '../kit/diagnostic.ts';
import { nearest } from '../kit/nearest.ts';

export const MIB = 1024 * 1024;
const MOST_NAMED_BYTES = 64 * MIB;

/** The text of another file that the user names; `path` is relative to `cwd`. */
export function loadNamed(path: string, cwd: string): Promise<Checked<LoadedText>> {
  return loadText(path, cwd, MOST_NAMED_BYTES);
}

export interface LoadedText {
  readonly file: string;
  readonly text: string;
}

export async function loadText(path: string, cwd: string, mostBytes: number): Promise<Checked<LoadedText>> {
  const absolute = resolve(cwd, path);
  const file = shownPath(absolute, cwd);
  const text = await readText(absolute, mostBytes);
  return typeof text === 'string'
    ? { ok: true, value: { file, text } }
    : refused(`cannot read ${file}: ${text.cause}`, text.remedy);
}

/** The bytes of a file that the user names (absolute `path`), or why it cannot be read. Never waits, as for a pipe. */
export async function readBytes(path: string, mostBytes: number): Promise<Uint8Array | Fault> {
  try {
    const stats = await stat(path);
    if (stats.isDirectory()) return { cause: 'it is a folder', remedy: 'name a file in it' };
    if (!stats.isFile()) return { cause: 'it is not a file', remedy: 'name a file' };
    if (stats.size <= mostBytes) return new Uint8Array(await readFile(path));
    return { cause: `it is larger than ${mostBytes / MIB} MiB`, remedy: 'make it smaller' };
  } catch (error) {
    const fault = unreadable(error);
    if (codeOf(error) !== 'ENOENT') return fault;
    if (await isWrittenForWindows(path)) return { ...fault, remedy: 'write "/" in the path in place of "\\"' };
    const meant = nearestFile(path, await readdir(dirname(path)).catch(() => []));
    return meant === null ? fault : { ...fault, remedy: `did you mean "${meant}"?` };
  }
}

/** The most similar name with the same extension, else the same name with another one. */
function nearestFile(path: string, names: readonly string[]): string | null {
  const extension = extname(path);
  const stem = basename(path, extension);
  const alike = names.filter((name) => extname(name) === extension).map((name) => basename(name, extension));
  const near = nearest(stem, alike);
  return near === null ? (names.find((name) => basename(name, extname(name)) === stem) ?? null) : near + extension;
}

async function isWrittenForWindows(path: string): Promise<boolean> {
  const there = path.replaceAll('\\', '/');
  return sep === '/' && there !== path && (await stat(there).catch(() => null)) !== null;
}

export async function readText(path: string, mostBytes: number): Promise<string | Fault> {
  const bytes = await readBytes(path, mostBytes);
  if (!(bytes instanceof Uint8Array)) return bytes;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return { cause: 'it is not UTF-8', remedy: 'save it as UTF-8' };
  }
}

/** Relative to the working directory if below it, with "/" between its parts. */
export function shownPath(absolute: string, cwd: string): string {
  const path = relative(cwd, absolute);
  return path !== '' && isWithin(cwd, absolute) ? path.split(sep).join('/') : absolute;
}

/** Files named in a document must be in or below these folders (absolute); `anywhere`: no limit. */
export type Containment = 'anywhere' | readonly [folder: string, ...more: string[]];

/**
 * Why a file may not be read; null: it may. Follows links. Refuses a file outside whether or not it exists, so that a
 * suite cannot explore the machine. `path` is absolute; `owner` names the first folder in messages: `the suite`.
 */
export async function findOutside(path: string, allowed: Containment, owner: string): Promise<Fault | null> {
  if (allowed === 'anywhere') return null;
  const real = await realPathOf(path);
  for (const folder of allowed) if (isWithin(await realPathOf(folder), real)) return null;
  if (allowed.some((folder) => isWithin(folder, path))) {
    const cause = `a link leads out of the folder of ${owner}`;
    return { cause, remedy: 'replace the link by the file itself, or add --allow-outside' };
  }
  const cause = `it is outside the folder of ${owner}`;
  return { cause, remedy: 'move it there, or add --allow-outside' };
}

async function realPathOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(await realPathOf(parent), basename(path));
  }
}

/** Whether a path is that of the folder, or below it; both are absolute. Follows no link. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
