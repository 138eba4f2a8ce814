import type { Redact } from '../../kit/redact.ts';
import type { TransportFailure } from '../wire.ts';
import type { Deadline } from './context.ts';
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

const STATUSES: readonly number[] = [408, 425, 429];
/** The server can never do it: not implemented, HTTP version not supported. */
const LASTING: readonly number[] = [501, 505];
const FAILURES: readonly TransportFailure['code'][] = [
  'dns_failed',
  'connect_refused',
  'connect_timeout',
  'connect_failed',
  'proxy_failed',
  'connection_dropped',
  'truncated_body',
];

export function isTransient(
  failure: { readonly status: number } | { readonly code: TransportFailure['code'] },
): boolean {
  if ('code' in failure) return FAILURES.includes(failure.code);
  const { status } = failure;
  return STATUSES.includes(status) || (status >= 500 && !LASTING.includes(status));
}
