import { isDeepStrictEqual } from 'node:util';
import pLimit from 'p-limit';
import type { Fact, OutputFact } from '../record/model/fact.ts';
import type { StoredRun } from '../record/model/stored-run.ts';
import { appendFacts } from '../record/store.ts';
import type { ComparedOutput } from './compare-outputs.ts';
import { type ExaminersOptions, openExaminers, type StoredOutput } from './examiners.ts';
import { pairsOf } from './pairs.ts';

export interface ExamineOptions extends ExaminersOptions {
  readonly progress: (done: number, total: number) => void;
}

/** What examination found, and whether it got to the end. */
export interface Examination {
  readonly found: readonly Fact[];
  readonly complete: boolean;
}

/**
 * Examines each distinct output of a run that has no fact yet, or had no decoder, once; then compares the pairs of
 * images whose difference has to be known and is not. Appends each fact to the record at once. Throws on a
 * fault of ours (a file that cannot be read or written): that says nothing of the output.
 */
export async function examineRun(
  folder: string,
  { samples, facts }: Pick<StoredRun, 'samples' | 'facts'>,
  { workers, timeLimitMs, progress, signal }: ExamineOptions,
): Promise<Examination> {
  const outputs = new Map(facts.flatMap((fact) => (fact.fact === 'output' ? [[fact.sha256, fact] as const] : [])));
  const missing = outputsOf(samples).filter(({ sha256 }) => !isExamined(outputs.get(sha256)));
  const examiners = openExaminers({ workers, timeLimitMs, signal });
  // Never more given to the pool than it has processes: its own queue can stand still when a process dies.
  const slots = pLimit(workers);
  const found: Fact[] = [];
  let done = 0;
  const keep = (fact: Fact): void => {
    appendFacts(folder, [fact]);
    found.push(fact);
  };
  const all = async <T>(items: readonly T[], total: number, examine: (item: T) => Promise<void>): Promise<void> => {
    const each = async (item: T) => {
      await examine(item);
      if (signal.aborted) return;
      done += 1;
      progress(done, total);
    };
    await Promise.all(items.map((item) => slots(() => each(item))));
  };
  try {
    await all(missing, missing.length, async (output) => {
      const fact = await examiners.examine(folder, output);
      if (fact === null) return;
      if (!isSame(fact, outputs.get(output.sha256))) keep(fact);
      outputs.set(output.sha256, fact);
    });
    if (signal.aborted) return { found, complete: false };
    const unknown = pairsOf(samples, [...facts, ...found]);
    await all(unknown, missing.length + unknown.length, async ([a, b]) => {
      const [one, other] = [comparedOutput(outputs.get(a)), comparedOutput(outputs.get(b))];
      const fact = one === null || other === null ? null : await examiners.compare(folder, one, other);
      if (fact !== null) keep(fact);
    });
  } finally {
    await examiners.close();
  }
  return { found, complete: !signal.aborted };
}

/** What was found with no decoder at hand is looked for again. */
function isExamined(fact: OutputFact | undefined): boolean {
  return fact !== undefined && fact.decodes !== null;
}

function comparedOutput(fact: OutputFact | undefined): ComparedOutput | null {
  if (fact?.decodes !== true || fact.mime === null) return null;
  const { sha256, mime, frames, video } = fact;
  return { sha256, mime, frames, fps: video?.fps ?? null };
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
  return found.decodes === null && known?.decodes === null && isDeepStrictEqual(found.reason, known.reason);
}
