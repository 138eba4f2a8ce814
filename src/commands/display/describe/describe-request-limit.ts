import { count } from '../../../text/quantity.ts';

/** That a run cannot send its whole plan: the limit of its suite is below it. Null where it can. @param limit `limits.requests` */
export function describeRequestLimit(requests: number, limit: number | null): string | null {
  if (limit === null || limit >= requests) return null;
  return `limits.requests is ${count(limit)}: the run stops before the other ${count(requests - limit)}; to send all, add --set limits.requests=${requests}`;
}
