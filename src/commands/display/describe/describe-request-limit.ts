import { count } from '../../../text/wording.ts';

/** Warns that a run would reach `limits.requests`; null if it would not. */
export function describeRequestLimit(requests: number, limit: number | null): string | null {
  if (limit === null || limit >= requests) return null;
  return `limits.requests is ${count(limit)}: the run stops before the other ${count(requests - limit)}; to send all, add --set limits.requests=${requests}`;
}
