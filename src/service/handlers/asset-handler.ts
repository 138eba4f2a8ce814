import { timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { drawLatency } from '../behaviour/decision.ts';
import { type Refusal, RefusedRequest, refuse } from '../forms/form.ts';
import { describeJob, type Job, MEDIA_FILES } from '../jobs/job.ts';
import { RandomSource } from '../sampler/random.ts';
import type { Authorize } from './authorization.ts';
import { deliver, pause } from './delivery.ts';
import type { HandlerContext } from './drawing.ts';
import type { VideoHandler } from './generation-handlers.ts';

const UNKNOWN: Refusal = { status: 404, code: 'unknown_asset', message: 'there is no such asset, or no longer' };

export class AssetHandler {
  readonly #place: HandlerContext;
  readonly #videos: VideoHandler;
  readonly #authorize: Authorize;

  constructor(place: HandlerContext, videos: VideoHandler, authorize: Authorize) {
    this.#place = place;
    this.#videos = videos;
    this.#authorize = authorize;
  }

  /** `GET /v2/assets/{id}/status`, after the key was checked. */
  async status(id: string, request: FastifyRequest, reply: FastifyReply, gone: AbortSignal): Promise<FastifyReply> {
    const { log, behaviour } = this.#place;
    const job = this.#job(id);
    const nth = ++job.polls;
    const slow = job.departure('status_latency');
    if (slow !== null) {
      log.fired(slow.name);
      await pause(drawLatency(slow.effect.settings, new RandomSource(behaviour.seed, job.accepted.nth, nth)), gone);
      if (gone.aborted) return reply.hijack();
    }
    const lost = job.departure('job_lost');
    if (lost !== null && this.#place.now() - job.accepted.receivedMs >= lost.effect.settings.after) {
      log.fired(lost.name);
      throw new RefusedRequest(UNKNOWN);
    }
    const broken = job.departure('status_error');
    if (broken !== null && nth % broken.effect.settings.every === 0) {
      const { status, code, message } = broken.effect.settings;
      log.fired(broken.name);
      refuse(status, code, message);
    }
    const odd = job.departure('job_state');
    if (odd !== null) log.fired(odd.name);
    return this.#describe(job, odd?.effect.settings.state ?? job.state, request, reply);
  }

  /** `POST /v2/assets/{id}/cancel`, after the key was checked: answers with the status. */
  cancel(id: string, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const job = this.#job(id);
    if (!this.#videos.cancel(job)) refuse(409, 'job_ended', 'it has ended and cannot be cancelled');
    return this.#describe(job, job.state, request, reply);
  }

  /** `GET /v2/assets/{id}/{file}`: with the key, or with the token of a URL on another host. */
  async media(
    { id, file, token }: { readonly id: string; readonly file: string; readonly token: unknown },
    request: FastifyRequest,
    reply: FastifyReply,
    gone: AbortSignal,
  ): Promise<FastifyReply> {
    const stored = this.#videos.job(id);
    if (stored === undefined || !carries(stored, token)) this.#authorize(request.headers.authorization);
    const job = this.#job(id);
    const { drawn } = job;
    if (drawn === null) throw new RefusedRequest(UNKNOWN);
    const fetches = job.mediaFetches++;
    const expiry = job.departure('media_expires');
    if (expiry !== null) {
      const { after = Infinity, fetches: most = Infinity, status } = expiry.effect.settings;
      if (fetches >= most || this.#place.now() - (job.finishedMs ?? 0) >= after) {
        this.#place.log.fired(expiry.name);
        refuse(status, 'url_expired', 'this address has expired');
      }
    }
    if (file === MEDIA_FILES.thumbnail) return reply.type('image/webp').send(drawn.thumbnail);
    if (file !== MEDIA_FILES.video) throw new RefusedRequest(UNKNOWN);
    const { model, reportedSeed, plan } = job.accepted;
    const sent = { ...drawn, type: 'video/mp4' as const, model, reportedSeed, stages: plan.stages };
    return deliver(reply, sent, plan.delivery, {
      ...this.#place,
      gone,
    });
  }

  #job(id: string): Job {
    const job = this.#videos.job(id);
    if (job === undefined) throw new RefusedRequest(UNKNOWN);
    return job;
  }

  #describe(job: Job, state: string, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    return reply.send(describeJob(job, state, (file) => this.#urlOf(job, file, request)));
  }

  #urlOf(job: Job, file: string, request: FastifyRequest): string {
    const path = `/v2/assets/${job.accepted.id}/${file}`;
    const elsewhere = job.departure('media_host');
    if (elsewhere === null) return `http://${ownHost(request.headers.host, this.#place.port())}${path}`;
    if (file === MEDIA_FILES.video) this.#place.log.fired(elsewhere.name);
    return `http://${elsewhere.effect.settings.host}:${this.#place.port()}${path}?token=${job.accepted.token}`;
  }
}

/** The host of the request, so that URLs have the same origin; 127.0.0.1 if that is not a plain name. */
function ownHost(asked: string | undefined, port: number): string {
  return asked !== undefined && /^[a-z0-9.-]+(:\d+)?$/i.test(asked) ? asked : `127.0.0.1:${port}`;
}

function carries(job: Job, token: unknown): boolean {
  if (job.departure('media_host') === null || typeof token !== 'string') return false;
  const [expected, given] = [Buffer.from(job.accepted.token), Buffer.from(token)];
  return expected.length === given.length && timingSafeEqual(expected, given);
}
