import type { TransportFailure } from '../transport/wire.ts';

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
