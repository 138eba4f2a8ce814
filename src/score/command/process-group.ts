import { spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';

export interface Started {
  readonly command: readonly string[];
  /** The working folder: absolute. */
  readonly folder: string;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
}

/** A program in its own process group, with all that it starts. */
export interface ProcessGroup {
  /** False if the system could not start it; `ended` says why. */
  readonly hasStarted: boolean;
  readonly input: Writable;
  readonly output: Readable;
  readonly errors: Readable;
  /** Resolves when the program has ended and its output is read, with why it could not be started. */
  readonly ended: Promise<Error | null>;
  /** Ends the group: SIGTERM, then SIGKILL to what is left. */
  readonly kill: () => Promise<void>;
}

/** Between SIGTERM and SIGKILL, and the wait after SIGKILL. */
const PATIENCE_MS = 400;

export function startGroup({ command: [file = '', ...args], folder, env }: Started): ProcessGroup {
  const child = spawn(file, args, { cwd: folder, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
  const failed = new Promise<Error>((resolve) => child.once('error', resolve));
  const exited = new Promise<null>((resolve) => child.once('exit', () => resolve(null)));
  const closed = new Promise<null>((resolve) => child.once('close', () => resolve(null)));
  const signal = (name: NodeJS.Signals): void => {
    if (child.pid !== undefined) signalGroup(child.pid, name);
  };
  // What the program has started must not outlive it, nor hold its output open.
  void exited.then(() => signal('SIGKILL'));
  let killing: Promise<void> | null = null;
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    signal('SIGTERM');
    await Promise.race([exited, failed, pause(PATIENCE_MS)]);
    signal('SIGKILL');
    await Promise.race([exited, failed, pause(PATIENCE_MS)]);
  };
  return {
    hasStarted: child.pid !== undefined,
    input: child.stdin,
    output: child.stdout,
    errors: child.stderr,
    ended: Promise.race([failed, exited.then(() => Promise.race([closed, pause(PATIENCE_MS, null)]))]),
    kill: () => {
      killing ??= kill();
      return killing;
    },
  };
}

/** Windows has no groups: there, only the program itself is ended. */
function signalGroup(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, name);
  } catch {
    // Nothing of it is left.
  }
}
