import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** The reference service of one run: in a process of its own, with a key that was made for it. */
export interface EmbeddedService {
  readonly url: string;
  readonly key: string;
  /** How its process ended; resolves when it has. */
  readonly ended: Promise<{ readonly exitCode: number | null; readonly signal: string | null }>;
  readonly close: () => Promise<void>;
}

/**
 * Starts the reference service in a process of its own on a free loopback port. It ends when its standard input
 * closes: by `close`, or with this process, however that ends. `program` is the file Retake was started from.
 */
export async function startEmbeddedService(program: string): Promise<EmbeddedService> {
  const key = randomBytes(24).toString('base64url');
  const child = spawn(process.execPath, [program, 'serve', '--embedded'], {
    // The user's keys are not the service's to know. Its own group: an interrupt of the run must let it answer.
    env: {},
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  child.stdin.on('error', () => {});
  child.stdin.write(`${key}\n`);
  const lines = createInterface({ input: child.stdout });
  const first = await Promise.race([once(lines, 'line'), ended.then(() => null)]);
  if (first === null) throw new Error('the reference service ended before it listened');
  const { url } = JSON.parse(String(first[0]));
  return {
    url,
    key,
    ended: ended.then(([exitCode, signal]) => ({ exitCode, signal })),
    close: async () => {
      child.stdin.end();
      await ended;
    },
  };
}
