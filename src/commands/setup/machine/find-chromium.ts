import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { type Checked, refused } from '../../../suite/document/diagnostic.ts';
import type { Edge } from '../../edge.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'microsoft-edge'];

const APPLICATIONS = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

export interface Browser {
  readonly chromium: string;
  /** The PATH that it gets. */
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

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
