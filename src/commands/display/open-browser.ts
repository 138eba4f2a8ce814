import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** What a program needs to show a window of this user. The browser must not get the user's keys. */
const PASSED_ON =
  /^(PATH|HOME|USER|LOGNAME|LANG|LC_\w+|TMPDIR|TEMP|TMP|BROWSER|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|DBUS_SESSION_BUS_ADDRESS|XDG_\w+|DESKTOP_SESSION|KDE_\w+|GNOME_\w+|WSL\w*|SystemRoot|windir|USERPROFILE|APPDATA|LOCALAPPDATA|PROGRAM\w*)$/i;

/** An opener that still runs has its own browser window, and goes on. */
const LONGEST_MS = 5000;

interface Opener {
  readonly program: string;
  readonly args: readonly string[];
}

/**
 * Gives an error in words; null on success, and without a display.
 * @param url http; openers may be scripts, so it must contain nothing that a shell interprets
 */
export async function openBrowser(
  url: string,
  env: Readonly<Record<string, string | undefined>>,
  platform: string = process.platform,
): Promise<string | null> {
  const opener = openerOf(harmless(url), env, platform);
  if (opener === null) return null;
  const { program, args } = opener;
  const own = Object.entries(env).filter(([name]) => PASSED_ON.test(name));
  const child = spawn(program, args, { env: Object.fromEntries(own), detached: true, stdio: 'ignore' });
  child.unref();
  const timer = new AbortController();
  const ended = once(child, 'exit', { signal: timer.signal }).then(
    ([code]) => (code === 0 ? null : `${program} ended with code ${String(code)}`),
    (error: unknown) =>
      timer.signal.aborted ? null : `${program}: ${error instanceof Error ? error.message : String(error)}`,
  );
  const late = setTimeout(() => timer.abort(), LONGEST_MS);
  try {
    return await ended;
  } finally {
    clearTimeout(late);
  }
}

function openerOf(url: string, env: Readonly<Record<string, string | undefined>>, platform: string): Opener | null {
  if (platform === 'darwin') return { program: 'open', args: [url] };
  if (platform === 'win32') return { program: 'rundll32', args: ['url.dll,FileProtocolHandler', url] };
  const hasDisplay = [env.DISPLAY, env.WAYLAND_DISPLAY, env.BROWSER].some(
    (value) => value !== undefined && value !== '',
  );
  return hasDisplay ? { program: 'xdg-open', args: [url] } : null;
}

/** Percent-encodes what a shell interprets; leads to the same page. */
function harmless(url: string): string {
  return new URL(url).href.replace(
    /[^A-Za-z0-9:/?#[\]@=+,._%-]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}
