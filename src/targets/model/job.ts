import type { Locator } from '../language/locator.ts';
import type { ValueTemplate } from '../language/render-template.ts';
import type { Template } from '../language/write-template.ts';

/*
 * How an endpoint is asked for what its submit reply does not hold: jobs that are waited for, requests on the way to the
 * media. Plain data, as all of a target.
 */

/** What a reply says of a job. `pending` and `running` both mean: not yet. */
export type JobState = 'pending' | 'running' | 'success' | 'failure' | 'moderated';

/** What a poll says of a job that has not failed. */
export type PollState = Exclude<JobState, 'failure' | 'moderated'>;

/** A value of a reply that is kept for `${job.<name>}`. */
export interface Capture {
  readonly name: string;
  readonly at: readonly Locator[];
  /** A template needs it: one names it without a default. */
  readonly required: boolean;
}

/** Where a state stands and what its values mean. A value that no list has is an error. */
export interface StateRule {
  readonly at: readonly Locator[];
  /** What it means that none is there; null: an error. */
  readonly absent: JobState | null;
  /** Values that are listed come before those that are only not excluded. */
  readonly listed: readonly StateValues[];
}

/** `in`: one of these means the state; `not`: anything else does. */
export interface StateValues {
  readonly state: JobState;
  readonly test: 'in' | 'not';
  readonly values: readonly (string | number | boolean)[];
}

/** A GET that follows a submit; only `${job.*}` and `${const.*}` may stand in it. */
export interface FollowUp {
  /** A path below the base, or a URL that may come from a reply. */
  readonly at: 'path' | 'url';
  readonly template: Template;
  /** Names in lower case. */
  readonly headers: readonly (readonly [name: string, value: Template])[];
  /** Whether the credential goes along, where `origins.auth` allows it. */
  readonly auth: boolean;
}

/** A request that asks the service to end a job; in its body too only `${job.*}` and `${const.*}` may stand. */
export interface CancelRequest extends FollowUp {
  readonly method: 'POST' | 'PUT' | 'DELETE';
  /** JSON; null: none. */
  readonly body: ValueTemplate | null;
}

/** Asking after a job until it is done. */
export interface PollRule {
  readonly by: 'poll';
  readonly request: FollowUp;
  readonly minEveryMs: number;
  /** From the acceptance; null: the time limit of the call alone. */
  readonly deadlineMs: number | null;
  readonly state: StateRule;
  /** Of the reply that says done. */
  readonly capture: readonly Capture[];
  /** All are sent when the job is abandoned. Empty: the service has nothing for it, or the target does not say. */
  readonly cancel: readonly CancelRequest[];
}

/** A stream of server-sent events in the reply to the submit, until the one that says done. */
export interface EventRule {
  readonly by: 'events';
  /** Where the name of an event stands in its data; null: in its `event` field. */
  readonly name: readonly Locator[] | null;
  /** `running` is partial: not yet. */
  readonly listed: readonly StateValues[];
}

/** How an endpoint that does not answer with its output is waited for. */
export interface Wait {
  /** Of the submit reply, or of the event that says done. */
  readonly capture: readonly Capture[];
  /** Null: nothing is waited for, the values lead on to the media. */
  readonly until: PollRule | EventRule | null;
}

/** One request between the job and its result. */
export interface Hop {
  readonly request: FollowUp;
  readonly capture: readonly Capture[];
}
