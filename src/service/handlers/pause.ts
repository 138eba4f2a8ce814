import { setTimeout as wait } from 'node:timers/promises';
import type { BehaviourDecision } from '../behaviour/decision.ts';
import type { RequestLog } from '../jobs/request-log.ts';

/** Ends early when the signal is aborted. Only for declared delays. */
export async function pause(ms: number, gone: AbortSignal): Promise<void> {
  if (ms > 0) await wait(ms, undefined, { signal: gone }).catch(() => undefined);
}

export async function waitOutStalls(
  { stalls }: BehaviourDecision,
  { now, log }: { readonly now: () => number; readonly log: RequestLog },
  gone: AbortSignal,
): Promise<void> {
  for (const { name, fromMs, untilMs } of stalls) {
    const nowMs = now();
    if (nowMs < fromMs || nowMs >= untilMs) continue;
    log.fired(name);
    await pause(untilMs - nowMs, gone);
  }
}
