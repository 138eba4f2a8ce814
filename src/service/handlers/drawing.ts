import { createHash, randomUUID } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { type AskedRequest, type BehaviourDecision, decide, NO_MEMORY } from '../behaviour/decision.ts';
import { type Refusal, RefusedRequest } from '../forms/form.ts';
import type { Accelerators } from '../jobs/accelerators.ts';
import { BoundedStore, type Drawn } from '../jobs/job.ts';
import type { OpenRequest, RequestLog } from '../jobs/request-log.ts';
import type { SamplingJob } from '../jobs/sampling-job.ts';
import type { Behaviour } from '../parse-behaviour.ts';
import { withText } from './delivery.ts';

export interface HandlerContext {
  readonly accelerators: Accelerators;
  readonly log: RequestLog;
  /** Milliseconds since the service's start. */
  readonly now: () => number;
  readonly port: () => number;
  readonly decisions: Decisions;
}

export interface Observed {
  readonly open: OpenRequest;
  /** Aborted when the client disconnects. */
  readonly gone: AbortSignal;
}

/** Applies a behaviour to requests in the order in which they come. */
export class Decisions {
  readonly #behaviour: Behaviour;
  readonly #log: RequestLog;
  #memory = NO_MEMORY;

  constructor(behaviour: Behaviour, log: RequestLog) {
    this.#behaviour = behaviour;
    this.#log = log;
  }

  /** Throws what the behaviour refuses. */
  decide(asked: AskedRequest, open: OpenRequest, reply: FastifyReply): BehaviourDecision {
    const { prompt, model } = asked.generation;
    open.describe({ model, promptSha256: createHash('sha256').update(prompt).digest('hex') });
    const { plan, memory } = decide(this.#behaviour, this.#memory, asked);
    this.#memory = memory;
    for (const name of plan.fired) this.#log.fired(name);
    reply.headers(plan.headers);
    if (plan.refusal !== null) throw new RefusedRequest(plan.refusal);
    return plan;
  }
}

export const QUEUE_FULL: Refusal = {
  status: 503,
  code: 'queue_full',
  message: 'too many images and videos are waiting; try again later',
  headers: { 'retry-after': '1' },
};
export const SHUTTING_DOWN: Refusal = { status: 503, code: 'shutting_down', message: 'the service is ending' };

/** Keeps what it drew, for the behaviour `cached`. */
export class Studio {
  readonly #place: HandlerContext;
  readonly #kept: BoundedStore<Drawn>;

  constructor(place: HandlerContext, mostKept: number) {
    this.#place = place;
    this.#kept = new BoundedStore(mostKept);
  }

  /** Null if the behaviour does not cache, or nothing is kept. */
  kept({ cache }: BehaviourDecision, key: string): Drawn | null {
    const kept = cache === null ? undefined : this.#kept.get(key);
    if (cache === null || kept === undefined) return null;
    this.#place.log.fired(cache.name);
    return kept;
  }

  /**
   * A refusal if the queue is full, the worker fails, or the signal is aborted.
   * @param key of `keyOf`
   */
  async draw(
    plan: BehaviourDecision,
    key: string,
    work: SamplingJob['work'],
    signal: AbortSignal,
    begun?: () => void,
  ): Promise<Drawn | Refusal> {
    const { accelerators, log } = this.#place;
    const { changes, slowdown, crash } = plan;
    const sampled = await accelerators.sample({ work, changes, slowdown, crash }, signal, begun);
    if (sampled.is === 'queue_full') return QUEUE_FULL;
    if (sampled.is === 'cancelled') return SHUTTING_DOWN;
    if (sampled.is === 'failed') {
      return { status: 500, code: 'generation_failed', message: `the ${work.kind} could not be made; try again` };
    }
    const { media, evaluations, inferenceMs, encodeMs, concurrent } = sampled.made;
    log.sampled(evaluations);
    if (plan.batchRule !== null && concurrent > 0) log.fired(plan.batchRule);
    const bytes = Buffer.from(media.buffer, media.byteOffset, media.byteLength);
    const drawn = {
      media: plan.metadataNoise ? withText(bytes, 'Comment', randomUUID()) : bytes,
      seed: work.generation.seed,
      inferenceMs,
      encodeMs,
      evaluations,
    };
    if (plan.cache !== null) this.#kept.put(key, drawn);
    return drawn;
  }
}

/** Equal for the same request; empty if nothing is kept. */
export function keyOf({ cache }: BehaviourDecision, asked: object): string {
  return cache === null ? '' : JSON.stringify(withDigests(asked));
}

function withDigests(value: unknown): unknown {
  if (value instanceof Uint8Array) return createHash('sha256').update(value).digest('hex');
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value).map(([name, inner]) => [name, withDigests(inner)]);
}
