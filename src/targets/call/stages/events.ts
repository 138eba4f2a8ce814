import type { Redact } from '../../../kit/redact.ts';
import type { Readable } from '../../language/locator.ts';
import type { EventRule } from '../../model/job.ts';
import { classifyFailure, readState, stateOf } from '../../reply/fail.ts';
import { asText, declaredMime, readableReply, showReply } from '../../reply/reply.ts';
import { mergeReported, readReported } from '../../reply/reported.ts';
import type { Target } from '../../target.ts';
import { createEventReader, type ServerEvent } from '../../transport/event-stream.ts';
import type { ReplyWatch } from '../../wire.ts';
import type { Answer, Answered } from '../context.ts';
import type { CallFailure } from '../trace.ts';

export interface EventWatch {
  readonly watch: ReplyWatch;
  readonly finish: (submitted: Answer) => Answered;
}

type ClassifiedEvent =
  | { readonly is: 'partial' | 'done'; readonly unlisted?: string }
  | ({ readonly is: 'failed' } & CallFailure);

interface EndingEvent {
  readonly event: ServerEvent;
  readonly body: Uint8Array;
  readonly readable: Readable;
  readonly classified: ClassifiedEvent;
}

/** Reads up to the event that ends the stream, and nothing beyond it. */
export function watchEvents(rule: EventRule, { fail, meta }: Target, redact: Redact): EventWatch {
  const reader = createEventReader();
  let head: Pick<Readable, 'status' | 'headers'> = { status: 0, headers: [] };
  let unlisted = '';
  let streamed = false;
  let last: EndingEvent | null = null;

  const take = (event: ServerEvent): boolean => {
    const body = new TextEncoder().encode(event.data);
    const readable = readableReply({ ...head, body });
    const classified = classifyEvent(rule, fail, event.name, readable, redact);
    if (classified.is === 'partial') {
      if (classified.unlisted !== undefined) unlisted = `; the last that is not listed: ${classified.unlisted}`;
      return false;
    }
    last = { event, body, readable, classified };
    return true;
  };

  return {
    watch: {
      head: (status, headers) => {
        head = { status, headers };
        streamed = status >= 200 && status < 300 && declaredMime(head) === 'text/event-stream';
        return streamed;
      },
      data: (piece, atMs) => reader.push(piece, atMs).some(take),
      heldBytes: reader.heldBytes,
    },
    finish: (submitted) => {
      const { marks } = submitted.trace;
      const accepted = streamed ? { acceptedMs: submitted.arrived.beganMs } : {};
      const trace = { ...submitted.trace, marks: { ...marks, ...accepted } };
      const failed = (code: string, message: string): Answered => {
        return { ok: false, trace, outcome: 'error', error: { code, message: redact(message) } };
      };
      if (!streamed)
        return failed('no_event_stream', `the reply is not an event stream: ${showReply(submitted.readable)}`);
      if (last === null) return failed('no_done_event', `the stream ended without an event that says done${unlisted}`);
      const { event, body, readable, classified } = last;
      if (classified.is === 'failed') return { ok: false, trace, outcome: classified.outcome, error: classified.error };
      return {
        ok: true,
        trace: {
          ...trace,
          marks: { ...trace.marks, readyMs: event.endedMs },
          reported: mergeReported(trace.reported, readReported(meta, readable, redact)),
        },
        reply: { ...head, body },
        readable,
        arrived: { beganMs: event.beganMs, firstByteMs: event.beganMs, endedMs: event.endedMs },
        from: 'event',
      };
    },
  };
}

/**
 * Rules of `fail` come first; then the name of the event, from the stream or the data. An unlisted one ends nothing.
 */
function classifyEvent(
  { name, listed }: EventRule,
  fail: Target['fail'],
  eventName: string,
  event: Readable,
  redact: Redact,
): ClassifiedEvent {
  const failure = classifyFailure(fail, event, redact);
  if (failure !== null)
    return { is: 'failed', outcome: failure.outcome, error: { code: failure.code, message: failure.message } };
  const read = name === null ? null : readState({ at: name, absent: null, listed }, event);
  const state = read === null ? stateOf(eventName, listed) : read.found === 'state' ? read.state : null;
  switch (state) {
    case 'success':
      return { is: 'done' };
    case 'pending':
    case 'running':
      return { is: 'partial' };
    case 'failure':
      return { is: 'failed', outcome: 'error', error: { code: 'job_failed', message: redact(event.text()) } };
    case 'moderated':
      return { is: 'failed', outcome: 'moderated', error: { code: 'moderated', message: redact(event.text()) } };
    case null: {
      const state = read?.found === 'unlisted' ? asText(read.value) : eventName;
      return { is: 'partial', unlisted: redact(`"${state}": ${event.text()}`) };
    }
  }
}
