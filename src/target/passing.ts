import type { TransportFailure } from './wire.ts';

/** What another try may mend. */
const STATUSES: readonly number[] = [408, 425, 429, 500, 502, 503, 504];
const FAILURES: readonly TransportFailure['code'][] = [
  'dns_failed',
  'connect_refused',
  'connect_timeout',
  'connect_failed',
  'connection_dropped',
  'truncated_body',
];

/** Whether a reply of that status, or an exchange that broke off so, may have failed in passing. */
export function mayPass(failure: { readonly status: number } | { readonly code: TransportFailure['code'] }): boolean {
  return 'code' in failure ? FAILURES.includes(failure.code) : STATUSES.includes(failure.status);
}
