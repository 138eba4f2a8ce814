import { randomInt, randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BehaviourDecision } from '../behaviour/decision.ts';
import { IMAGES, MASK, readEdit } from '../forms/edit-form.ts';
import { RefusedRequest, readForm } from '../forms/form.ts';
import { type ImageRoute, LARGEST_SEED, VIDEO_ROUTES, type VideoRoute } from '../forms/generation.ts';
import { type AskedVideo, readGeneration, readVideo, UPLOAD } from '../forms/video-form.ts';
import { BoundedStore, Job, type JobError } from '../jobs/job.ts';
import { openVideoEncoder } from '../rendering/encode-video.ts';
import { deliver, pause, waitOutStalls } from './delivery.ts';
import { type HandlerContext, keyOf, type Observed, QUEUE_FULL, SHUTTING_DOWN, Studio } from './drawing.ts';

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
    const asked =
      route === 'image-edit'
        ? await readEdit(await readForm(request, [IMAGES, MASK]))
        : readGeneration((await readForm(request)).fields, route);
    const plan = decisions.decide({ generation: asked, route, nowMs: now() }, open, reply);
    const generation = { ...asked, small: plan.small };

    await pause(plan.delayMs, gone);
    await waitOutStalls(plan, this.#place, gone);
    const key = keyOf(plan, generation);
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
    const sent = { ...drawn, type: 'image/png' as const, model: generation.model, reportedSeed, stages: plan.stages };
    return deliver(reply, sent, plan.delivery);
  }
}

const REMEMBERED_JOBS = 500;
const REMEMBERED_VIDEOS = 100;

const NO_ENCODER = {
  status: 501,
  code: 'video_unavailable',
  message: 'this installation has no video encoder: run npm install --include=optional',
  headers: { connection: 'close' },
};
const CANCELLED: JobError = { code: 'cancelled', message: 'the client asked to end it' };

export class VideoHandler {
  readonly #place: HandlerContext;
  readonly #studio: Studio;
  readonly #jobs = new BoundedStore<Job>(REMEMBERED_JOBS);
  /** Jobs that have not ended; a dropped one may still run. */
  readonly #open = new Set<Job>();
  #encoder: ReturnType<typeof openVideoEncoder> | null = null;

  constructor(place: HandlerContext) {
    this.#place = place;
    this.#studio = new Studio(place, REMEMBERED_VIDEOS);
  }

  job(id: string): Job | undefined {
    return this.#jobs.get(id);
  }

  close(): void {
    for (const job of this.#open) job.stop('failed', SHUTTING_DOWN, this.#place.now());
  }

  /** False if the job had ended otherwise. A running job frees its worker at the next step. */
  cancel(job: Job): boolean {
    const { log, now } = this.#place;
    if (job.stop('cancelled', CANCELLED, now())) log.cancelled();
    return job.state === 'cancelled';
  }

  /** Answers 202 with the job's id. */
  async submit(
    request: FastifyRequest,
    reply: FastifyReply,
    route: VideoRoute,
    { open, gone }: Observed,
  ): Promise<FastifyReply> {
    const { decisions, now, accelerators } = this.#place;
    this.#encoder ??= openVideoEncoder();
    if ((await this.#encoder) === null) throw new RefusedRequest(NO_ENCODER);
    const asked = await readVideo(await readForm(request, route === 'image-to-video' ? [UPLOAD] : []), route);
    const plan = decisions.decide({ generation: asked, route, nowMs: now() }, open, reply);
    if (accelerators.full) throw new RefusedRequest(QUEUE_FULL);
    if (gone.aborted) return reply.hijack();

    const job = this.#accept(asked, route, plan);
    const { id, seed, reportedSeed } = job.accepted;
    open.describe({ seed });
    if (reportedSeed !== null) reply.header('x-seed', String(reportedSeed));
    reply.header('x-model', asked.model);
    void this.#see(job, asked);
    return reply.code(202).send({ id, status: 'processing' });
  }

  #accept({ model }: AskedVideo, of: VideoRoute, plan: BehaviourDecision): Job {
    const seed = plan.seed === 'random' ? randomInt(LARGEST_SEED + 1) : plan.seed;
    const reportedSeed = plan.echo === 'used' ? seed : plan.echo === 'none' ? null : plan.echo;
    const id = randomUUID();
    const route = `POST ${VIDEO_ROUTES[of]}`;
    const receivedMs = this.#place.now();
    const job = new Job({ id, plan, route, model, seed, reportedSeed, receivedMs });
    this.#jobs.put(id, job);
    this.#place.log.accepted(() => job.read());
    return job;
  }

  /** Never rejects: keeps the result in the job. */
  async #see(job: Job, asked: AskedVideo): Promise<void> {
    const { log, now } = this.#place;
    const { stopped } = job;
    const { plan, seed } = job.accepted;
    this.#open.add(job);
    try {
      await pause(plan.delayMs, stopped);
      await waitOutStalls(plan, this.#place, stopped);
      if (job.isOver) return;
      if (plan.neverEnds !== null) {
        log.fired(plan.neverEnds);
        job.begin(now());
        return;
      }
      const key = keyOf(plan, asked);
      const kept = this.#studio.kept(plan, key);
      const begun = () => job.begin(now());
      if (kept !== null) begun();
      const work = { kind: 'video' as const, generation: { ...asked, seed } };
      const drawn = kept ?? (await this.#studio.draw(plan, key, work, stopped, begun));
      await waitOutStalls(plan, this.#place, stopped);
      if ('status' in drawn) job.end('failed', drawn, now());
      else job.finish(drawn, now());
    } catch (error) {
      job.end('failed', { code: 'internal', message: error instanceof Error ? error.message : 'unknown' }, now());
    } finally {
      this.#open.delete(job);
    }
  }
}
