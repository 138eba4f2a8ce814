import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { OwnService } from '../run/limits.ts';
import { EMBEDDED } from '../targets/base-url.ts';
import type { Secrets } from '../targets/secrets.ts';
import type { Variant } from '../targets/target.ts';

export interface Endpoints {
  readonly baseUrlOf: (variant: Variant) => string;
  readonly secretsOf: (variant: Variant) => Secrets;
  /** All secret values in use, to be redacted. */
  readonly secretValues: readonly string[];
  readonly service: OwnService | null;
}

/** Whether a variant calls the reference service of the run: it costs nothing, and ends with the run. */
export function isEmbedded({ baseUrl }: Pick<Variant, 'baseUrl'>): boolean {
  return baseUrl === EMBEDDED;
}

/**
 * One reference service for all variants at `embedded:`, closed however `use` ends; their secrets are a key made for
 * it, never the user's.
 */
export async function withEndpoints<T>(
  variants: readonly Variant[],
  secrets: Secrets,
  program: string,
  use: (endpoints: Endpoints) => Promise<T>,
): Promise<T> {
  const embedded = new Set(variants.filter(isEmbedded).map(({ name }) => name));
  const service = embedded.size > 0 ? await startEmbeddedService(program) : null;
  const madeKey = service?.key ?? '';
  try {
    return await use({
      baseUrlOf: ({ baseUrl }) => (baseUrl === EMBEDDED ? (service?.url ?? '') : baseUrl),
      secretsOf: ({ baseUrl, target }) =>
        baseUrl === EMBEDDED ? Object.fromEntries(target.secrets.map((name) => [name, madeKey])) : secrets,
      secretValues: [...new Set([...Object.values(secrets), madeKey])].filter((value) => value !== ''),
      service: service === null ? null : { ended: service.ended, serves: (name) => embedded.has(name) },
    });
  } finally {
    await service?.close();
  }
}

/** The reference service of one run: in its own process, with a key made for it. */
interface EmbeddedService {
  readonly url: string;
  readonly key: string;
  /** Resolves when its process has ended. */
  readonly ended: Promise<{ readonly exitCode: number | null; readonly signal: string | null }>;
  readonly close: () => Promise<void>;
}

/**
 * Starts the reference service in its own process on a free loopback port. It ends when its standard input closes: by
 * `close`, or with this process, however that ends.
 * @param program the file that Retake was started from
 */
async function startEmbeddedService(program: string): Promise<EmbeddedService> {
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
