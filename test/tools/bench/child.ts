import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A file of the bench in a process of its own, which ends when it is let go. */
export interface Child {
  /** What it said first, once it was ready. */
  readonly first: unknown;
  readonly send: (message: string | object) => void;
  /** The next thing it says. Rejects when it ends without a word. */
  readonly next: () => Promise<unknown>;
  readonly close: () => Promise<void>;
}

/** Starts a file beside this one and waits for its first word. */
export async function startChild(
  name: string,
  args: readonly string[] = [],
  execArgv: readonly string[] = [],
): Promise<Child> {
  const child = fork(fileURLToPath(new URL(`./${name}.js`, import.meta.url)), args, { execArgv: [...execArgv] });
  const ended = once(child, 'exit');
  return {
    first: await wordOf(child, name),
    send: (message) => void child.send(message),
    next: () => wordOf(child, name),
    close: async () => {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}

/** The address of a server that says its port when it listens. */
export async function startServer(
  name: string,
  args: readonly string[],
): Promise<{ readonly baseUrl: string; readonly child: Child }> {
  const child = await startChild(name, args);
  return { baseUrl: `http://127.0.0.1:${String(child.first)}`, child };
}

function wordOf(child: ChildProcess, name: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`${name} ended with ${code}`));
    child.once('exit', onExit);
    child.once('message', (message) => {
      child.off('exit', onExit);
      resolve(message);
    });
  });
}
