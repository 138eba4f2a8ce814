/**
 * Why measuring ended, as a code and what belongs to it. Everything but `finished` leaves the run incomplete. Texts that
 * a server sent are shortened and redacted, and hostile.
 */
export type Stop =
  | { readonly reason: 'finished' }
  | { readonly reason: 'interrupted' }
  | ({ readonly reason: 'failures' } & FailuresExceeded)
  | { readonly reason: 'requests'; readonly limit: number }
  | { readonly reason: 'usd'; readonly limitUsd: number }
  | { readonly reason: 'no_credit'; readonly variant: string; readonly message: string }
  | { readonly reason: 'throttled'; readonly variant: string }
  | ({ readonly reason: 'unreachable' } & Unreachable)
  | ({ readonly reason: 'disk' } & DiskFault)
  /** This process has no file descriptor left. */
  | { readonly reason: 'descriptors' }
  /** The reference service that was started for the run ended by itself. */
  | { readonly reason: 'service'; readonly exitCode: number | null; readonly signal: string | null }
  | { readonly reason: 'defect'; readonly message: string };

/** Failures that are significantly above `limits.failures`. */
export interface FailuresExceeded {
  readonly failed: number;
  readonly samples: number;
  /** A share, 0 to 1. */
  readonly limit: number;
}

/** A server that no connection could be opened to. */
export interface Unreachable {
  /** Scheme, host and port. */
  readonly origin: string;
  /** The environment variable that its base URL was taken from; null where it was written out. */
  readonly variable: string | null;
  /** `connect_refused`, `connect_timeout`, `connect_failed` or `dns_failed`. */
  readonly failure: string;
  /** How long it was waited for; 0 where nothing had ever been reached there. */
  readonly waitedMs: number;
}

/** A file of the record that could not be written. */
export interface DiskFault {
  /** Null where the system names none: it was writing to a file that was open. */
  readonly path: string | null;
  /** Of the system: `ENOSPC`, `EDQUOT`, `EFBIG`, `ENOENT` where the folder is gone. */
  readonly code: string;
}
