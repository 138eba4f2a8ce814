import type { JsonObject } from '../../kit/json.ts';
import type { Marks, Reported } from '../recorded.ts';
import { type NewConnection, NOTHING_REPORTED, type TransportFailure, type TransportReply } from '../wire.ts';

export interface CallTrace {
  readonly marks: Marks;
  /** Submits sent; above 1 after throttling or, if idempotent, transient failures. */
  readonly attempts: number;
  /** Time between refusals and the attempts after them. */
  readonly throttleWaitMs: number;
  readonly polls: number;
  /** Values for `${job.*}`: URLs whole, secrets redacted. */
  readonly captured: JsonObject;
  /** GETs with retries and redirects, except polls; 0 if the submit's reply contained the bytes. */
  readonly downloads: number;
  /** Status of the reply that decided; null without one. */
  readonly httpStatus: number | null;
  readonly reported: Reported;
  /** Connection of the submit; null if an open one was used. */
  readonly connection: NewConnection | null;
}

export interface CallFailure {
  readonly outcome: 'moderated' | 'throttled' | 'no_credit' | 'rejected' | 'error' | 'timed_out' | 'cancelled';
  readonly error: { readonly code: string; readonly message: string };
}

/** The trace of a job of another process: clocks differ, so the job counts as accepted now. */
export function attachedTrace(captured: JsonObject, nowMs: number): CallTrace {
  return {
    marks: { startedMs: nowMs, acceptedMs: nowMs },
    attempts: 0,
    throttleWaitMs: 0,
    polls: 0,
    captured,
    downloads: 0,
    httpStatus: null,
    reported: NOTHING_REPORTED,
    connection: null,
  };
}

/** A refusal is not an acceptance: removes its timestamp. */
export function refusedTrace({ marks: { acceptedMs, ...marks }, ...trace }: CallTrace): CallTrace {
  return { ...trace, marks: acceptedMs === undefined ? marks : { ...marks, refusedMs: acceptedMs } };
}

/** Leaves out the first byte and the end of the reply: they are not of the media. */
export function submitTrace(
  startedMs: number,
  exchange: TransportReply | TransportFailure,
  attempts: number,
  throttleWaitMs: number,
): CallTrace {
  const { connectedMs, sentMs, headersMs, doneMs } = exchange.marks;
  return {
    marks: {
      startedMs,
      ...(connectedMs === undefined ? {} : { connectedMs }),
      ...(sentMs === undefined ? {} : { sentMs }),
      ...(headersMs === undefined ? {} : { headersMs }),
      ...(doneMs === undefined ? {} : { acceptedMs: doneMs }),
    },
    attempts,
    throttleWaitMs,
    polls: 0,
    captured: {},
    downloads: 0,
    httpStatus: exchange.status,
    reported: NOTHING_REPORTED,
    connection: exchange.connection,
  };
}
