import type { JsonObject } from '../../kit/json.ts';
import type { ShownBody } from '../reply/shown-message.ts';
import type { Credentials } from '../secrets/credential.ts';
import type { KnownSecrets } from '../secrets/known-secrets.ts';
import type { AbortNotice } from '../transport/abort.ts';
import type { Transport } from '../transport/wire.ts';
import type { CallEvent } from './call-event.ts';

export interface StepEdge {
  readonly transport: Transport;
  readonly now: () => number;
  /** Milliseconds since 1970: to read dates of servers, never for measurements. */
  readonly wallMs: () => number;
  readonly sleep: (ms: number, signal: AbortNotice) => Promise<void>;
  /** In [0, 1). */
  readonly random: () => number;
  /** Gets every request and what was read from its reply. Absent: nobody watches. */
  readonly tell?: (event: CallEvent) => void;
  /** The body of the submit as people may see it; absent: events have no headers and bodies. */
  readonly shown?: ShownBody | undefined;
}

export interface SubmitEdge extends StepEdge {
  /** Called before the wait for another attempt; says whether to make it. */
  readonly refused: (attempt: RefusedAttempt) => Promise<boolean>;
  /** A text that no other call of any run has: the key of an idempotent submit. */
  readonly uniqueKey: () => string;
  /** Aborted: no further attempt is sent. A call that waits for one ends at once, refused. */
  readonly held: AbortNotice;
}

export interface CallEdge extends SubmitEdge {
  /** Called with each job before its first poll; polls begin when it resolves. */
  readonly accepted: (job: AcceptedJob) => Promise<void>;
  readonly signal: AbortNotice;
  readonly credentials: Credentials;
  /** The call adds its credentials. */
  readonly secrets: KnownSecrets;
}

/** Repeated after `waitMs`: throttled, or idempotent with a transient failure (status null without a reply). */
export interface RefusedAttempt {
  readonly attempt: number;
  readonly throttled: boolean;
  readonly httpStatus: number | null;
  readonly waitMs: number;
  readonly atMs: number;
}

/** An accepted job with what a poll needs: URLs whole, secrets redacted. */
export interface AcceptedJob {
  readonly captured: JsonObject;
  readonly atMs: number;
}
