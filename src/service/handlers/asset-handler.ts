import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Refusal, RefusedRequest, refuse } from '../forms/form.ts';
import { describeJob, type Job, MEDIA_FILE } from '../jobs/job.ts';
import { deliver } from './delivery.ts';
import type { HandlerContext } from './drawing.ts';
import type { VideoHandler } from './generation-handlers.ts';

const UNKNOWN: Refusal = { status: 404, code: 'unknown_asset', message: 'there is no such asset, or no longer' };

/** Answers what is asked of jobs, after the key was checked. */
export class AssetHandler {
  readonly #place: HandlerContext;
  readonly #videos: VideoHandler;

  constructor(place: HandlerContext, videos: VideoHandler) {
    this.#place = place;
    this.#videos = videos;
  }

  /** `GET /v2/assets/{id}/status` */
  status(id: string, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const job = this.#job(id);
    job.polls += 1;
    return this.#describe(job, request, reply);
  }

  /** `POST /v2/assets/{id}/cancel`: answers with the status. */
  cancel(id: string, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const job = this.#job(id);
    if (!this.#videos.cancel(job)) refuse(409, 'job_ended', 'it has ended and cannot be cancelled');
    return this.#describe(job, request, reply);
  }

  /** `GET /v2/assets/{id}/video.mp4` */
  media(id: string, reply: FastifyReply): FastifyReply {
    const job = this.#job(id);
    const { drawn } = job;
    if (drawn === null) throw new RefusedRequest(UNKNOWN);
    job.mediaFetches += 1;
    const { model, reportedSeed, plan } = job.accepted;
    const sent = { ...drawn, type: 'video/mp4' as const, model, reportedSeed, stages: plan.stages };
    return deliver(reply, sent, plan.delivery);
  }

  #job(id: string): Job {
    const job = this.#videos.job(id);
    if (job === undefined) throw new RefusedRequest(UNKNOWN);
    return job;
  }

  #describe(job: Job, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const host = ownHost(request.headers.host, this.#place.port());
    return reply.send(describeJob(job, `http://${host}/v2/assets/${job.accepted.id}/${MEDIA_FILE}`));
  }
}

/** The host of the request, so that URLs have the same origin; 127.0.0.1 if that is not a plain name. */
function ownHost(asked: string | undefined, port: number): string {
  return asked !== undefined && /^[a-z0-9.-]+(:\d+)?$/i.test(asked) ? asked : `127.0.0.1:${port}`;
}
