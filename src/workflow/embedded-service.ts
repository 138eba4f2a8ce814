import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { OwnService } from '../run/limits.ts';

/** The reference service of one run: in its own process, with a key made for it. */
interface EmbeddedService extends Pick<OwnService, 'ended'> {
  readonly url: string;
  readonly key: string;
  readonly close: () => Promise<void>;
}

/**
 * Starts the reference service in its own process on a free loopback port. It ends when its standard input closes: by
 * `close`, or with this process, however that ends.
 * @param program the file that Retake was started from
 */
export async function startEmbeddedService(program: string): Promise<EmbeddedService> {
  const key = randomBytes(24).toString('base64url');
  const child = spawn(process.execPath, [program, 'serve', '--embedded'], {
    // The service must not get the user's keys. Its own process group, because it must still answer after an interrupt
    // of the run.
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
