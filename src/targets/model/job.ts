import type { Locator } from '../language/locator.ts';
import type { Template, ValueTemplate } from '../language/template.ts';

/** The state of a job in a reply. `pending` and `running` both mean: not yet. */
export type JobState = 'pending' | 'running' | 'success' | 'failure' | 'moderated';

export type PollState = Exclude<JobState, 'failure' | 'moderated'>;

/** A value of a reply for `${job.<name>}`. */
export interface Capture {
  readonly name: string;
  readonly at: readonly Locator[];
  /** A template uses it without a default. */
  readonly required: boolean;
}

/** Where a state is and what its values mean. A value in no list is an error. */
export interface StateRule {
  readonly at: readonly Locator[];
  /** The state if there is no value; null: an error. */
  readonly absent: JobState | null;
  /** Lists with `in` come before lists with `not`. */
  readonly listed: readonly StateValues[];
}

export interface StateValues {
  readonly state: JobState;
  readonly test: 'in' | 'not';
  readonly values: readonly (string | number | boolean)[];
}

/** A GET that follows a submit; it may only use `${job.*}` and `${const.*}`. */
export interface FollowUp {
  /** A path below the base, or a URL that may come from a reply. */
  readonly at: 'path' | 'url';
  readonly template: Template;
  /** Names in lower case. */
  readonly headers: readonly (readonly [name: string, value: Template])[];
  /** Whether the credential is sent, if `origins.auth` allows it. */
  readonly auth: boolean;
}

/** Asks the service to end a job; its body too may only use `${job.*}` and `${const.*}`. */
export interface CancelRequest extends FollowUp {
  readonly method: 'POST' | 'PUT' | 'DELETE';
  /** JSON; null: none. */
  readonly body: ValueTemplate | null;
}

export interface PollRule {
  readonly by: 'poll';
  readonly request: FollowUp;
  readonly minEveryMs: number;
  /** From the acceptance; null: only the time limit of the call. */
  readonly deadlineMs: number | null;
  readonly state: StateRule;
  readonly capture: readonly Capture[];
  /** All are sent when the job is abandoned. Empty: no known way. */
  readonly cancel: readonly CancelRequest[];
}

/** Server-sent events in the reply to the submit, until one says that the job is done. */
export interface EventRule {
  readonly by: 'events';
  /** Where the name of an event is in its data; null: in its `event` field. */
  readonly name: readonly Locator[] | null;
  /** `running` is partial: not yet. */
  readonly listed: readonly StateValues[];
}

/** For an endpoint whose reply to the submit is not its output. */
export interface Wait {
  readonly capture: readonly Capture[];
  /** Null: no wait; the captured values lead to the media. */
  readonly until: PollRule | EventRule | null;
}

export interface Hop {
  readonly request: FollowUp;
  readonly capture: readonly Capture[];
}
