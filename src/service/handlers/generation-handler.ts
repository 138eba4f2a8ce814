import { createHash, randomInt, randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type BehaviourDecision, decide, type Memory } from '../behaviour/decision.ts';
import type { Behaviour } from '../behaviour/parse-behaviour.ts';
import { readForm } from '../forms/form.ts';
import { LARGEST_SEED } from '../forms/generation.ts';
import { type AskedGeneration, type GenerationRoute, readGeneration } from '../forms/generation-form.ts';
import { type Refusal, refusalBody } from '../forms/refusal.ts';
import type { Accelerators } from '../jobs/accelerators.ts';
import { BoundedStore } from '../jobs/bounded-store.ts';
import type { OpenRequest, RequestLog } from '../jobs/request-log.ts';
import {
  type DeliveredAnswer,
  headersOf,
  type RedirectMedia,
  replaceAnswer,
  sendBroken,
  withText,
} from './delivery.ts';
import { pause, waitOutStalls } from './pause.ts';

export interface HandlerContext {
  readonly behaviour: Behaviour;
  readonly accelerators: Accelerators;
  readonly log: RequestLog;
  /** Milliseconds since the service's start. */
  readonly now: () => number;
  readonly port: () => number;
  readonly redirects: RedirectMedia;
  /** State of decisions, for all routes together. */
  readonly memory: { get(): Memory; set(memory: Memory): void };
}

interface Drawn {
  readonly png: Buffer;
  readonly seed: number;
  readonly inferenceMs: number;
  readonly evaluations: number;
}

const SEEDS = LARGEST_SEED + 1;
const REMEMBERED_IMAGES = 200;

export class GenerationHandler {
  readonly #place: HandlerContext;
  /** For the behaviour `cached`. */
  readonly #cache = new BoundedStore<Drawn>(REMEMBERED_IMAGES);

  constructor(place: HandlerContext) {
    this.#place = place;
  }

  /** `gone` is aborted when the client disconnects. */
  async handle(
    request: FastifyRequest,
    reply: FastifyReply,
    route: GenerationRoute,
    open: OpenRequest,
    gone: AbortSignal,
  ): Promise<FastifyReply> {
    const form = await readForm(request);
    if (!form.ok) return sendRefusal(reply.header('connection', 'close'), form.refusal);
    const asked = readGeneration(form.value.fields, route);
    if (!asked.ok) return sendRefusal(reply, asked.refusal);
    const { prompt, model } = asked.value;
    open.describe({ model, promptSha256: createHash('sha256').update(prompt).digest('hex') });

    const { plan, memory } = decide(this.#place.behaviour, this.#place.memory.get(), {
      generation: asked.value,
      route,
      nowMs: this.#place.now(),
    });
    this.#place.memory.set(memory);
    for (const name of plan.fired) this.#place.log.fired(name);
    reply.headers(plan.headers);
    if (plan.refusal !== null) return sendRefusal(reply, plan.refusal);

    await pause(plan.delayMs, gone);
    await waitOutStalls(plan, this.#place, gone);
    const drawn = await this.#draw(asked.value, plan, reply, open, gone);
    if (gone.aborted) return reply.hijack();
    if ('status' in drawn) return sendRefusal(reply, drawn);
    await waitOutStalls(plan, this.#place, gone);
    if (gone.aborted) return reply.hijack();
    return this.#send(reply, asked.value, plan, drawn, gone);
  }

  /** From the cache if a behaviour says so, else from an accelerator. */
  async #draw(
    asked: AskedGeneration,
    plan: BehaviourDecision,
    reply: FastifyReply,
    open: OpenRequest,
    gone: AbortSignal,
  ): Promise<Drawn | Refusal> {
    const { accelerators, log } = this.#place;
    const key = JSON.stringify(asked);
    if (plan.cache !== null) {
      const kept = this.#cache.get(key);
      if (plan.cache.header !== null) reply.header(plan.cache.header, kept === undefined ? 'MISS' : 'HIT');
      if (kept !== undefined) {
        log.fired(plan.cache.name);
        open.describe({ seed: kept.seed });
        return kept;
      }
    }
    const seed = plan.seed === 'random' ? randomInt(SEEDS) : plan.seed;
    open.describe({ seed });
    const work = { kind: 'image' as const, generation: { ...asked, seed } };
    const job = { work, changes: plan.changes, slowdown: plan.slowdown, crash: plan.crash };
    const sampled = await accelerators.sample(job, gone);
    if (sampled.is === 'made') {
      const { media, evaluations, inferenceMs, concurrent } = sampled.made;
      log.sampled(evaluations);
      open.describe({ evaluations });
      if (plan.batchRule !== null && concurrent > 0) log.fired(plan.batchRule);
      const bytes = Buffer.from(media.buffer, media.byteOffset, media.byteLength);
      const finished = plan.metadataNoise ? withText(bytes, 'Comment', randomUUID()) : bytes;
      const drawn = { png: finished, seed, inferenceMs, evaluations };
      if (plan.cache !== null) this.#cache.put(key, drawn);
      return drawn;
    }
    if (sampled.is === 'queue_full') {
      const headers = { 'retry-after': '1' };
      return { status: 503, code: 'queue_full', message: 'too many images are waiting; try again later', headers };
    }
    if (sampled.is === 'cancelled') {
      log.cancelled();
      return { status: 503, code: 'shutting_down', message: 'the service is ending' };
    }
    return { status: 500, code: 'generation_failed', message: 'the image could not be made; try again' };
  }

  async #send(
    reply: FastifyReply,
    asked: AskedGeneration,
    plan: BehaviourDecision,
    { png, seed, inferenceMs, evaluations }: Drawn,
    gone: AbortSignal,
  ): Promise<FastifyReply> {
    const reported = plan.echo === 'used' ? seed : plan.echo;
    reply.headers({
      'content-type': 'image/png',
      'x-inference-ms': inferenceMs.toFixed(3),
      'x-score-evaluations': String(evaluations),
      'x-model': asked.model,
    });
    if (reported !== 'none') reply.header('x-seed', String(reported));
    const { delivery } = plan;
    if (delivery === null) return reply.send(png);
    const answer: DeliveredAnswer = { body: png, headers: headersOf(reply) };
    const other = replaceAnswer(
      answer,
      delivery,
      (body) => this.#place.redirects.keep(body, 'image/png'),
      this.#place.port(),
    );
    if (other !== null) return reply.code(other.status).headers(other.headers).send(other.body);
    reply.hijack();
    await sendBroken(reply.raw, answer, delivery, gone);
    return reply;
  }
}

export function sendRefusal(reply: FastifyReply, refusal: Refusal): FastifyReply {
  return reply
    .code(refusal.status)
    .headers(refusal.headers ?? {})
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(refusalBody(refusal)));
}
