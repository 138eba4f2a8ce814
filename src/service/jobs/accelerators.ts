import { Worker } from 'node:worker_threads';
import type { JobMessage, Made, SamplingJob, WorkerMessage } from './sampling-job.ts';

export type Sampled =
  | { readonly is: 'made'; readonly made: Made }
  | { readonly is: 'queue_full' }
  | { readonly is: 'cancelled' }
  | { readonly is: 'failed'; readonly message: string };

interface WaitingJob {
  readonly job: SamplingJob;
  readonly settle: (sampled: Sampled) => void;
  readonly begun: () => void;
}

interface Running extends WaitingJob {
  readonly id: number;
  readonly stop: Int32Array;
}

interface Seat {
  worker: Worker;
  running: Running | null;
}

const ENDED = -1;

/** Workers with one job each behind a bounded first-in first-out queue. One that dies is replaced; its job fails. */
export class Accelerators {
  readonly #seats: Seat[] = [];
  readonly #queueLimit: number;
  #queue: WaitingJob[] = [];
  #jobs = 0;
  #closed = false;

  private constructor(queueLimit: number) {
    this.#queueLimit = queueLimit;
  }

  /** Resolves when all workers are ready. Throws if one cannot start. */
  static async start(workers: number, queueLimit: number): Promise<Accelerators> {
    const accelerators = new Accelerators(queueLimit);
    const started = Array.from({ length: workers }, () => {
      const seat: Seat = { worker: newWorker(), running: null };
      accelerators.#seats.push(seat);
      const ready = new Promise<void>((resolve, reject) => {
        seat.worker.once('message', () => resolve());
        seat.worker.once('error', reject);
      });
      accelerators.#attend(seat);
      return ready;
    });
    try {
      await Promise.all(started);
    } catch (error) {
      await accelerators.close();
      throw error;
    }
    return accelerators;
  }

  get full(): boolean {
    return this.#queue.length >= this.#queueLimit && !this.#seats.some((seat) => seat.running === null);
  }

  /** An aborted signal removes the job from the queue, or stops its worker at the next step. */
  sample(job: SamplingJob, signal: AbortSignal, begun: () => void = () => undefined): Promise<Sampled> {
    return new Promise((resolve) => {
      if (signal.aborted || this.#closed) {
        resolve({ is: 'cancelled' });
        return;
      }
      const waiting: WaitingJob = {
        job,
        begun,
        settle: (sampled) => {
          signal.removeEventListener('abort', abandon);
          resolve(sampled);
        },
      };
      const abandon = () => this.#abandon(waiting);
      if (this.full) {
        resolve({ is: 'queue_full' });
        return;
      }
      signal.addEventListener('abort', abandon);
      this.#queue.push(waiting);
      this.#dispatch();
    });
  }

  /**
   * Cancels what waits or runs; resolves when all workers have ended. They end by themselves, between two steps: a
   * worker that is terminated inside native code which then throws aborts the whole process.
   */
  async close(): Promise<void> {
    this.#closed = true;
    const running = this.#seats.flatMap((seat) => seat.running ?? []);
    for (const { stop } of running) Atomics.store(stop, 0, 1);
    for (const { settle } of [...this.#queue, ...running]) settle({ is: 'cancelled' });
    this.#queue = [];
    await Promise.all(
      this.#seats.map(({ worker }) => {
        if (worker.threadId === ENDED) return null;
        return new Promise<void>((resolve) => {
          worker.once('exit', () => resolve());
          worker.postMessage(null);
        });
      }),
    );
  }

  #abandon(waiting: WaitingJob): void {
    this.#queue = this.#queue.filter((other) => other !== waiting);
    const running = this.#seats.find((seat) => seat.running?.settle === waiting.settle)?.running;
    if (running !== undefined && running !== null) Atomics.store(running.stop, 0, 1);
    waiting.settle({ is: 'cancelled' });
  }

  #dispatch(): void {
    for (const seat of this.#seats) {
      if (seat.running !== null) continue;
      const next = this.#queue.shift();
      if (next === undefined) return;
      const concurrent = this.#queue.length + this.#seats.filter((other) => other.running !== null).length;
      const stop = new SharedArrayBuffer(4);
      const id = ++this.#jobs;
      seat.running = { ...next, id, stop: new Int32Array(stop) };
      next.begun();
      seat.worker.postMessage({ ...next.job, id, concurrent, stop } satisfies JobMessage);
    }
  }

  #attend(seat: Seat): void {
    const { worker } = seat;
    let cause = 'its worker ended';
    worker.on('message', (message: WorkerMessage) => {
      if (message.is === 'ready') return;
      const running = seat.running;
      if (running === null || running.id !== message.id) return;
      seat.running = null;
      if (message.is === 'made') running.settle({ is: 'made', made: message.made });
      else if (message.is === 'failed') running.settle({ is: 'failed', message: message.message });
      else running.settle({ is: 'cancelled' });
      this.#dispatch();
    });
    worker.on('error', (error) => {
      cause = error instanceof Error ? error.message : String(error);
    });
    worker.on('exit', () => {
      if (this.#closed) return;
      const running = seat.running;
      seat.running = null;
      seat.worker = newWorker();
      this.#attend(seat);
      running?.settle({ is: 'failed', message: cause });
      this.#dispatch();
    });
  }
}

function newWorker(): Worker {
  return new Worker(new URL('./sampling-worker.js', import.meta.url));
}
