import type { Redact } from '../secrets/redact.ts';
import type { TransportFailure } from '../transport/wire.ts';
import type { Deadline } from './deadline.ts';
import type { CallFailure } from './trace.ts';

export function exchangeFailure(
  { code, message }: Pick<TransportFailure, 'code' | 'message'>,
  deadline: Deadline,
  redact: Redact,
): CallFailure {
  const broken = code === 'aborted' ? deadlineFailure(deadline) : null;
  return broken ?? { outcome: 'error', error: { code, message: redact(message) } };
}

/** The end of a call at its deadline; null before it. */
export function deadlineFailure(deadline: Deadline): CallFailure | null {
  const broken = deadline.broken();
  if (broken === null) return null;
  return broken === 'timed_out'
    ? { outcome: 'timed_out', error: { code: 'timed_out', message: `no result came within ${deadline.limit()}` } }
    : { outcome: 'cancelled', error: { code: 'cancelled', message: 'the call was aborted' } };
}
