import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, rmSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Sharp } from 'sharp';
import { type Checked, refused } from '../../kit/diagnostic.ts';
import type { ReportFile } from '../../report/reporter.ts';
import type { Edge } from '../edge.ts';
import { writeFile } from './write-file.ts';

export interface Browser {
  readonly chromium: string;
  /** The PATH of its environment. */
  readonly path: string;
}

/** The program in CHROMIUM_PATH, else the first with a usual name; an error without one. */
export function findChromium({ env }: Pick<Edge, 'env'>): Checked<Browser> {
  const named = env.CHROMIUM_PATH ?? '';
  const path = env.PATH ?? '';
  if (named !== '') {
    return isProgram(named)
      ? { ok: true, value: { chromium: named, path } }
      : refused(`CHROMIUM_PATH names ${named}, which is not a program`, 'set it to the path of a Chromium');
  }
  const folders = path.split(delimiter).filter((folder) => isAbsolute(folder));
  const usual = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  const chromium = [...usual, ...APPLICATIONS].find(isProgram);
  return chromium === undefined
    ? refused(
        'there is no Chromium to take a screenshot with',
        'install Chromium or Chrome, or set CHROMIUM_PATH to its path',
      )
    : { ok: true, value: { chromium, path } };
}

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'microsoft-edge'];

const APPLICATIONS = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** In CSS pixels: the width of the page without its contents, and the greatest height of a screenshot. */
const WIDTH = 1100;
const MOST_HEIGHT = 6000;

const SCALE = 1.5;
const MARGIN = 32;

/** In CSS pixels. Some versions of Chromium take the frame of a window off its page: it is larger than what is kept. */
const FRAME = 400;

const PAPER = '#ffffff';

const LIMIT_MS = 60_000;

/** No network, no window, nothing that outlives the screenshot; the light theme, whatever the system prefers. */
const ARGUMENTS = [
  '--headless',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-extensions',
  '--disable-sync',
  '--disable-dev-shm-usage',
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--blink-settings=preferredColorScheme=1',
  '--hide-scrollbars',
];

/** A PNG. @param size in pixels; null: as high as the page, with a margin */
export async function takeScreenshot(
  page: ReportFile['content'],
  size: { readonly width: number; readonly height: number } | null,
  { chromium, path }: Browser,
): Promise<Checked<Uint8Array>> {
  const scratch = await mkdtemp(join(tmpdir(), 'retake-screenshot-'));
  // The third interrupt ends this process at once.
  const remove = (): void => rmSync(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  process.once('exit', remove);
  try {
    const file = await writeFile(join(scratch, 'page.html'), page);
    const shot = join(scratch, 'shot.png');
    const profile = join(scratch, 'profile');
    await mkdir(profile);
    const ended = await runBrowser(
      { chromium, path },
      [
        ...ARGUMENTS,
        `--force-device-scale-factor=${size === null ? SCALE : 1}`,
        `--window-size=${size === null ? `${WIDTH},${MOST_HEIGHT}` : `${size.width + FRAME},${size.height + FRAME}`}`,
        // Chromium refuses its sandbox to root.
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
        `--user-data-dir=${profile}`,
        `--screenshot=${shot}`,
        pathToFileURL(file).href,
      ],
      scratch,
    );
    const png = await readPng(size === null ? trimmed(shot) : cut(shot, size));
    return png === null ? refused(`${chromium} ${ended}, and gave no screenshot`, REMEDY) : { ok: true, value: png };
  } finally {
    // Processes of the browser may still write into its profile as they end.
    await rm(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    process.off('exit', remove);
  }
}

const REMEDY = 'set CHROMIUM_PATH to a Chromium that runs on this machine, or open report.html in a browser';

/** Ends the whole process group at the end or the limit. Gives how it ended, in words. */
async function runBrowser({ chromium, path }: Browser, args: readonly string[], home: string): Promise<string> {
  const child = spawn(chromium, args, {
    // The browser must not get the user's keys.
    env: { HOME: home, PATH: path, TMPDIR: home },
    detached: true,
    stdio: 'ignore',
  });
  const ended = once(child, 'exit').then(
    ([code, signal]) => (code === null ? `was ended by ${String(signal)}` : `ended with code ${String(code)}`),
    (error: unknown) => `did not start (${error instanceof Error ? error.message : String(error)})`,
  );
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`needed more than ${LIMIT_MS / 1000} s`), LIMIT_MS);
  });
  const end = (): void => {
    if (child.pid !== undefined) endGroup(child.pid);
  };
  // Before its folder is removed. A terminal does not end the browser, which has its own process group.
  process.prependOnceListener('exit', end);
  const words = await Promise.race([ended, late]);
  clearTimeout(timer);
  process.off('exit', end);
  end();
  return words;
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // All of its processes have ended.
  }
}

async function readPng(png: Promise<Sharp>): Promise<Uint8Array | null> {
  try {
    return new Uint8Array(await (await png).png({ compressionLevel: 9 }).toBuffer());
  } catch {
    return null;
  }
}

async function trimmed(shot: string): Promise<Sharp> {
  const { default: sharp } = await import('sharp');
  const seen = await sharp(shot).flatten({ background: PAPER }).trim({ background: PAPER, threshold: 1 }).toBuffer();
  return sharp(seen).extend({ top: MARGIN, bottom: MARGIN, left: MARGIN, right: MARGIN, background: PAPER });
}

async function cut(shot: string, size: { readonly width: number; readonly height: number }): Promise<Sharp> {
  const { default: sharp } = await import('sharp');
  return sharp(shot)
    .flatten({ background: PAPER })
    .extract({ left: 0, top: 0, ...size });
}
