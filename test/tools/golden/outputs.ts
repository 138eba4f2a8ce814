import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { filesBelow, startRetake } from '../../fixtures/retake-process.ts';
import type { Step } from './steps.ts';

/** What a user can read, by its name: of a command, of a page, or the file. */
export type Outputs = ReadonlyMap<string, string>;

const MOST_PAGES = 120;
const LONGEST_MS = 300_000;

/** Fills the place in which both builds are started, so that they have the same path. */
export function installBuild(checkout: string, place: string): void {
  const to = join(place, 'retake');
  rmSync(to, { recursive: true, force: true });
  for (const name of ['dist', 'suites', 'package.json', 'README.md']) {
    cpSync(join(checkout, name), join(to, name), { recursive: true });
  }
  symlinkSync(join(checkout, 'node_modules'), join(to, 'node_modules'));
}

/** Takes the steps in a copy of a folder, and gives all that they print, serve, write and delete. */
export async function outputsOf(steps: readonly Step[], source: string, place: string, part: string): Promise<Outputs> {
  const folder = join(place, part);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  if (existsSync(source)) cpSync(source, folder, { recursive: true });
  const outputs = new Map<string, string>();
  for (const step of steps) {
    const name = `${part}: retake ${step.args.join(' ')}${step.onTerminal ? ' (on a terminal)' : ''}`;
    if (step.pages.length === 0) outputs.set(name, await printed(step, folder, place));
    else
      for (const [address, page] of await served(step, folder, place)) addOutput(outputs, `${name}: ${address}`, page);
  }
  const before = new Set(existsSync(source) ? pathsIn(source) : []);
  for (const path of pathsIn(folder)) {
    const bytes = readFileSync(join(folder, path));
    if (!before.delete(path) || !bytes.equals(readFileSync(join(source, path))))
      addOutput(outputs, `${part}: ${path}`, path.endsWith('facts.jsonl') ? sorted(readable(bytes)) : readable(bytes));
  }
  for (const path of before) outputs.set(`${part}: ${path}`, 'deleted');
  rmSync(folder, { recursive: true, force: true });
  return new Map([...outputs].map(([name, output]) => [name, normal(output, place)]));
}

/**
 * The only places where equal builds may differ: the folder and ports of this comparison, how long ago a run was, hashes
 * of styles and scripts, which are outputs themselves, and in scripts the names of source files.
 */
function normal(output: string, place: string): string {
  return output
    .replaceAll(place, '/PLACE')
    .replaceAll(/(http:\/\/127\.0\.0\.1:)\d+/g, '$1PORT')
    .replaceAll(/\b(?:just now|\d+ (?:minute|hour|day)s? ago)\b/g, 'LONG AGO')
    .replaceAll(/sha256-[\w+/=]{40,}/g, 'sha256-HASH')
    .replaceAll(/^\s*\/\/ src\/\S+$/gm, '// SOURCE');
}

/** Styles, scripts and dialogs of a page are outputs beside it: a change of them must not hide others. */
function addOutput(outputs: Map<string, string>, name: string, output: string): void {
  const apart = /<(style|script|dialog)(?! type)[^>]*>[\s\S]*?<\/\1>/g;
  outputs.set(name, output.replaceAll(apart, '<$1>'));
  for (const [all, tag = ''] of output.matchAll(apart))
    outputs.set(`${name} <${tag}>`, (outputs.get(`${name} <${tag}>`) ?? '') + all);
}

/** Facts come in the order in which processes find them. */
function sorted(lines: string): string {
  return lines.split('\n').toSorted().join('\n');
}

function readable(bytes: Buffer): string {
  return bytes.includes(0) ? `sha256 ${createHash('sha256').update(bytes).digest('hex')}` : bytes.toString();
}

/** The same for both builds; the services of the records have ended. */
function environmentIn(place: string): Readonly<Record<string, string>> {
  const gone = 'http://127.0.0.1:9';
  const names = { USUAL_URL: gone, OTHER_URL: gone, FAULTY_URL: gone, RETAKE_API_KEY: 'no-key', SCORER: 'none.mjs' };
  return { PATH: process.env.PATH ?? '', HOME: place, LC_ALL: 'C.UTF-8', TZ: 'UTC', COLUMNS: '80', ...names };
}

async function printed(step: Step, cwd: string, place: string): Promise<string> {
  const command = [process.execPath, join(place, 'retake/dist/main.js'), ...step.args];
  const quoted = command.map((argument) => `'${argument.replaceAll("'", "'\\''")}'`).join(' ');
  const [program = '', ...args] = step.onTerminal
    ? ['script', '-qec', `stty rows 24 cols 80; exec ${quoted}`, '/dev/null']
    : command;
  const env = { ...environmentIn(place), ...(step.onTerminal ? { TERM: 'xterm-256color', SHELL: '/bin/sh' } : {}) };
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: LONGEST_MS });
  const ended = new Promise<string>((resolve, reject) => {
    child.once('error', reject).once('close', (code, signal) => resolve(`${code ?? signal}`));
  });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return `${out}${err === '' ? '' : `--- standard error\n${err}`}--- exit code ${await ended}`;
}

/** The pages of a server that links from the first ones lead to. */
async function served(step: Step, cwd: string, place: string): Promise<Outputs> {
  const server = startRetake(step.args, cwd, environmentIn(place), join(place, 'retake/dist/main.js'));
  const base = new URL(await server.prints(/http:\S+/)).origin;
  const addresses = new Set(step.pages);
  const pages = new Map<string, string>();
  for (const address of addresses) {
    const reply = await fetch(base + address, { redirect: 'manual' });
    const body = readable(Buffer.from(await reply.arrayBuffer()));
    const [type, location] = ['content-type', 'location'].map((name) => reply.headers.get(name));
    pages.set(address, `${reply.status} ${type} ${location}\n${body}`);
    if (!type?.includes('html')) continue;
    for (const [, link = ''] of body.matchAll(/\s(?:href|src)="([^"#]+)/g)) {
      const { origin, pathname, search } = new URL(link.replaceAll('&amp;', '&'), base + address);
      if (origin === base && addresses.size < MOST_PAGES) addresses.add(pathname + search);
    }
  }
  server.kill('SIGINT');
  await server.ended;
  return pages;
}

/** A digest of a build, and of what else its outputs follow from. */
export function digestOf(checkout: string, more: string): string {
  const digest = createHash('sha256')
    .update(more)
    .update(readFileSync(new URL(import.meta.url)));
  for (const folder of ['dist', 'suites'].map((name) => join(checkout, name))) {
    for (const path of pathsIn(folder)) digest.update(path).update(readFileSync(join(folder, path)));
  }
  return digest.digest('hex').slice(0, 16);
}

function pathsIn(folder: string): readonly string[] {
  return filesBelow(folder)
    .map((path) => relative(folder, path))
    .toSorted();
}
