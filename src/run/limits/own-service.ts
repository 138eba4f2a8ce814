import { sleep } from '../wire/clock.ts';
import type { EndedCall } from '../wire/wire-messages.ts';

export interface ServiceEnd {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

export interface OwnService {
  readonly ended: Promise<ServiceEnd>;
  readonly serves: (variant: string) => boolean;
}

/** The end of a process may be noticed this long after its connections close. */
const TOLD_WITHIN_MS = 500;

/** The result of a call; cancelled if our own service has ended, which closes connections before its end is known. */
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

export function lostItsService(result: EndedCall): boolean {
  return result.outcome === 'cancelled' && result.error.code === SERVICE_ENDED.code;
}
