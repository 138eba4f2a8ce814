import { join, resolve } from 'node:path';
import { loadEngine } from '../../fleet/engine.ts';
import { COORDINATOR, checkNames, natsConf } from '../../fleet/keys.ts';
import { accepted } from '../../kit/diagnostic.ts';
import { visibleLine } from '../../kit/visible.ts';
import { commandLine } from '../../kit/wording.ts';
import type { fleetKeys } from '../declared/tool-commands.ts';
import { type NewFile, openFolder, writeNewFiles } from '../display/write-file.ts';
import { type Edge, EXIT, type ExitCode } from '../edge.ts';
import type { ArgumentsOf } from '../line/command.ts';

const NEVER_OVERWRITES = 'retake fleet keys never overwrites a file: name another folder with --out, or move it away';

/** `retake fleet keys`: writes nats.conf and a key for each worker and the coordinator. Never overwrites a file. */
export async function fleetKeysCommand({ names, out }: ArgumentsOf<typeof fleetKeys>, edge: Edge): Promise<ExitCode> {
  const files = await newFiles(names, out);
  openFolder(resolve(edge.cwd, out));
  writeNewFiles(files, NEVER_OVERWRITES, edge.cwd);
  const written = files.map(({ path }) => visibleLine(path));
  edge.out.write(`Written: ${written.join(', ')}\n\nNext:\n${nextSteps(names, out)}`);
  return EXIT.ok;
}

/** Mode of key files: only the owner reads them. */
const SECRET = 0o600;
const CONF = 'nats.conf';

async function newFiles(names: readonly string[], out: string): Promise<readonly NewFile[]> {
  accepted(checkNames(names));
  const engine = accepted(await loadEngine());
  const coordinator = engine.makeKey();
  const workers = names.map((name) => ({ name, ...engine.makeKey() }));
  const keys = [{ name: COORDINATOR, ...coordinator }, ...workers];
  return [
    { path: join(out, CONF), content: { text: natsConf(coordinator.publicKey, workers), mode: 0o644 } },
    ...keys.map(({ name, seed }) => {
      return { path: join(out, keyFile(name)), content: { text: `${seed}\n`, mode: SECRET } };
    }),
  ];
}

function keyFile(name: string): string {
  return `${name}.key`;
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
