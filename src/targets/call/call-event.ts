import type { JsonObject } from '../../suite/document/json.ts';
import type { PollState } from '../model/job.ts';
import type { ShownReply, ShownRequest } from '../reply/shown-message.ts';
import type { FailureCode } from '../transport/wire.ts';
import type { CallFailure } from './trace.ts';

/** What a request of a call is for. */
export type Step = 'submit' | 'poll' | 'fetch' | 'download' | 'cancel';

/**
 * The events of a call for its watcher, while it is made. Each request is reported once, when its reply or its failure
 * is there; what was read from the last request of a step follows it at once. Nothing in it holds a secret.
 */
export type CallEvent = RequestEnded | ReplyRead | ValuesCaptured;

/** One request as it was sent, and what came back. */
export interface RequestEnded {
  readonly event: 'request';
  readonly step: Step;
  /** Which redirect of its step it follows, from 1; 0 for the request that the step began with. */
  readonly redirect: number;
  readonly method: string;
  /** Absolute, as `showUrl` gives it: the values of its query are left out. */
  readonly url: string;
  /** Whether the credential went along. */
  readonly credential: boolean;
  /** When the call turned to it; for the first submit, when the call began. */
  readonly beganMs: number;
  /** When its last byte was written; null where that was not reached. */
  readonly sentMs: number | null;
  readonly endedMs: number;
  /** Until a new connection was ready; null where an open one was used again, or none came about. */
  readonly connectMs: number | null;
  /** Of the request's body. */
  readonly sentBytes: number;
  /** Of the reply's body; null where it did not come whole. */
  readonly receivedBytes: number | null;
  /** Null where no reply began. */
  readonly status: number | null;
  /** Null where a reply came whole. */
  readonly failure: FailureCode | null;
  /** Whether a byte of it can have left. */
  readonly left: boolean;
  /** What was in both; absent where the watcher did not ask for it. `reply` is null where none came whole. */
  readonly shown?: { readonly request: ShownRequest; readonly reply: ShownReply | null };
}

/** What was made of the reply to the last request of a step, or of its failure, or why there was no further one. */
export interface ReplyRead {
  readonly event: 'read';
  readonly step: Step;
  readonly reading: Reading;
}

export type Reading =
  /** The call goes on from it. `state` of a job; null where the step asks for none. */
  | { readonly is: 'good'; readonly state: PollState | null }
  /** The same is sent again after a wait. */
  | { readonly is: 'again'; readonly throttled: boolean; readonly code: string; readonly waitMs: number }
  | ({ readonly is: 'failed' } & CallFailure);

/** What the reply before gave for `${job.*}`, by name. Shown values: shortened, URLs without the values of their query. */
export interface ValuesCaptured {
  readonly event: 'captured';
  readonly step: Step;
  readonly values: JsonObject;
}
