import type { OwnService } from '../../../run/limits/own-service.ts';
import { EMBEDDED, type Variant } from '../../../targets/model/target.ts';
import type { Secrets } from '../../../targets/secrets/secrets.ts';
import { startEmbeddedService } from './embedded-service.ts';

export interface Endpoints {
  readonly baseUrlOf: (variant: Variant) => string;
  readonly secretsOf: (variant: Variant) => Secrets;
  /** All secret values in use, to be redacted. */
  readonly secretValues: readonly string[];
  readonly service: OwnService | null;
}

interface OpenEndpoints extends Endpoints {
  readonly close: () => Promise<void>;
}

/** Whether a variant calls the reference service of the run: it costs nothing, and ends with the run. */
export function isEmbedded({ baseUrl }: Pick<Variant, 'baseUrl'>): boolean {
  return baseUrl === EMBEDDED;
}

/** Closes the endpoints however `use` ends. */
export async function withEndpoints<T>(
  variants: readonly Variant[],
  secrets: Secrets,
  program: string,
  use: (endpoints: Endpoints) => Promise<T>,
): Promise<T> {
  const endpoints = await openEndpoints(variants, secrets, program);
  try {
    return await use(endpoints);
  } finally {
    await endpoints.close();
  }
}

/** One reference service for all variants at `embedded:`; their secrets are a key made for it, never the user's. */
async function openEndpoints(variants: readonly Variant[], secrets: Secrets, program: string): Promise<OpenEndpoints> {
  const embedded = new Set(variants.filter(isEmbedded).map(({ name }) => name));
  const service = embedded.size > 0 ? await startEmbeddedService(program) : null;
  const madeKey = service?.key ?? '';
  return {
    baseUrlOf: ({ baseUrl }) => (baseUrl === EMBEDDED ? (service?.url ?? '') : baseUrl),
    secretsOf: ({ baseUrl, target }) =>
      baseUrl === EMBEDDED ? Object.fromEntries(target.secrets.map((name) => [name, madeKey])) : secrets,
    secretValues: [...new Set([...Object.values(secrets), madeKey])].filter((value) => value !== ''),
    service: service === null ? null : { ended: service.ended, serves: (name) => embedded.has(name) },
    close: async () => service?.close(),
  };
}
