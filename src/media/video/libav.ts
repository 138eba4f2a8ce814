import { createRequire } from 'node:module';
import type { PackageFault } from '../decode-fault.ts';

/** FFmpeg in process. Only its synchronous calls are used: the asynchronous ones need Node 22. */
export type Libav = typeof import('node-av/lib') & typeof import('node-av/constants');

/** FFmpeg, or why it is not there. */
export type LoadedLibav =
  | { readonly ok: true; readonly libav: Libav }
  | { readonly ok: false; readonly reason: PackageFault };

let loading: Promise<LoadedLibav> | null = null;

/** Loads FFmpeg, whose binary is an optional dependency, the first time it is asked for: most processes never need it. */
export function loadLibav(): Promise<LoadedLibav> {
  loading ??= load();
  return loading;
}

async function load(): Promise<LoadedLibav> {
  try {
    const libav = { ...(await import('node-av/lib')), ...(await import('node-av/constants')) };
    // What is wrong with hostile bytes is in the results, not in lines on stderr.
    libav.Log.setLevel(libav.AV_LOG_QUIET);
    return { ok: true, libav };
  } catch (error) {
    return { ok: false, reason: whyAbsent(error) };
  }
}

/**
 * The package with FFmpeg for this machine: an optional dependency. Its loader, node-av, is joined into the program, since installing that
 * package would run its scripts, which fetch a program from elsewhere.
 */
export const LIBAV_PACKAGE = `@seydx/node-av-${process.platform}-${process.arch}${process.platform === 'win32' ? '-msvc' : ''}`;

/** How much of a loader's message is kept. */
const MOST_CHARACTERS = 300;

/** Not installed, or installed and not to be loaded: then with its version, the cause, and the version that would do. */
function whyAbsent(error: unknown): PackageFault {
  const require = createRequire(import.meta.url);
  const found = versionFound(require);
  if (found === null) return { code: 'package_missing', package: LIBAV_PACKAGE };
  const wanted: unknown = require('../../../package.json').optionalDependencies?.[LIBAV_PACKAGE];
  const message = error instanceof Error ? error.message : String(error);
  return { code: 'package_broken', package: LIBAV_PACKAGE, ...found, needs: String(wanted), detail: causeOf(message) };
}

/** The package in the nearest folder of packages that has it, by its version; null where none has. */
function versionFound(require: NodeJS.Require): { readonly version: string | null } | null {
  for (const folder of require.resolve.paths(LIBAV_PACKAGE) ?? []) {
    try {
      return { version: String(require(`${folder}/${LIBAV_PACKAGE}/package.json`).version) };
    } catch (error) {
      // A damaged package in a folder counts as present.
      const isAbsent = error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND';
      if (!isAbsent) return { version: null };
    }
  }
  return null;
}

/**
 * The first line that says something: node-av lists its causes below a heading. Folders of this machine are left out, since
 * records are shown to others.
 */
function causeOf(message: string): string {
  const lines = message.split('\n').map((line) => line.trim());
  const listed = lines.indexOf('Errors:');
  const cause = lines.slice(listed + 1).find((line) => line !== '') ?? '';
  return cause
    .replaceAll(/(?<![\w@.-])(?:file:\/\/)?(?:[A-Za-z]:)?[\\/][^\s'"]*[\\/](?=[^\s'"])/g, '')
    .slice(0, MOST_CHARACTERS);
}
