import pLimit from 'p-limit';
import type { OutputFact } from '../record/fact.ts';
import { appendFacts } from '../record/store.ts';
import type { StoredRun } from '../record/stored-run.ts';
import { type ExaminersOptions, openExaminers, type StoredOutput } from './examiners.ts';

export interface ExamineOptions extends ExaminersOptions {
  readonly progress: (done: number, total: number) => void;
}

/** What examination found, and whether it got to the end. */
export interface Examination {
  readonly found: readonly OutputFact[];
  readonly complete: boolean;
}

/**
 * Examines each distinct output of a run that has no fact yet, or had no decoder, once, and appends what was found to
 * the record as it is found. Throws on a fault of ours (a file that cannot be read or written): that says nothing of the
 * output.
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
  const examiners = openExaminers({ workers, timeLimitMs, signal });
  // Never more given to the pool than it has processes: its own queue can stand still when a process dies.
  const slots = pLimit(workers);
  const found: OutputFact[] = [];
  let done = 0;
  try {
    await Promise.all(
      missing.map((output) =>
        slots(async () => {
          const fact = await examiners.examine(folder, output);
          if (fact === null && signal.aborted) return;
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
    await examiners.close();
  }
  return { found, complete: !signal.aborted };
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
