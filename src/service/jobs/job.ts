import type { BehaviourDecision } from '../behaviour/decision.ts';
import type { LoggedJob } from './request-log.ts';

export const JOB_STATES = ['pending', 'processing', 'finished', 'failed', 'cancelled'] as const;
type WorkState = (typeof JOB_STATES)[number];

export interface Drawn {
  readonly media: Buffer;
  readonly seed: number;
  readonly inferenceMs: number;
  readonly encodeMs: number;
  readonly evaluations: number;
}

/** Times are milliseconds since the service's start. */
interface JobTicket {
  readonly id: string;
  readonly plan: BehaviourDecision;
  /** `POST /v2/video/text-to-video`. */
  readonly route: string;
  readonly model: string;
  /** The seed that it is drawn with; the one that it reports may differ (null: none). */
  readonly seed: number;
  readonly reportedSeed: number | null;
  readonly receivedMs: number;
}

export class Job {
  readonly accepted: JobTicket;
  readonly #stop = new AbortController();
  #state: WorkState = 'pending';
  #startedMs: number | null = null;
  #finishedMs: number | null = null;
  #drawn: Drawn | null = null;
  #error: JobError | null = null;
  polls = 0;
  mediaFetches = 0;

  constructor(accepted: JobTicket) {
    this.accepted = accepted;
  }

  get state(): WorkState {
    return this.#state;
  }

  get isOver(): boolean {
    return this.#finishedMs !== null;
  }

  get stopped(): AbortSignal {
    return this.#stop.signal;
  }

  get finishedMs(): number | null {
    return this.#finishedMs;
  }

  get drawn(): Drawn | null {
    return this.#drawn;
  }

  get error(): JobError | null {
    return this.#error;
  }

  begin(nowMs: number): void {
    if (this.isOver) return;
    this.#state = 'processing';
    this.#startedMs = nowMs;
  }

  finish(drawn: Drawn, nowMs: number): void {
    if (this.isOver) return;
    this.#state = 'finished';
    this.#finishedMs = nowMs;
    this.#drawn = drawn;
  }

  end(state: 'failed' | 'cancelled', { code, message }: JobError, nowMs: number): void {
    if (this.isOver) return;
    this.#state = state;
    this.#finishedMs = nowMs;
    this.#error = { code, message };
  }

  /** Ends it early, with its work. False if it had already ended. */
  stop(state: 'failed' | 'cancelled', error: JobError, nowMs: number): boolean {
    if (this.isOver) return false;
    this.end(state, error, nowMs);
    this.#stop.abort();
    return true;
  }

  read(): LoggedJob {
    const { id, route, model, seed, receivedMs } = this.accepted;
    return {
      id,
      route,
      model,
      seed,
      receivedMs,
      startedMs: this.#startedMs,
      finishedMs: this.#finishedMs,
      polls: this.polls,
      mediaFetches: this.mediaFetches,
      state: this.#state,
    };
  }
}

export interface JobError {
  readonly code: string;
  readonly message: string;
}

/** @param url of its media */
export function describeJob(job: Job, url: string): object {
  const { drawn, error, state } = job;
  const { id, model, reportedSeed, plan } = job.accepted;
  return {
    status: 'success',
    video: {
      id,
      status: state,
      model,
      ...(reportedSeed === null ? {} : { seed: reportedSeed }),
      ...(drawn === null ? {} : { url: { generation: [url] } }),
      ...(error === null ? {} : { error }),
    },
    ...(drawn === null ? {} : { metrics: metricsOf(drawn, plan.stages) }),
  };
}

function metricsOf({ inferenceMs, encodeMs, evaluations }: Drawn, stages: boolean): object {
  const parts = stages ? { sample_ms: inferenceMs - encodeMs, encode_ms: encodeMs } : {};
  return { inference_ms: inferenceMs, score_evaluations: evaluations, ...parts };
}

export const MEDIA_FILE = 'video.mp4';

export class BoundedStore<T> {
  readonly #limit: number;
  readonly #items = new Map<string, T>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: string): T | undefined {
    return this.#items.get(key);
  }

  put(key: string, item: T): void {
    this.#items.delete(key);
    this.#items.set(key, item);
    for (const oldest of this.#items.keys()) {
      if (this.#items.size <= this.#limit) return;
      this.#items.delete(oldest);
    }
  }
}
