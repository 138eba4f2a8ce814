import { createRequire } from 'node:module';
import type { Frame } from 'node-av/lib';
import type { NodeAv } from '../kit/mp4-writer.ts';
import type { PackageFault } from './facts.ts';

/** FFmpeg in process. Only its synchronous calls are used: the asynchronous ones need Node 22. */
export type Libav = NodeAv;

export type LoadedLibav =
  | { readonly ok: true; readonly libav: Libav }
  | { readonly ok: false; readonly reason: PackageFault };

let loading: Promise<LoadedLibav> | null = null;

/** Loads FFmpeg, an optional dependency, on first use: most processes never need it. */
export function loadLibav(): Promise<LoadedLibav> {
  loading ??= load();
  return loading;
}

async function load(): Promise<LoadedLibav> {
  try {
    const libav = { ...(await import('node-av/lib')), ...(await import('node-av/constants')) };
    // Errors of hostile bytes are in the results, not on stderr.
    libav.Log.setLevel(libav.AV_LOG_QUIET);
    return { ok: true, libav };
  } catch (error) {
    return { ok: false, reason: whyAbsent(error) };
  }
}

/** Of a format of frames, as `yuva420p`; null if FFmpeg has none. */
export function pixelFormatName(libav: Libav, { format }: Pick<Frame, 'format'>): string | null {
  return libav.avGetPixFmtName(Number(format) as Parameters<Libav['avGetPixFmtName']>[0]);
}

/**
 * The optional dependency with FFmpeg for this machine. Its loader, node-av, is bundled, as installing that package
 * would run scripts that fetch a program.
 */
export const LIBAV_PACKAGE = `@seydx/node-av-${process.platform}-${process.arch}${process.platform === 'win32' ? '-msvc' : ''}`;

const MOST_CHARACTERS = 300;

/** Not installed; or installed and not loadable: with version, cause, and the version that would work. */
function whyAbsent(error: unknown): PackageFault {
  const require = createRequire(import.meta.url);
  const version = versionFound(require);
  if (version === null) return { code: 'package_missing', package: LIBAV_PACKAGE };
  const wanted: unknown = require('../../package.json').optionalDependencies?.[LIBAV_PACKAGE];
  const message = error instanceof Error ? error.message : String(error);
  return {
    code: 'package_broken',
    package: LIBAV_PACKAGE,
    ...version,
    needs: String(wanted),
    detail: causeOf(message),
  };
}

/** In the nearest node_modules that has the package; null if none. */
function versionFound(require: NodeJS.Require): { readonly version: string | null } | null {
  for (const folder of require.resolve.paths(LIBAV_PACKAGE) ?? []) {
    try {
      return { version: String(require(`${folder}/${LIBAV_PACKAGE}/package.json`).version) };
    } catch (error) {
      // A damaged package counts as present.
      const isAbsent = error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND';
      if (!isAbsent) return { version: null };
    }
  }
  return null;
}

/**
 * The first meaningful line: node-av lists its causes below a heading. Omits folders of this machine, as records are
 * shared.
 */
function causeOf(message: string): string {
  const lines = message.split('\n').map((line) => line.trim());
  const listed = lines.indexOf('Errors:');
  const cause = lines.slice(listed + 1).find((line) => line !== '') ?? '';
  return cause
    .replaceAll(/(?<![\w@.-])(?:file:\/\/)?(?:[A-Za-z]:)?[\\/][^\s'"]*[\\/](?=[^\s'"])/g, '')
    .slice(0, MOST_CHARACTERS);
}
