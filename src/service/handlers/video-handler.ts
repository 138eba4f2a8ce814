import { createHash, randomInt, randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type BehaviourDecision, decide } from '../behaviour/decision.ts';
import { readForm } from '../forms/form.ts';
import { LARGEST_SEED } from '../forms/generation.ts';
import type { Refusal } from '../forms/refusal.ts';
import { type AskedVideo, readVideo, UPLOAD } from '../forms/video-form.ts';
import { VIDEO_ROUTES, type VideoRoute } from '../forms/video-routes.ts';
import { BoundedStore } from '../jobs/bounded-store.ts';
import { type DrawnVideo, Job, type JobError } from '../jobs/job.ts';
import type { OpenRequest } from '../jobs/request-log.ts';
import { openVideoEncoder } from '../rendering/encode-video.ts';
import { withFreeBox } from './delivery.ts';
import { type HandlerContext, sendRefusal } from './generation-handler.ts';
import { pause, waitOutStalls } from './pause.ts';

const REMEMBERED_JOBS = 500;
const REMEMBERED_VIDEOS = 100;

const NO_ENCODER: Refusal = {
  status: 501,
  code: 'video_unavailable',
  message: 'this installation has no video encoder: run npm install --include=optional',
};
const SHUTTING_DOWN: JobError = { code: 'shutting_down', message: 'the service is ending' };
const CANCELLED: JobError = { code: 'cancelled', message: 'the client asked to end it' };
const QUEUE_FULL: Refusal = {
  status: 503,
  code: 'queue_full',
  message: 'too many are waiting; try again later',
  headers: { 'retry-after': '1' },
};

export class VideoHandler {
  readonly #place: HandlerContext;
  readonly #jobs = new BoundedStore<Job>(REMEMBERED_JOBS);
  /** For the behaviour `cached`. */
  readonly #cache = new BoundedStore<DrawnVideo>(REMEMBERED_VIDEOS);
  /** Jobs that have not ended; a dropped one may still run. */
  readonly #open = new Set<Job>();
  #encoder: ReturnType<typeof openVideoEncoder> | null = null;
  #accepted = 0;

  constructor(place: HandlerContext) {
    this.#place = place;
  }

  job(id: string): Job | undefined {
    return this.#jobs.get(id);
  }

