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
    const absent = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
    return {
      ok: false,
      reason: absent
        ? 'node-av, the package for video, is not installed'
        : 'node-av, the package for video, is installed but does not load on this machine',
    };
  }
}
