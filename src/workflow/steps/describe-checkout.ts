import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, realpath } from 'node:fs/promises';
import { isAbsolute, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import type { Run } from '../../record/run.ts';

/**
 * The commit of a suite's folder, and whether any of these files differs from it; null outside a checkout, or without
 * git. Ignores files outside the checkout.
 *
 * The folder may be a stranger's, and its .git/config may name programs: only git commands that read objects and run no
 * programs are used (no `status`, `diff`, `add`: they obey core.fsmonitor, filters and textconv), and files are hashed
 * here.
 * @param files absolute paths: the suite, its targets, prompt files and input images
 */
export async function describeCheckout(
  folder: string,
  files: readonly string[],
  env: Environment,
): Promise<Run['git']> {
  const git = async (...args: readonly string[]) => {
    const options = { timeout: 5000, maxBuffer: 64 * 1024 * 1024, env: withoutGit(env) };
    return (await promisify(execFile)('git', [...HARMLESS, '-C', folder, ...args], options)).stdout;
  };
  try {
    const commit = (await git('rev-parse', '--verify', 'HEAD')).trim();
    const top = await realpath((await git('rev-parse', '--show-toplevel')).replace(/\r?\n$/, ''));
    const inside = (await Promise.all(files.map((file) => realpath(file).catch(() => null)))).flatMap((file) => {
      const path = file === null ? '..' : relative(top, file);
      return path.startsWith('..') || isAbsolute(path) ? [] : [path.split(sep).join('/')];
    });
    const paths = [...new Set(inside)];
    if (paths.length === 0) return { commit, dirty: false };
    const listed = await git('--literal-pathspecs', 'ls-tree', '-z', '--full-tree', 'HEAD', '--', ...paths);
    const committed = new Map(listed.split('\0').flatMap(readEntry));
    const same = await Promise.all(
      paths.map(async (path) => {
        const id = committed.get(path);
        if (id === undefined) return false;
        return (await blobIds(`${top}/${path}`, id.length)).includes(id);
      }),
    );
    return { commit, dirty: same.includes(false) };
  } catch {
    return null;
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Settings that name programs, emptied in case a later git obeys them. */
const HARMLESS = [
  ...['-c', 'core.fsmonitor=false'],
  ...['-c', 'core.hooksPath=/dev/null'],
  '--no-pager',
  '--no-optional-locks',
];

/**
 * GIT_* could mean another checkout, or name programs. If objects are missing, git fetches them by a transport that the
 * checkout's configuration may name: none is allowed, which overrides it.
 */
function withoutGit(env: Environment): Record<string, string> {
  const others = Object.entries(env).flatMap(([name, value]) =>
    value === undefined || /^GIT_/i.test(name) ? [] : [[name, value] as const],
  );
  return { ...Object.fromEntries(others), GIT_ALLOW_PROTOCOL: 'none', GIT_NO_LAZY_FETCH: '1' };
}

/** `100644 blob <id>\t<path>`; folders and submodules are skipped. */
function readEntry(line: string): [path: string, id: string][] {
  const [, id, path] = /^\d+ blob ([0-9a-f]+)\t(.+)$/s.exec(line) ?? [];
  return id === undefined || path === undefined ? [] : [[path, id]];
}

/** Ids that git may have given a file: also with CRLF of a checkout on Windows turned back. 64 digits are SHA-256. */
async function blobIds(path: string, length: number): Promise<readonly string[]> {
  const bytes = await readFile(path);
  const algorithm = length === 64 ? 'sha256' : 'sha1';
  const idOf = (content: Uint8Array) =>
    createHash(algorithm).update(`blob ${content.byteLength}\0`).update(content).digest('hex');
  const plain = Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
  return plain.byteLength === bytes.byteLength ? [idOf(bytes)] : [idOf(bytes), idOf(plain)];
}
