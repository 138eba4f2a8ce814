import { readFile, stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { type Checked, type Fault, refused, unreadable } from '../kit/diagnostic.ts';

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
    return unreadable(error);
  }
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
  const below = path !== '' && !isAbsolute(path) && path !== '..' && !path.startsWith(`..${sep}`);
  return below ? path.split(sep).join('/') : absolute;
}