  close(): void {
    for (const job of this.#open) job.stop('failed', SHUTTING_DOWN, this.#place.now());
  }

  /** A running job frees its worker at the next step. False if it had ended otherwise. */
  cancel(job: Job): boolean {
    const { log, now } = this.#place;
    if (job.stop('cancelled', CANCELLED, now())) log.cancelled();
    return job.state === 'cancelled';
  }

  /** 202 with the job's id, or a refusal. */
  async submit(
    request: FastifyRequest,
    reply: FastifyReply,
    route: VideoRoute,
    open: OpenRequest,
    gone: AbortSignal,
  ): Promise<FastifyReply> {
    const { log, now, accelerators } = this.#place;
    this.#encoder ??= openVideoEncoder();
    if ((await this.#encoder) === null) return sendRefusal(reply.header('connection', 'close'), NO_ENCODER);
    const form = await readForm(request, route === 'image-to-video' ? UPLOAD : null);
    if (!form.ok) return sendRefusal(reply.header('connection', 'close'), form.refusal);
    const read = await readVideo(form.value, route);
    if (!read.ok) return sendRefusal(reply, read.refusal);
    const asked = read.value;
    open.describe({ model: asked.model, promptSha256: createHash('sha256').update(asked.prompt).digest('hex') });

    const { plan, memory } = decide(this.#place.behaviour, this.#place.memory.get(), {
      generation: asked,
      route,
      nowMs: now(),
    });
    this.#place.memory.set(memory);
    for (const name of plan.fired) log.fired(name);
    reply.headers(plan.headers);
    if (plan.refusal !== null) return sendRefusal(reply, plan.refusal);
    if (accelerators.full) return sendRefusal(reply, QUEUE_FULL);
    if (gone.aborted) return reply.hijack();

    const job = this.#accept(asked, route, plan);
    open.describe({ seed: job.seed });
    if (job.reportedSeed !== null) reply.header('x-seed', String(job.reportedSeed));
    reply.header('x-model', asked.model);
    void this.#see(job, asked);
    return reply.code(202).send({ id: job.id, status: 'processing' });
  }

  #accept(asked: AskedVideo, route: VideoRoute, plan: BehaviourDecision): Job {
    const seed = plan.seed === 'random' ? randomInt(LARGEST_SEED + 1) : plan.seed;
    const reportedSeed = plan.echo === 'used' ? seed : plan.echo === 'none' ? null : plan.echo;
    const job = new Job(
      {
        id: randomUUID(),
        nth: ++this.#accepted,
        plan,
        model: asked.model,
        seed,
        reportedSeed,
        token: randomUUID(),
        receivedMs: this.#place.now(),
      },
      `POST ${VIDEO_ROUTES[route]}`,
    );
    this.#jobs.put(job.id, job);
    this.#place.log.accepted(() => job.read());
    return job;
  }

  /** Never rejects: keeps the result in the job. */
  async #see(job: Job, asked: AskedVideo): Promise<void> {
    const { log, now } = this.#place;
    const { stopped } = job;
    this.#open.add(job);
    try {
      await pause(job.plan.delayMs, stopped);
      await waitOutStalls(job.plan, this.#place, stopped);
      if (job.isOver) return;
      const never = job.departure('job_never_ends');
      if (never !== null) {
        log.fired(never.name);
        job.begin(now());
        return;
      }
      const failure = job.departure('job_fails') ?? job.departure('job_moderated');
      if (failure !== null) {
        job.begin(now());
        const { after, code, message } = failure.effect.settings;
        await pause(after, stopped);
        if (job.isOver) return;
        log.fired(failure.name);
        job.end(failure.effect.kind === 'job_fails' ? 'failed' : 'moderated', { code, message }, now());
        return;
      }
      const drawn = await this.#draw(job, asked);
      await waitOutStalls(job.plan, this.#place, stopped);
      if ('mp4' in drawn) job.finish(drawn, now());
      else job.end('failed', drawn, now());
    } catch (error) {
      job.end('failed', { code: 'internal', message: error instanceof Error ? error.message : 'unknown' }, now());
    } finally {
      this.#open.delete(job);
    }
  }

  /** From the cache if a behaviour says so, else from an accelerator. */
  async #draw(job: Job, asked: AskedVideo): Promise<DrawnVideo | JobError> {
    const { accelerators, log, now } = this.#place;
    const { plan, seed } = job;
    const upload = asked.upload === null ? null : createHash('sha256').update(asked.upload).digest('hex');
    const key = JSON.stringify({ ...asked, upload });
    const kept = plan.cache === null ? undefined : this.#cache.get(key);
    if (plan.cache !== null && kept !== undefined) {
      log.fired(plan.cache.name);
      job.begin(now());
      return kept;
    }
    const work = { kind: 'video' as const, generation: { ...asked, seed } };
    const sampled = await accelerators.sample(
      { work, changes: plan.changes, slowdown: plan.slowdown, crash: plan.crash },
      job.stopped,
      () => job.begin(now()),
    );
    if (sampled.is === 'queue_full') return QUEUE_FULL;
    // The job has ended then, unless the accelerators have.
    if (sampled.is === 'cancelled') return SHUTTING_DOWN;
    if (sampled.is === 'failed')
      return { code: 'generation_failed', message: 'the video could not be made; try again' };
    const { media, thumbnail, evaluations, inferenceMs, concurrent } = sampled.made;
    log.sampled(evaluations);
    if (plan.batchRule !== null && concurrent > 0) log.fired(plan.batchRule);
    const drawn = {
      mp4: plan.metadataNoise ? withFreeBox(media, randomUUID()) : Buffer.from(media),
      thumbnail: Buffer.from(thumbnail ?? []),
      seed,
      inferenceMs,
      evaluations,
    };
    if (plan.cache !== null) this.#cache.put(key, drawn);
    return drawn;
  }
}
