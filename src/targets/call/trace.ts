import type { JsonObject } from '../../suite/document/json.ts';
import type { Marks } from '../model/marks.ts';
import { NOTHING_REPORTED, type Reported } from '../reply/reply.ts';
import type { NewConnection, TransportFailure, TransportReply } from '../transport/wire.ts';

/** What is known of a call, however it ended. */
export interface CallTrace {
  readonly marks: Marks;
  /** Times the submit was sent; more than 1 only after a refusal matched as throttled. */
  readonly attempts: number;
  /** Time between the refusals and the attempts after them. */
  readonly throttleWaitMs: number;
  readonly polls: number;
  /** What replies gave for `${job.*}`; URLs stand in it whole, a secret in them does not. Empty where nothing was captured. */
  readonly captured: JsonObject;
  /** GETs sent for the media, repeated ones and redirects among them, and requests on the way to it; 0 where the reply held the bytes. */
  readonly downloads: number;
  /** Of the reply that decided; null where none came. */
  readonly httpStatus: number | null;
  readonly reported: Reported;
  /** Of the submit; null where an open connection was used again. */
  readonly connection: NewConnection | null;
}

/** How a call that delivered nothing ended. */
export interface CallFailure {
  readonly outcome: 'moderated' | 'throttled' | 'no_credit' | 'rejected' | 'error' | 'timed_out' | 'cancelled';
  readonly error: { readonly code: string; readonly message: string };
}

/** The trace of a job that another process submitted: its clock is not ours, so the job counts as accepted now. */
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

/** The trace of an attempt whose reply refused: its end is no acceptance. */
export function refusedTrace({ marks: { acceptedMs, ...marks }, ...trace }: CallTrace): CallTrace {
  return { ...trace, marks: acceptedMs === undefined ? marks : { ...marks, refusedMs: acceptedMs } };
}

/** The trace of one attempt to submit. First byte and end of its reply are no marks of the media, and left out. */
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
