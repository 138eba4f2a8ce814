import { fileURLToPath } from 'node:url';
import workerpool from 'workerpool';
import type {
  DecoderDied,
  DecoderTimeout,
  OutputFact,
  OutsideFact,
  PairFact,
  UncomparedReason,
} from '../record/fact.ts';
import type { ComparedOutput } from './compare-outputs.ts';
import { createDecodeBudget, FREE_PIXELS } from './decode-budget.ts';
import type { MaskedEdit } from './pairs.ts';
import type { OutputFiles, ShowHow } from './show-output.ts';

/** Processes that wait for the next examination, as to start one takes long. Whoever made the list ends them. */
export type IdleExaminers = workerpool.Pool[];

export interface ExaminerSource {
  /** Processes are taken from here and given back; without it, they end. */
  readonly idle?: IdleExaminers | undefined;
  /** Once aborted, the processes are killed. */
  readonly signal: AbortSignal;
}

export interface ExaminersOptions extends ExaminerSource {
  readonly workers: number;
  /** Per output; then its process is killed. */
  readonly timeLimitMs: { readonly image: number; readonly video: number };
}

export interface StoredOutput {
  readonly sha256: string;
  readonly bytes: number;
  readonly mime: string | null;
}

/** Child processes, numbered from 0. Each does one thing at a time and keeps what it decoded last. */
export interface Examiners {
  /**
   * Keeps thumbnail and preview in the folder. An output that overruns its time does not decode; one on which a process
   * dies twice is not examined. Null if its media are gone, or `signal` is aborted. Rejects on an error of Retake.
   */
  readonly examine: (folder: string, output: StoredOutput, worker?: number) => Promise<OutputFact | null>;
  /** Null if one is not known to decode, or `signal` is aborted. Rejects on an error of Retake. */
  readonly compare: (
    folders: readonly string[],
    one: OutputFact | undefined,
    other: OutputFact | undefined,
    options?: { readonly heatFolder?: string | null; readonly worker?: number },
  ) => Promise<PairFact | null>;
  /** `facts`: of all three. Null if media are gone, or `signal` is aborted. Rejects on an error of Retake. */
  readonly measureOutside: (
    folder: string,
    edit: MaskedEdit,
    facts: ReadonlyMap<string, OutputFact>,
    worker: number,
  ) => Promise<OutsideFact | null>;
  /**
   * Makes files of an output, for a program of the user, or gives a reason: media gone, or not decodable. Null if
   * `signal` is aborted. Rejects on an error of Retake.
   */
  readonly show: (folder: string, output: OutputFact, how: ShowHow) => Promise<OutputFiles | UncomparedReason | null>;
  /** Resolves once the first process runs, which takes long on a busy machine; also if it does not. */
  readonly started: () => Promise<unknown>;
  readonly close: () => Promise<void>;
}

export const EXAMINE_LIMITS_MS = { image: 20_000, video: 180_000 };

/** Processes that may die on one output. */
const MOST_TRIES = 2;

export function openExaminers({ workers, idle, timeLimitMs, signal }: ExaminersOptions): Examiners {
  const processes = new ExaminerProcesses(workers, idle, signal);
  const budget = createDecodeBudget();
  const limitOf = (...mimes: readonly (string | null)[]): number =>
    mimes.some((mime) => mime?.startsWith('video/')) ? timeLimitMs.video : timeLimitMs.image;
  return {
    examine: async (folder, { sha256, bytes, mime }, worker = 0) => {
      const granting = (pixels: number) =>
        processes.exec<OutputFact | null | number>(
          worker,
          'examineOutput',
          [folder, sha256, pixels],
          limitOf(mime),
          (reason) => ({
            fact: 'output',
            sha256,
            bytes,
            mime,
            ...(reason.code === 'timed_out' ? { decodes: false, reason } : { decodes: null, reason }),
          }),
        );
      const result = await granting(FREE_PIXELS);
      if (typeof result !== 'number') return result;
      const fact = await budget.within(result, () => granting(result));
      if (typeof fact === 'number') throw new Error('an output has grown');
      return fact;
    },
    compare: async (folders, first, second, { heatFolder = null, worker = 0 } = {}) => {
      const [one, other] = [comparedOutput(first), comparedOutput(second)];
      if (one === null || other === null) return null;
      const [a, b] = one.sha256 < other.sha256 ? [one, other] : [other, one];
      const failed = { fact: 'pair', a: a.sha256, b: b.sha256, compared: false } as const;
      return budget.within(pixelsOf(a) + pixelsOf(b), () =>
        processes.exec<PairFact>(
          worker,
          'comparePair',
          [folders, a, b, heatFolder],
          limitOf(a.mime, b.mime),
          (reason) => ({ ...failed, reason }),
        ),
      );
    },
    measureOutside: (folder, edit, facts, worker) => {
      const all = Object.values(edit).flatMap((sha256) => comparedOutput(facts.get(sha256)) ?? []);
      const pixels = all.reduce((sum, output) => sum + pixelsOf(output), 0);
      return budget.within(pixels, () =>
        processes.exec<OutsideFact | null>(
          worker,
          'measureOutside',
          [folder, edit],
          limitOf(...all.map(({ mime }) => mime)),
          () => ({ fact: 'outside', ...edit, levels: null }),
        ),
      );
    },
    show: async (folder, fact, how) => {
      const output = comparedOutput(fact);
      if (output === null) return { code: 'no_longer_decodes' };
      return budget.within(pixelsOf(output), () =>
        processes.exec<OutputFiles | UncomparedReason>(
          0,
          'show',
          [folder, output, how],
          limitOf(output.mime),
          (reason) => reason,
        ),
      );
    },
    started: () => processes.exec(0, 'started', [], timeLimitMs.image, () => null),
    close: () => processes.close(),
  };
}

