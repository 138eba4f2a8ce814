import type { JsonObject } from '../../kit/json.ts';
import type { PollState } from '../model/job.ts';
import type { ShownReply, ShownRequest } from '../reply/shown-message.ts';
import type { FailureCode } from '../transport/wire.ts';
import type { CallFailure } from './trace.ts';

export type Step = 'submit' | 'poll' | 'fetch' | 'download' | 'cancel';

/** Events of a call while it is made, each request once, followed by what was read from it. They contain no secret. */
export type CallEvent = RequestEnded | ReplyRead | ValuesCaptured;

export interface RequestEnded {
  readonly event: 'request';
  readonly step: Step;
  /** Which redirect of its step it follows, from 1; 0 for the first request. */
  readonly redirect: number;
  readonly method: string;
  /** Absolute, without the values of its query. */
  readonly url: string;
  readonly credential: boolean;
  /** For the first submit, when the call began. */
  readonly beganMs: number;
  /** When its last byte was written; null if not reached. */
  readonly sentMs: number | null;
  readonly endedMs: number;
  /** Until a new connection was ready; null if an open one was used, or none was made. */
  readonly connectMs: number | null;
  readonly sentBytes: number;
  /** Bytes of the reply's body; null if it is incomplete. */
  readonly receivedBytes: number | null;
  /** Status of the reply; null without one. */
  readonly status: number | null;
  /** Null if a reply came whole. */
  readonly failure: FailureCode | null;
  /** Whether a byte of it may have been sent. */
  readonly left: boolean;
  /** Absent if the watcher did not ask for it. `reply` is null if incomplete. */
  readonly shown?: { readonly request: ShownRequest; readonly reply: ShownReply | null };
}

/** The result of the last request of a step, or why there was no further one. */
export interface ReplyRead {
  readonly event: 'read';
  readonly step: Step;
  readonly reading: Reading;
}

export type Reading =
  /** The call goes on. `state` is null if the step polls no job. */
  | { readonly is: 'good'; readonly state: PollState | null }
  | { readonly is: 'again'; readonly throttled: boolean; readonly code: string; readonly waitMs: number }
  | ({ readonly is: 'failed' } & CallFailure);

/** Values for `${job.*}`, shortened, URLs without the values of their query. */
export interface ValuesCaptured {
  readonly event: 'captured';
  readonly step: Step;
  readonly values: JsonObject;
}
