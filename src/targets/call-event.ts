import type { JsonObject } from '../kit/json.ts';
import type { CallFailure } from './call/trace.ts';
import type { Credentials } from './credential.ts';
import type { KnownSecrets } from './known-secrets.ts';
import type { PollState } from './model/job.ts';
import type { ShownBody, ShownReply, ShownRequest } from './shown-message.ts';
import type { AbortNotice, FailureCode, Transport } from './wire.ts';

export type Step = 'submit' | 'poll' | 'fetch' | 'download' | 'cancel';

/** Events of a call while it is made, each request once, followed by what was read from it. They contain no secret. */
export type CallEvent = RequestEnded | ReplyRead | ValuesCaptured;

export interface RequestEnded {
  readonly event: 'request';
  readonly step: Step;
  /** Number of redirects before it in its step. */
  readonly redirect: number;
  readonly method: string;
  /** Absolute, without the values of its query. */
  readonly url: string;
  readonly credential: boolean;
  /** Start of the call, for the first submit. */
  readonly beganMs: number;
  /** When its last byte was written; null if not reached. */
  readonly sentMs: number | null;
  readonly endedMs: number;
  /** Time to open a connection; null if an open one was used, or none was made. */
  readonly connectMs: number | null;
  readonly sentBytes: number;
  /** Bytes of the reply's body; null if it is incomplete. */
  readonly receivedBytes: number | null;
  readonly status: number | null;
  readonly failure: FailureCode | null;
  /** Whether a byte of the request may have been sent. */
  readonly left: boolean;
  /** Absent if the watcher did not ask for it. `reply` is null if incomplete. */
  readonly shown?: { readonly request: ShownRequest; readonly reply: ShownReply | null };
}

export interface ReplyRead {
  readonly event: 'read';
  readonly step: Step;
  readonly reading: Reading;
}

export type Reading =
  /** `state` is null if the step polls no job. */
  | { readonly is: 'good'; readonly state: PollState | null }
  | { readonly is: 'again'; readonly throttled: boolean; readonly code: string; readonly waitMs: number }
  | ({ readonly is: 'failed' } & CallFailure);

/** Values for `${job.*}`, shortened, URLs without the values of their query. */
export interface ValuesCaptured {
  readonly event: 'captured';
  readonly step: Step;
  readonly values: JsonObject;
}

export interface StepEdge {
  readonly transport: Transport;
  readonly now: () => number;
  /** Milliseconds since 1970: to read dates of servers, never for measurements. */
  readonly wallMs: () => number;
  readonly sleep: (ms: number, signal: AbortNotice) => Promise<void>;
  /** In [0, 1). */
  readonly random: () => number;
  readonly tell?: (event: CallEvent) => void;
  /** The body of the submit as people may see it; absent: events have no headers and bodies. */
  readonly shown?: ShownBody | undefined;
}

export interface SubmitEdge extends StepEdge {
  /** Called before the wait for another attempt; says whether to make it. */
  readonly refused: (attempt: RefusedAttempt) => Promise<boolean>;
  /** A text that is unique across runs: the key of an idempotent submit. */
  readonly uniqueKey: () => string;
  /** Once aborted, no further attempt is sent; a call that waits for one ends as refused. */
  readonly held: AbortNotice;
}

export interface CallEdge extends SubmitEdge {
  /** Called with each job before its first poll; polls begin when it resolves. */
  readonly accepted: (job: AcceptedJob) => Promise<void>;
  readonly signal: AbortNotice;
  readonly credentials: Credentials;
  /** A call adds the credentials that it makes. */
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
