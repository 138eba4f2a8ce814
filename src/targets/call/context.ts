import type { StepEdge } from '../call-event.ts';
import type { KnownSecrets } from '../known-secrets.ts';
import type { Readable } from '../language/locator.ts';
import type { Addressing } from '../outgoing.ts';
import type { Redact } from '../redact.ts';
import type { Target } from '../target.ts';
import type { TransportReply } from '../wire.ts';
import type { Deadline } from './deadline.ts';
import type { CallFailure, CallTrace } from './trace.ts';

export interface CallContext {
  readonly target: Target;
  readonly addressing: Addressing;
  readonly deadline: Deadline;
  readonly secrets: KnownSecrets;
  readonly redact: Redact;
  readonly edge: StepEdge;
}

export interface Answer {
  readonly trace: CallTrace;
  readonly reply: Pick<TransportReply, 'status' | 'headers' | 'body'>;
  readonly readable: Readable;
  readonly arrived: { readonly beganMs: number; readonly firstByteMs: number; readonly endedMs: number };
  readonly from: 'submit' | 'event' | 'poll' | 'hop';
}

export type Answered =
  | ({ readonly ok: true } & Answer)
  | ({ readonly ok: false; readonly trace: CallTrace } & CallFailure);

export function arrivalOf({ marks }: Pick<TransportReply, 'marks'>): Answer['arrived'] {
  const { headersMs, firstByteMs, doneMs } = marks;
  return { beganMs: headersMs, firstByteMs: firstByteMs ?? headersMs, endedMs: doneMs };
}
