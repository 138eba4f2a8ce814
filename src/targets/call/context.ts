import type { Readable } from '../language/locator.ts';
import type { Target } from '../model/target.ts';
import type { Addressing } from '../request/outgoing.ts';
import type { KnownSecrets } from '../secrets/known-secrets.ts';
import type { Redact } from '../secrets/redact.ts';
import type { TransportReply } from '../transport/wire.ts';
import type { Deadline } from './deadline.ts';
import type { StepEdge } from './edge.ts';
import type { CallFailure, CallTrace } from './trace.ts';

/** What the steps of a call share. */
export interface CallContext {
  readonly target: Target;
  readonly addressing: Addressing;
  readonly deadline: Deadline;
  readonly secrets: KnownSecrets;
  /** Theirs, for all that gets out as text. */
  readonly redact: Redact;
  readonly edge: StepEdge;
}

/** The reply that a step ended with: what the next one goes on from, and at last what the result is read from. */
export interface Answer {
  readonly trace: CallTrace;
  readonly reply: Pick<TransportReply, 'status' | 'headers' | 'body'>;
  readonly readable: Readable;
  /** When it came: its head, its first byte, its end. */
  readonly arrived: { readonly beganMs: number; readonly firstByteMs: number; readonly endedMs: number };
  /** The step it came from. */
  readonly from: 'submit' | 'event' | 'poll' | 'hop';
}

export type Answered =
  | ({ readonly ok: true } & Answer)
  | ({ readonly ok: false; readonly trace: CallTrace } & CallFailure);

/** When a reply came. */
export function arrivalOf({ marks }: Pick<TransportReply, 'marks'>): Answer['arrived'] {
  const { headersMs, firstByteMs, doneMs } = marks;
  return { beganMs: headersMs, firstByteMs: firstByteMs ?? headersMs, endedMs: doneMs };
}
