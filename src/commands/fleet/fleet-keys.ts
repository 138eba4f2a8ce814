import { lstatSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { loadEngine } from '../../fleet/engine.ts';
import { COORDINATOR, checkNames, natsConf } from '../../fleet/keys.ts';
import { accepted, codeOf, type Diagnostic, fileFaultOf, Refused, refusal } from '../../kit/diagnostic.ts';
import { visibleLine } from '../../kit/visible.ts';
import { commandLine } from '../../kit/wording.ts';
import type { fleetKeys } from '../declared/tool-commands.ts';
import { openFolder } from '../display/write-file.ts';
import { type Edge, EXIT, type ExitCode } from '../edge.ts';
import type { ArgumentsOf } from '../line/command.ts';

/** `retake fleet keys`: writes nats.conf and a key for each worker and the coordinator. Never overwrites a file. */
export async function fleetKeysCommand({ names, out }: ArgumentsOf<typeof fleetKeys>, edge: Edge): Promise<ExitCode> {
  const written = writeAll(await newFiles(names), out, edge.cwd);
  edge.out.write(`Written: ${written.map(visibleLine).join(', ')}\n\nNext:\n${nextSteps(names, out)}`);
  return EXIT.ok;
}

interface FleetFile {
  readonly name: string;
  readonly text: string;
  readonly mode: number;
}

/** Mode of key files: only the owner reads them. */
const SECRET = 0o600;
const CONF = 'nats.conf';

async function newFiles(names: readonly string[]): Promise<readonly FleetFile[]> {
  accepted(checkNames(names));
  const engine = accepted(await loadEngine());
  const coordinator = engine.makeKey();
  const workers = names.map((name) => ({ name, ...engine.makeKey() }));
  const keys = [{ name: COORDINATOR, ...coordinator }, ...workers];
  return [
    { name: CONF, text: natsConf(coordinator.publicKey, workers), mode: 0o644 },
    ...keys.map(({ name, seed }) => ({ name: keyFile(name), text: `${seed}\n`, mode: SECRET })),
  ];
}

function keyFile(name: string): string {
  return `${name}.key`;
}

/** All files or none; gives their paths. */
function writeAll(files: readonly FleetFile[], out: string, cwd: string): readonly string[] {
  const pathOf = ({ name }: FleetFile) => join(out, name);
  // A link to nothing counts too.
  const there = files.map(pathOf).filter((path) => isThere(resolve(cwd, path)));
  if (there.length > 0) throw new Refused(there.map(existing));
  openFolder(resolve(cwd, out));
  const written: string[] = [];
  for (const file of files) {
    const path = resolve(cwd, pathOf(file));
    try {
      writeFileSync(path, file.text, { flag: 'wx', mode: file.mode });
      written.push(path);
    } catch (error) {
      for (const writtenPath of written) rmSync(writtenPath, { force: true });
      // Another process may have written it meanwhile.
      if (codeOf(error) === 'EEXIST') throw new Refused([existing(pathOf(file))]);
      rmSync(path, { force: true });
      const fault = fileFaultOf(error);
      if (fault === null) throw error;
      throw refusal(`cannot write ${pathOf(file)} (${fault.code})`, fault.remedy);
    }
  }
  return files.map(pathOf);
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    if (codeOf(error) === 'ENOTDIR') return false;
    throw error;
  }
}

function existing(path: string): Diagnostic {
  return {
    place: null,
    cause: `${path} exists`,
    remedy: 'retake fleet keys never overwrites a file: name another folder with --out, or move it away',
  };
}

function nextSteps(names: readonly string[], out: string): string {
  const key = (name: string) => join(out, keyFile(name));
  const [first = ''] = names;
  const fleet = ['--fleet', 'nats://127.0.0.1:4222'];
  const steps: readonly (readonly [why: string, words: readonly string[]])[] = [
    ['start the server; for other machines, first edit the file, as it says', ['nats-server', '-c', join(out, CONF)]],
    [
      'start each worker with its own name and key; copy the key to its machine first',
      ['retake', 'work', 'suite.yaml', ...fleet, '--name', first, '--key', key(first)],
    ],
    [
      'measure',
      ['retake', 'run', 'suite.yaml', ...fleet, '--workers', String(names.length), '--key', key(COORDINATOR)],
    ],
  ];
  return steps.map(([why, words]) => `  # ${why}\n  ${visibleLine(commandLine(words))}\n`).join('');
}
