const REMEMBERED = 10_000;

/** Times are milliseconds on a monotonic clock from the service's start. */
export interface LoggedRequest {
  readonly id: string;
  /** Method and path: `POST /v2/image/generations`. */
  readonly route: string;
  readonly receivedMs: number;
  readonly finishedMs: number;
  /** Null if the connection ended before an answer began. */
  readonly status: number | null;
  /** False if the client or a declared behaviour ended the connection early. */
  readonly complete: boolean;
  readonly authorized: boolean;
  readonly model: string | null;
  readonly seed: number | null;
  /** SHA-256 of the prompt, hexadecimal. */
  readonly promptSha256: string | null;
  /** Calls of the denoiser; null if nothing was sampled. */
  readonly evaluations: number | null;
}

export interface LoggedJob {
  readonly id: string;
  readonly route: string;
  readonly model: string;
  readonly seed: number;
  readonly receivedMs: number;
  /** Null if no worker has begun it. */
  readonly startedMs: number | null;
  readonly finishedMs: number | null;
  readonly polls: number;
  readonly mediaFetches: number;
  readonly state: string;
}

type RequestDetails = Partial<Pick<LoggedRequest, 'model' | 'seed' | 'promptSha256' | 'evaluations'>>;

interface RouteCounts {
  readonly started: number;
  readonly inFlight: number;
  readonly mostInFlight: number;
  /** Finished requests by status; `incomplete` if the answer did not end whole. */
  readonly statuses: Readonly<Record<string, number>>;
}

/** The truth to compare the record of a client with. */
export interface ServiceStats {
  readonly nowMs: number;
  readonly routes: Readonly<Record<string, RouteCounts>>;
  readonly generations: { readonly sampled: number; readonly cancelled: number; readonly evaluations: number };
  readonly behaviours: Readonly<Record<string, number>>;
  /** The latest, in order of their end. */
  readonly requests: readonly LoggedRequest[];
  /** The latest, in order of acceptance. */
  readonly jobs: readonly LoggedJob[];
}

export interface OpenRequest {
  describe(details: RequestDetails): void;
  finish(status: number | null, complete: boolean): void;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

const NO_DETAILS = { model: null, seed: null, promptSha256: null, evaluations: null };

export class RequestLog {
  readonly #now: () => number;
  readonly #routes = new Map<string, Writable<RouteCounts>>();
  readonly #behaviours = new Map<string, number>();
  readonly #generations = { sampled: 0, cancelled: 0, evaluations: 0 };
  #requests: LoggedRequest[] = [];
  #jobs: (() => LoggedJob)[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  /** `finish` counts once, however often it is called. */
  begin(id: string, route: string, authorized: boolean): OpenRequest {
    const receivedMs = this.#now();
    const counts = this.#countsOf(route);
    counts.started++;
    counts.inFlight++;
    counts.mostInFlight = Math.max(counts.mostInFlight, counts.inFlight);
    let details: RequestDetails = {};
    let open = true;
    return {
      describe: (more) => {
        details = { ...details, ...more };
      },
      finish: (status, complete) => {
        if (!open) return;
        open = false;
        counts.inFlight--;
        const key = complete ? String(status) : 'incomplete';
        counts.statuses = { ...counts.statuses, [key]: (counts.statuses[key] ?? 0) + 1 };
        const times = { receivedMs, finishedMs: this.#now() };
        this.#requests.push({ id, route, ...times, status, complete, authorized, ...NO_DETAILS, ...details });
        if (this.#requests.length >= 2 * REMEMBERED) this.#requests = this.#requests.slice(-REMEMBERED);
      },
    };
  }

  accepted(read: () => LoggedJob): void {
    this.#jobs.push(read);
    if (this.#jobs.length >= 2 * REMEMBERED) this.#jobs = this.#jobs.slice(-REMEMBERED);
  }

  sampled(evaluations: number): void {
    this.#generations.sampled++;
    this.#generations.evaluations += evaluations;
  }

  cancelled(): void {
    this.#generations.cancelled++;
  }

  fired(name: string): void {
    this.#behaviours.set(name, (this.#behaviours.get(name) ?? 0) + 1);
  }

  stats(): ServiceStats {
    return {
      nowMs: this.#now(),
      routes: Object.fromEntries([...this.#routes].map(([route, counts]) => [route, { ...counts }])),
      generations: { ...this.#generations },
      behaviours: Object.fromEntries(this.#behaviours),
      requests: this.#requests.slice(-REMEMBERED),
      jobs: this.#jobs.slice(-REMEMBERED).map((read) => read()),
    };
  }

  #countsOf(route: string): Writable<RouteCounts> {
    const known = this.#routes.get(route);
    if (known !== undefined) return known;
    const counts = { started: 0, inFlight: 0, mostInFlight: 0, statuses: {} };
    this.#routes.set(route, counts);
    return counts;
  }
}
