import type { JsonObject } from '../kit/json.ts';
import type { Trial } from '../plan/trial.ts';
import type { Abandonment, LoopDelay, Sample } from '../record/journal.ts';
import type { CallResult } from '../targets/call.ts';
import type { AcceptedJob, CallEvent, RefusedAttempt, ShownBody } from '../targets/call-event.ts';
import type { Origins, Proxies } from '../targets/origins.ts';
import type { EncodedRequest } from '../targets/outgoing.ts';
import type { RenderedRequest } from '../targets/request.ts';
import type { Target } from '../targets/target.ts';
import type { ClockOrigin } from './clock.ts';

export interface WireSetup {
  readonly origin: ClockOrigin;
  readonly targets: Readonly<Record<string, Target>>;
  /** Sockets per host. */
  readonly connections: number;
  readonly proxies: Proxies;
  /** Redacted from every text that comes back. */
  readonly secrets: readonly string[];
  readonly jitter: number;
}

export interface CallRequest {
  readonly target: string;
  readonly baseUrl: string;
  readonly submit: RenderedRequest;
  readonly timeoutMs: number;
  readonly onThrottle: 'wait' | 'fail' | 'stop';
  /** Of the variant; absent: those of its target. */
  readonly origins?: Origins;
  /** On the clock of the setup; absent: at once. */
  readonly dueMs?: number;
  readonly bodies?: boolean;
  /** Values of a job that an earlier process submitted: it is polled, nothing is submitted. */
  readonly attach?: JsonObject;
}

/** A call with its body as bytes, which are freed once the service has accepted the job. */
export type HandedCall = Omit<CallRequest, 'submit' | 'bodies'> & {
  readonly submit: Omit<EncodedRequest, 'body'> & { body: EncodedRequest['body'] };
  /** The body as people may see it; absent if events show no bodies. */
  readonly shown?: ShownBody;
};

export type ToWire =
  | { readonly message: 'call'; readonly call: number; readonly request: HandedCall; readonly watched: boolean }
  | { readonly message: 'proceed'; readonly call: number; readonly again: boolean }
  | { readonly message: 'tell-delay' }
  | { readonly message: 'rest'; readonly resting: boolean }
  | { readonly message: 'hold' }
  | { readonly message: 'abort' }
  | { readonly message: 'close' };

/** `harnessLag`: this machine took its timestamps late. */
export type EndedCall = CallResult & { readonly harnessLag: boolean };

export type FromWire =
  | OfCall
  | { readonly message: 'delay'; readonly delay: LoopDelay }
  /** A new credential that must not be shown; sent before any message of a call that uses it. */
  | { readonly message: 'secret'; readonly secret: string; readonly live: boolean };

export type OfCall =
  | { readonly message: 'refused'; readonly call: number; readonly attempt: RefusedAttempt }
  | { readonly message: 'accepted'; readonly call: number; readonly job: AcceptedJob }
  /** Only of a watched call. */
  | { readonly message: 'told'; readonly call: number; readonly event: CallEvent }
  | { readonly message: 'done'; readonly call: number; readonly result: EndedCall }
  | { readonly message: 'defect'; readonly call: number; readonly reason: string };

export type RunnerEvent =
  | { readonly event: 'started'; readonly trial: Trial }
  | { readonly event: 'refused'; readonly trial: Trial; readonly attempt: Omit<RefusedAttempt, 'throttled'> }
  | { readonly event: 'abandoned'; readonly variant: string; readonly why: Abandonment }
  | {
      readonly event: 'load_ended';
      readonly variant: string;
      readonly step: number;
      readonly failed: number;
      readonly samples: number;
    }
  /** After a look between parts of the plan; once decided, no other part is sent. */
  | { readonly event: 'look'; readonly look: number; readonly of: number; readonly decided: boolean }
  /** A server that was reached before cannot be reached; the run waits for it. */
  | { readonly event: 'waiting'; readonly origin: string; readonly code: string }
  | { readonly event: 'reached'; readonly origin: string }
  | { readonly event: 'ended'; readonly sample: Sample };

export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