/** A pool of one starts its process once needed, and again after it died. */
function startExaminer(): workerpool.Pool {
  return workerpool.pool(fileURLToPath(new URL('./examiner.js', import.meta.url)), {
    workerType: 'process',
    maxWorkers: 1,
    // Decoders of hostile bytes need no environment, least of all keys. Detached: Ctrl-C must not kill them inside
    // an image. Collecting garbage beside the work, or in steps, costs a tenth more.
    forkOpts: { env: {}, detached: true, execArgv: ['--single-threaded-gc', '--no-incremental-marking'] },
  });
}

class ExaminerProcesses {
  readonly #pools: readonly workerpool.Pool[];
  readonly #idle: IdleExaminers | undefined;
  readonly #signal: AbortSignal;

  constructor(workers: number, idle: IdleExaminers | undefined, signal: AbortSignal) {
    this.#idle = idle;
    this.#signal = signal;
    this.#pools = Array.from({ length: workers }, () => idle?.pop() ?? startExaminer());
    signal.addEventListener('abort', this.#stop);
  }

  /** Gives what `failed` makes of the reason if the output ended its process; null if the signal is aborted. */
  async exec<T>(
    worker: number,
    method: string,
    parameters: readonly unknown[],
    limitMs: number,
    failed: (reason: DecoderTimeout | DecoderDied) => T,
  ): Promise<T | null> {
    const pool = this.#pools[worker];
    if (pool === undefined) throw new Error(`no worker ${worker}`);
    for (let tries = 1; ; tries += 1) {
      if (this.#signal.aborted) return null;
      try {
        return await pool.exec(method, [...parameters]).timeout(limitMs);
      } catch (error) {
        if (this.#signal.aborted) return null;
        const reason = decoderLost(error, limitMs);
        if (reason === null) throw error;
        // A process killed from outside, as for lack of memory, says nothing of the output: try once more in a new one.
        if (reason.code === 'timed_out' || tries === MOST_TRIES) return failed(reason);
      }
    }
  }

  async close(): Promise<void> {
    this.#signal.removeEventListener('abort', this.#stop);
    const isAtWork = this.#pools.some((pool) => pool.stats().activeTasks > 0);
    if (this.#idle === undefined || this.#signal.aborted || isAtWork) await this.#terminate();
    else this.#idle.push(...this.#pools);
  }

  readonly #stop = (): void => void this.#terminate().catch(() => {});

  #terminate(): Promise<unknown> {
    return Promise.all(this.#pools.map((pool) => pool.terminate(true)));
  }
}

/** Pixels in memory during a comparison: all frames of an image, few of a video. */
function pixelsOf({ mime, width, height, frames }: ComparedOutput): number {
  return mime.startsWith('image/') ? width * height * frames : 0;
}

/** How the output ended its decoder; null for an error of Retake. */
function decoderLost(error: unknown, limitMs: number): DecoderTimeout | DecoderDied | null {
  if (error instanceof workerpool.Promise.TimeoutError) return { code: 'timed_out', limitMs };
  return error instanceof workerpool.TerminateError ? { code: 'decoder_died' } : null;
}

function comparedOutput(fact: OutputFact | undefined): ComparedOutput | null {
  if (fact?.decodes !== true || fact.mime === null) return null;
  const { sha256, mime, width, height, frames, video } = fact;
  return { sha256, mime, width, height, frames, fps: video?.fps ?? null };
}
