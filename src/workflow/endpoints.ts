import type { Checked } from '../kit/diagnostic.ts';
import type { OwnService } from '../run/limits.ts';
import { EMBEDDED } from '../targets/origins.ts';
import { knowSecrets, readSecrets, type Secrets } from '../targets/secrets.ts';
import type { Variant } from '../targets/target.ts';
import type { WorkflowEdge } from './workflow-edge.ts';

export interface Endpoints {
  readonly baseUrlOf: (variant: Variant) => string;
  readonly secretsOf: (variant: Variant) => Secrets;
  /** All secret values in use, to be redacted. */
  readonly secretValues: readonly string[];
  readonly service: OwnService | null;
}

/** The reference service of a run costs nothing, and ends with the run. */
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
  { program }: Pick<WorkflowEdge, 'program'>,
  use: (endpoints: Endpoints) => Promise<T>,
): Promise<T> {
  const embedded = new Set(variants.filter(isEmbedded).map(({ name }) => name));
  const service =
    embedded.size > 0 ? await (await import('./embedded-service.ts')).startEmbeddedService(program) : null;
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

/** The keys of the endpoints, with warnings. From then on internal errors do not show them. */
export function readKeys(
  endpoints: Parameters<typeof readSecrets>[0],
  { env, redactErrors }: Pick<WorkflowEdge, 'env' | 'redactErrors'>,
): Checked<Secrets> {
  const secrets = readSecrets(endpoints, env);
  if (secrets.ok) redactErrors(knowSecrets(Object.values(secrets.value)).redact);
  return secrets;
}
