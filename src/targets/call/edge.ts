import type { JsonObject } from '../../suite/document/json.ts';
import type { ShownBody } from '../reply/shown-message.ts';
import type { Credentials } from '../secrets/credential.ts';
import type { KnownSecrets } from '../secrets/known-secrets.ts';
import type { AbortNotice } from '../transport/abort.ts';
import type { Transport } from '../transport/wire.ts';
import type { CallEvent } from './call-event.ts';

/** The world as the steps of a call meet it. */
export interface StepEdge {
  readonly transport: Transport;
  readonly now: () => number;
  readonly sleep: (ms: number, signal: AbortNotice) => Promise<void>;
  /** A number in [0, 1). */
  readonly random: () => number;
  /** Told of every request and of what was read from its reply, as the call goes on. Absent: nobody watches. */
  readonly tell?: (event: CallEvent) => void;
  /** What the body of the submit looks like: its events hold headers and bodies too. Absent: they do not. */
  readonly shown?: ShownBody | undefined;
}

/** The world as a submit meets it. */
export interface SubmitEdge extends StepEdge {
  /** Told of each attempt that is to be sent again, before the wait for the next; says whether there is to be one. */
  readonly refused: (attempt: RefusedAttempt) => Promise<boolean>;
  /** A text that no other call of any run has: the key of an idempotent submit. */
  readonly uniqueKey: () => string;
  /** Aborted: no further attempt is sent. A call that waits for one ends at once, refused. */
  readonly held: AbortNotice;
}

/** The world as a call meets it. */
export interface CallEdge extends SubmitEdge {
  /** Told of each job before its first poll; the polls begin when it resolves. */
  readonly accepted: (job: AcceptedJob) => Promise<void>;
  /** Aborted: the call is aborted and ends as cancelled. */
  readonly signal: AbortNotice;
  readonly credentials: Credentials;
  /** What must not get out in any text; the call adds its credentials. */
  readonly secrets: KnownSecrets;
}

/**
 * An attempt (from 1) that is to be sent again after `waitMs`: it was answered as throttled, or is idempotent and failed
 * transiently (then without a status where no reply came).
 */
export interface RefusedAttempt {
  readonly attempt: number;
  /** Refused as throttled; else an idempotent one with a transient failure. */
  readonly throttled: boolean;
  readonly httpStatus: number | null;
  readonly waitMs: number;
  readonly atMs: number;
}

/** A job that a service took on, with what is needed to ask after it: URLs whole, secrets redacted. */
export interface AcceptedJob {
  readonly captured: JsonObject;
  readonly atMs: number;
}
