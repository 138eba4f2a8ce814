import { randomInt } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RefusedRequest, readForm } from '../forms/form.ts';
import { type ImageRoute, LARGEST_SEED } from '../forms/generation.ts';
import { readGeneration } from '../forms/video-form.ts';
import { deliver, pause, waitOutStalls } from './delivery.ts';
import { type HandlerContext, type Observed, Studio } from './drawing.ts';

const REMEMBERED_IMAGES = 200;

export class GenerationHandler {
  readonly #place: HandlerContext;
  readonly #studio: Studio;

  constructor(place: HandlerContext) {
    this.#place = place;
    this.#studio = new Studio(place, REMEMBERED_IMAGES);
  }

  async handle(
    request: FastifyRequest,
    reply: FastifyReply,
    route: ImageRoute,
    { open, gone }: Observed,
  ): Promise<FastifyReply> {
    const { decisions, log, now } = this.#place;
    const generation = readGeneration((await readForm(request)).fields, route);
    const plan = decisions.decide({ generation, route, nowMs: now() }, open, reply);

    await pause(plan.delayMs, gone);
    await waitOutStalls(plan, this.#place, gone);
    const key = JSON.stringify(generation);
    const kept = this.#studio.kept(plan, key);
    const cacheHeader = plan.cache?.header ?? null;
    if (cacheHeader !== null) reply.header(cacheHeader, kept === null ? 'MISS' : 'HIT');
    const seed = kept?.seed ?? (plan.seed === 'random' ? randomInt(LARGEST_SEED + 1) : plan.seed);
    open.describe({ seed });
    const work = { kind: 'image' as const, generation: { ...generation, seed } };
    const drawn = kept ?? (await this.#studio.draw(plan, key, work, gone));
    if ('status' in drawn) {
      if (gone.aborted) log.cancelled();
      throw new RefusedRequest(drawn);
    }
    if (kept === null) open.describe({ evaluations: drawn.evaluations });
    await waitOutStalls(plan, this.#place, gone);
    if (gone.aborted) return reply.hijack();
    const reportedSeed = plan.echo === 'used' ? seed : plan.echo === 'none' ? null : plan.echo;
    return deliver(reply, { ...drawn, type: 'image/png', model: generation.model, reportedSeed }, plan.delivery, {
      ...this.#place,
      gone,
    });
  }
}
