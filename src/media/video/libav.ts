import { createRequire } from 'node:module';

/** FFmpeg in process. Only its synchronous calls are used: the asynchronous ones need Node 22. */
export type Libav = typeof import('node-av/lib') & typeof import('node-av/constants');

/** FFmpeg, or why it is not there. */
export type LoadedLibav =
  | { readonly ok: true; readonly libav: Libav }
  | { readonly ok: false; readonly reason: string };

let loading: Promise<LoadedLibav> | null = null;

/** Loads node-av, an optional dependency, the first time it is asked for: most processes never need it. */
export function loadLibav(): Promise<LoadedLibav> {
  loading ??= load();
  return loading;
}

async function load(): Promise<LoadedLibav> {
  try {
    const libav = { ...(await import('node-av/lib')), ...(await import('node-av/constants')) };
    // What is wrong with hostile bytes is told by results, not by lines on stderr.
    libav.Log.setLevel(libav.AV_LOG_QUIET);
    return { ok: true, libav };
  } catch (error) {
    return { ok: false, reason: whyAbsent(error) };
  }
}

const NAME = 'node-av';

/** How much of a loader's message is told. */
const MOST_CHARACTERS = 300;

/** Not installed, or installed and not to be loaded: then with its version, the cause, and the version that would do. */
function whyAbsent(error: unknown): string {
  const require = createRequire(import.meta.url);
  const found = versionFound(require);
  if (found === null) return `${NAME}, the package for video, is not installed`;
  const wanted: unknown = require('../../../package.json').optionalDependencies?.[NAME];
  const message = error instanceof Error ? error.message : String(error);
  return `${NAME} ${found}, the package for video, does not load (Retake needs ${String(wanted)}): ${causeOf(message)}`;
}

/** The version of the package in the nearest folder of packages that has it; null where none has. */
function versionFound(require: NodeJS.Require): string | null {
  for (const folder of require.resolve.paths(NAME) ?? []) {
    try {
      return String(require(`${folder}/${NAME}/package.json`).version);
    } catch (error) {
      // Of a folder that has a damaged package it is told that it is there.
      const isAbsent = error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND';
      if (!isAbsent) return 'of unknown version';
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
  return cause.replaceAll(/(?:file:\/\/)?(?:[A-Za-z]:)?[\\/][^\s'"]*[\\/](?=[^\s'"])/g, '').slice(0, MOST_CHARACTERS);
}
