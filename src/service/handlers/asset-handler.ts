import { timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Delivery, drawLatency } from '../behaviour/decision.ts';
import type { Refusal } from '../forms/refusal.ts';
import { describeJob, type Job, MEDIA_FILES } from '../jobs/job.ts';
import { RandomSource } from '../sampler/random.ts';
import type { Authorize } from './authorization.ts';
import { headersOf, replaceAnswer, sendBroken } from './delivery.ts';
import { type HandlerContext, sendRefusal } from './generation-handler.ts';
import { pause } from './pause.ts';
import type { VideoHandler } from './video-handler.ts';

const ENDED: Refusal = { status: 409, code: 'job_ended', message: 'it has ended and cannot be cancelled' };
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
    const job = this.#videos.job(id);
    if (job === undefined) return sendRefusal(reply, UNKNOWN);
    const nth = ++job.polls;
    const slow = job.departure('status_latency');
    if (slow !== null) {
      log.fired(slow.name);
      await pause(drawLatency(slow.effect.settings, new RandomSource(behaviour.seed, job.nth, nth)), gone);
      if (gone.aborted) return reply.hijack();
    }
    const lost = job.departure('job_lost');
    if (lost !== null && this.#place.now() - job.receivedMs >= lost.effect.settings.after) {
      log.fired(lost.name);
      return sendRefusal(reply, UNKNOWN);
    }
    const broken = job.departure('status_error');
    if (broken !== null && nth % broken.effect.settings.every === 0) {
      const { status, code, message } = broken.effect.settings;
      log.fired(broken.name);
      return sendRefusal(reply, { status, code, message });
    }
    const odd = job.departure('job_state');
    if (odd !== null) log.fired(odd.name);
    return reply.send(
      describeJob(job, odd?.effect.settings.state ?? job.state, (file) => this.#urlOf(job, file, request)),
    );
  }

  /** `POST /v2/assets/{id}/cancel`, after the key was checked: answers with the status. */
  cancel(id: string, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const job = this.#videos.job(id);
    if (job === undefined) return sendRefusal(reply, UNKNOWN);
    if (!this.#videos.cancel(job)) return sendRefusal(reply, ENDED);
    return reply.send(describeJob(job, job.state, (file) => this.#urlOf(job, file, request)));
  }

  /** `GET /v2/assets/{id}/{file}`: with the key, or with the token of a URL on another host. */
  async media(
    id: string,
    file: string,
    token: unknown,
    request: FastifyRequest,
    reply: FastifyReply,
    gone: AbortSignal,
  ): Promise<FastifyReply> {
    const job = this.#videos.job(id);
    if (job === undefined || !carries(job, token)) {
      const refusal = this.#authorize(request.headers.authorization);
      if (refusal !== null) return sendRefusal(reply, refusal);
    }
    const drawn = job?.drawn;
    if (job === undefined || drawn === null || drawn === undefined) return sendRefusal(reply, UNKNOWN);
    const fetches = job.mediaFetches++;
    const expiry = job.departure('media_expires');
    if (expiry !== null) {
      const {
        after = Number.POSITIVE_INFINITY,
        fetches: most = Number.POSITIVE_INFINITY,
        status,
      } = expiry.effect.settings;
      if (fetches >= most || this.#place.now() - (job.finishedMs ?? 0) >= after) {
        this.#place.log.fired(expiry.name);
        return sendRefusal(reply, { status, code: 'url_expired', message: 'this address has expired' });
      }
    }
    if (file === MEDIA_FILES.thumbnail) return reply.type('image/webp').send(drawn.thumbnail);
    if (file !== MEDIA_FILES.video) return sendRefusal(reply, UNKNOWN);
    reply.headers({
      'content-type': 'video/mp4',
      'x-inference-ms': drawn.inferenceMs.toFixed(3),
      'x-score-evaluations': String(drawn.evaluations),
      'x-model': job.model,
    });
    if (job.reportedSeed !== null) reply.header('x-seed', String(job.reportedSeed));
    return this.#send(reply, drawn.mp4, job.plan.delivery, gone);
  }

  async #send(reply: FastifyReply, mp4: Buffer, delivery: Delivery | null, gone: AbortSignal): Promise<FastifyReply> {
    if (delivery === null) return reply.send(mp4);
    const answer = { body: mp4, headers: headersOf(reply) };
    const other = replaceAnswer(
      answer,
      delivery,
      (body) => this.#place.redirects.keep(body, 'video/mp4'),
      this.#place.port(),
    );
    if (other !== null) return reply.code(other.status).headers(other.headers).send(other.body);
    reply.hijack();
    await sendBroken(reply.raw, answer, delivery, gone);
    return reply;
  }

  #urlOf(job: Job, file: string, request: FastifyRequest): string {
    const path = `/v2/assets/${job.id}/${file}`;
    const elsewhere = job.departure('media_host');
    if (elsewhere === null) return `http://${ownHost(request.headers.host, this.#place.port())}${path}`;
    if (file === MEDIA_FILES.video) this.#place.log.fired(elsewhere.name);
    return `http://${elsewhere.effect.settings.host}:${this.#place.port()}${path}?token=${job.token}`;
  }
}

/** The host of the request, so that URLs have the same origin; 127.0.0.1 if that is not a plain name. */
function ownHost(asked: string | undefined, port: number): string {
  return asked !== undefined && /^[a-z0-9.-]+(:\d+)?$/i.test(asked) ? asked : `127.0.0.1:${port}`;
}

function carries(job: Job, token: unknown): boolean {
  if (job.departure('media_host') === null || typeof token !== 'string') return false;
  const [own, given] = [Buffer.from(job.token), Buffer.from(token)];
  return own.length === given.length && timingSafeEqual(own, given);
}
