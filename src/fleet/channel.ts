import type { z } from 'zod';
import type { Connection } from './engine.ts';
import {
  answerSchema,
  askSchema,
  type Beat,
  type BeatReply,
  beatReplySchema,
  beatSchema,
  type FleetAnswer,
  type FleetAsk,
  type Hello,
  type HelloReply,
  helloReplySchema,
  helloSchema,
} from './messages.ts';

/*
 * Messages as bytes, checked where they are read: they come from another machine. What does not fit its shape is not
 * answered, as if it had been lost. Null: no answer, or one that does not fit; such an answer of a worker is a refusal.
 */

/** Bytes of the largest message: a server that takes less is refused at the start. */
export const MOST_MESSAGE_BYTES = 1 << 18;

export interface WorkerChannel {
  readonly hello: (hello: Hello, limitMs: number) => Promise<HelloReply | null>;
  readonly beat: (beat: Beat, limitMs: number) => Promise<BeatReply | null>;
  /** A piece of a file is answered as its bytes; null: no answer. */
  readonly onAsk: (answer: (ask: FleetAsk) => Promise<FleetAnswer | Uint8Array | null>) => void;
}

export function workerChannel({ request, answer }: Connection, name: string): WorkerChannel {
  return {
    hello: async (hello, limitMs) =>
      heard(helloReplySchema, await request(`retake.hello.${name}`, encoded(hello), limitMs)),
    beat: async (beat, limitMs) => heard(beatReplySchema, await request(`retake.from.${name}`, encoded(beat), limitMs)),
    onAsk: (answerAsk) =>
      answer(`retake.to.${name}`, async (bytes) => {
        const ask = decoded(askSchema, bytes);
        if (ask === null) return null;
        const reply = await answerAsk(ask);
        return reply === null || reply instanceof Uint8Array ? reply : encoded(reply);
      }),
  };
}

export interface CoordinatorChannel {
  readonly ask: (worker: string, ask: FleetAsk, limitMs: number) => Promise<FleetAnswer | null>;
  readonly readPiece: (
    worker: string,
    ask: Extract<FleetAsk, { readonly ask: 'read' }>,
    limitMs: number,
  ) => Promise<Uint8Array | null>;
  readonly onHello: (answer: (hello: Hello) => HelloReply) => void;
  /** The name is that of the subject, which the server allows to one worker alone. */
  readonly onBeat: (answer: (worker: string, beat: Beat) => BeatReply | null) => void;
}

export function coordinatorChannel({ request, answer }: Connection): CoordinatorChannel {
  const to = (worker: string): string => `retake.to.${worker}`;
  return {
    ask: async (worker, ask, limitMs) => {
      const bytes = await request(to(worker), encoded(ask), limitMs);
      return bytes === null ? null : (decoded(answerSchema, bytes) ?? UNFIT);
    },
    readPiece: (worker, ask, limitMs) => request(to(worker), encoded(ask), limitMs),
    onHello: (answerHello) =>
      answer('retake.hello.*', async (bytes, subject) => {
        const hello = decoded(helloSchema, bytes);
        return hello === null || hello.name !== workerIn(subject) ? null : encoded(answerHello(hello));
      }),
    onBeat: (answerBeat) =>
      answer('retake.from.*', async (bytes, subject) => {
        const beat = decoded(beatSchema, bytes);
        const reply = beat === null ? null : answerBeat(workerIn(subject), beat);
        return reply === null ? null : encoded(reply);
      }),
  };
}

/** A worker whose answer has another shape would answer the same again. */
const UNFIT: FleetAnswer = { answer: 'refused', code: 'not_ready' };

function workerIn(subject: string): string {
  return subject.slice(subject.lastIndexOf('.') + 1);
}

function encoded(message: Hello | HelloReply | FleetAsk | FleetAnswer | Beat | BeatReply): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(message));
}

/** Null for another shape. */
function decoded<Schema extends z.ZodType>(schema: Schema, bytes: Uint8Array): z.output<Schema> | null {
  if (bytes.byteLength > MOST_MESSAGE_BYTES) return null;
  try {
    const read = schema.safeParse(JSON.parse(new TextDecoder().decode(bytes)));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}

function heard<Schema extends z.ZodType>(schema: Schema, bytes: Uint8Array | null): z.output<Schema> | null {
  return bytes === null ? null : decoded(schema, bytes);
}
