import { sleep } from '../wire/clock.ts';
import type { EndedCall } from '../wire/wire-messages.ts';

/** How the process of a service ended. */
export interface ServiceEnd {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/** The reference service that was started for the run. */
export interface OwnService {
  /** Resolves when it has ended. */
  readonly ended: Promise<ServiceEnd>;
  readonly serves: (variant: string) => boolean;
}

/** How long after its connections the end of a process may be told. */
const TOLD_WITHIN_MS = 500;

/**
 * What a call of a variant gave: as cancelled where our own service has ended. Its end is no fault of the variant, and ends
 * its connections a moment before the process is known to be gone.
 */
export async function withoutOwnService(
  service: OwnService | null,
  variant: string,
  result: EndedCall | Error,
): Promise<EndedCall | Error> {
  if (service === null || result instanceof Error || !service.serves(variant)) return result;
  if (result.outcome !== 'error' && result.outcome !== 'cancelled') return result;
  const waited = sleep(result.outcome === 'error' ? TOLD_WITHIN_MS : 0, NEVER);
  const hasEnded = await Promise.race([service.ended.then(() => true), waited.then(() => false)]);
  return hasEnded ? { ...result, outcome: 'cancelled', error: SERVICE_ENDED } : result;
}

const NEVER = new AbortController().signal;

const SERVICE_ENDED = { code: 'service_ended', message: 'the reference service of the run ended' };

/** Whether a call ended as cancelled because our own service was gone. */
export function lostItsService(result: EndedCall): boolean {
  return result.outcome === 'cancelled' && result.error.code === SERVICE_ENDED.code;
}
