import { fileURLToPath } from 'node:url';
import workerpool from 'workerpool';
import type { OutputFact } from '../record/fact.ts';
import { appendFacts } from '../record/store.ts';
import type { StoredRun } from '../record/stored-run.ts';

export interface ExamineOptions {
  /** Child processes at work side by side. */
  readonly workers: number;
  /** One output may take this long; its process is killed then. */
  readonly timeLimitMs: number;
  readonly progress: (done: number, total: number) => void;
}

/**
 * Examines each distinct output of a run that has no fact yet, once, and appends what was found to the record as it
 * is found. Gives the new facts. An output on which the process dies or overruns its time does not decode.
 */
export async function examineRun(
  folder: string,
  { samples, facts }: Pick<StoredRun, 'samples' | 'facts'>,
  { workers, timeLimitMs, progress }: ExamineOptions,
): Promise<readonly OutputFact[]> {
  const known = new Set(facts.map(({ sha256 }) => sha256));
  const missing = unexamined(samples).filter(({ sha256 }) => !known.has(sha256));
  if (missing.length === 0) return [];
  const pool = workerpool.pool(fileURLToPath(new URL('./examiner.js', import.meta.url)), {
    workerType: 'process',
    maxWorkers: Math.min(workers, missing.length),
    // Decoders of hostile bytes need nothing from our environment, least of all keys.
    forkOpts: { env: {} },
  });
  const found: OutputFact[] = [];
  let done = 0;
  try {
    await Promise.all(
      missing.map(async (output) => {
        const fact = await examineOne(pool, folder, output, timeLimitMs);
        if (fact !== null) {
          appendFacts(folder, [fact]);
          found.push(fact);
        }
        done += 1;
        progress(done, missing.length);
      }),
    );
  } finally {
    await pool.terminate(true);
  }
  return found;
}

interface StoredOutput {
  readonly sha256: string;
  readonly bytes: number;
  readonly mime: string | null;
}

/** The distinct outputs of a run, in the order they came. */
function unexamined(samples: StoredRun['samples']): readonly StoredOutput[] {
  const outputs = new Map<string, StoredOutput>();
  for (const sample of samples) {
    if (!('outputs' in sample)) continue;
    for (const output of sample.outputs) if (!outputs.has(output.sha256)) outputs.set(output.sha256, output);
  }
  return [...outputs.values()];
}

async function examineOne(
  pool: workerpool.Pool,
  folder: string,
  { sha256, bytes, mime }: StoredOutput,
  timeLimitMs: number,
): Promise<OutputFact | null> {
  try {
    return await pool.exec('examineOutput', [folder, sha256]).timeout(timeLimitMs);
  } catch (error) {
    const overran = error instanceof workerpool.Promise.TimeoutError;
    const reason = overran
      ? `decoding took longer than ${timeLimitMs / 1000} s and was killed`
      : `the decoder died: ${error instanceof Error ? error.message.slice(0, 200) : 'unknown reason'}`;
    return { fact: 'output', sha256, bytes, mime, decodes: false, reason };
  }
}
