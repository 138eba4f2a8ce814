import { fileURLToPath } from 'node:url';
import pLimit from 'p-limit';
import workerpool from 'workerpool';
import type { OutputFact } from '../record/fact.ts';
import { appendFacts } from '../record/store.ts';
import type { StoredRun } from '../record/stored-run.ts';

export interface ExamineOptions {
  /** Child processes at work side by side. */
  readonly workers: number;
  /** One output may take this long; its process is killed then. */
  readonly timeLimitMs: { readonly picture: number; readonly video: number };
  readonly progress: (done: number, total: number) => void;
  /** Aborted: what has no fact yet is left without one. */
  readonly signal: AbortSignal;
}

/** What examination found, and whether it got to the end. */
export interface Examination {
  readonly found: readonly OutputFact[];
  readonly complete: boolean;
}

/**
 * Examines each distinct output of a run that has no fact yet, or had no decoder, once, and appends what was found to
 * the record as it is found. An output on which the process dies or overruns its time does not decode. Throws on a fault of ours (a
 * file that cannot be read or written): that says nothing of the output.
 */
export async function examineRun(
  folder: string,
  { samples, facts }: Pick<StoredRun, 'samples' | 'facts'>,
  { workers, timeLimitMs, progress, signal }: ExamineOptions,
): Promise<Examination> {
  const known = new Map(facts.map((fact) => [fact.sha256, fact]));
  // Where there was no decoder there may be one now.
  const missing = outputsOf(samples).filter(({ sha256 }) => (known.get(sha256)?.decodes ?? null) === null);
  if (missing.length === 0) return { found: [], complete: true };
  const pool = workerpool.pool(fileURLToPath(new URL('./examiner.js', import.meta.url)), {
    workerType: 'process',
    maxWorkers: workers,
    // Decoders of hostile bytes need nothing from our environment, least of all keys. In a group of their own, an
    // interrupt at the terminal does not kill them in the middle of a picture; they end when we do.
    forkOpts: { env: {}, detached: true },
  });
  // Never more given to the pool than it has processes: its own queue can stand still when a process dies.
  const slots = pLimit(workers);
  const found: OutputFact[] = [];
  let done = 0;
  const stop = () => void pool.terminate(true).catch(() => {});
  signal.addEventListener('abort', stop);
  try {
    await Promise.all(
      missing.map((output) =>
        slots(async () => {
          if (signal.aborted) return;
          const fact = await examineOne(pool, folder, output, timeLimitMs, signal);
          if (fact !== null && !isSame(fact, known.get(output.sha256))) {
            appendFacts(folder, [fact]);
            found.push(fact);
          }
          done += 1;
          progress(done, missing.length);
        }),
      ),
    );
  } finally {
    signal.removeEventListener('abort', stop);
    await pool.terminate(true);
  }
  return { found, complete: !signal.aborted };
}

interface StoredOutput {
  readonly sha256: string;
  readonly bytes: number;
  readonly mime: string | null;
}

/** The distinct outputs of a run, in the order they came. */
function outputsOf(samples: StoredRun['samples']): readonly StoredOutput[] {
  const outputs = new Map<string, StoredOutput>();
  for (const sample of samples) {
    if (!('outputs' in sample)) continue;
    for (const output of sample.outputs) if (!outputs.has(output.sha256)) outputs.set(output.sha256, output);
  }
  return [...outputs.values()];
}

/** Still no decoder, for the same reason: nothing new. */
function isSame(found: OutputFact, known: OutputFact | undefined): boolean {
  return found.decodes === null && known?.decodes === null && found.reason === known.reason;
}

async function examineOne(
  pool: workerpool.Pool,
  folder: string,
  { sha256, bytes, mime }: StoredOutput,
  limits: ExamineOptions['timeLimitMs'],
  signal: AbortSignal,
): Promise<OutputFact | null> {
  const timeLimitMs = mime?.startsWith('video/') ? limits.video : limits.picture;
  try {
    return await pool.exec('examineOutput', [folder, sha256]).timeout(timeLimitMs);
  } catch (error) {
    if (signal.aborted) return null;
    const reason = decoderFault(error, timeLimitMs);
    if (reason === null) throw error;
    return { fact: 'output', sha256, bytes, mime, decodes: false, reason };
  }
}

/** What the output did to its decoder; null where the fault is ours. */
function decoderFault(error: unknown, timeLimitMs: number): string | null {
  if (error instanceof workerpool.Promise.TimeoutError) {
    return `decoding took longer than ${timeLimitMs / 1000} s and was killed`;
  }
  return error instanceof workerpool.TerminateError ? 'the decoder died on it' : null;
}
