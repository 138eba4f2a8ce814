import { isDeepStrictEqual } from 'node:util';
import pLimit from 'p-limit';
import type { BaselineCell } from '../record/model/baseline.ts';
import type { Fact, OutputFact } from '../record/model/fact.ts';
import type { StoredRun } from '../record/model/stored-run.ts';
import { linkOutputs } from '../record/outputs/link-outputs.ts';
import { isStored } from '../record/outputs/output-files.ts';
import { appendFacts } from '../record/store.ts';
import { baselineOutputs, baselinePairs } from './baseline-pairs.ts';
import { comparedOutput } from './compared-output.ts';
import { type Examiners, type ExaminersOptions, openExaminers, type StoredOutput } from './examiners.ts';
import { type OutputPair, pairsOf } from './pairs.ts';
import { outputShare, pairShare, processesFor } from './process-count.ts';

export interface ExamineOptions extends ExaminersOptions {
  readonly progress: (done: number, total: number) => void;
}

/** What examination found, and whether it got to the end. */
export interface Examination {
  readonly found: readonly Fact[];
  readonly complete: boolean;
}

/** What of a record is examined. */
export interface ExaminedRecord extends Pick<StoredRun, 'samples' | 'facts'> {
  /** The digests of its input images; those that are not among its media are passed over. */
  readonly inputs?: ReadonlySet<string>;
}

/**
 * Examines each distinct output and input image of a run that has no fact yet, or had no decoder, once; then compares the pairs of
 * images whose difference has to be known and is not. Appends each fact to the record at once. Throws on a
 * fault of ours (a file that cannot be read or written): that says nothing of the output.
 */
export function examineRun(
  folder: string,
  { samples, facts, inputs = new Set() }: ExaminedRecord,
  options: ExamineOptions,
): Promise<Examination> {
  const outputs = outputFacts(facts);
  const missing = [...outputsOf(samples), ...storedInputs(folder, samples, inputs)].filter(
    ({ sha256 }) => !isExamined(outputs.get(sha256)),
  );
  return withExaminers(folder, options, async ({ examiners, found, keep, all }) => {
    await all(missing, missing.length, outputShare, async (output) => {
      const fact = await examiners.examine(folder, output);
      if (fact === null) return;
      if (!isSame(fact, outputs.get(output.sha256))) keep(fact);
      outputs.set(output.sha256, fact);
    });
    if (options.signal.aborted) return;
    const unknown = pairsOf(samples, [...facts, ...found]);
    await all(unknown, missing.length + unknown.length, shareIn(outputs), comparing(folder, examiners, outputs, keep));
  });
}

/** The run of a stored baseline: its record, with the media that are to be compared. */
export interface BaselineRecord {
  readonly folder: string;
  readonly facts: readonly Fact[];
}

/**
 * Compares what a run gave with what a stored baseline gave, where no digest tells whether the two look alike. Brings the
 * baseline's outputs and what is known of them into the record of the run, which then stands alone; appends each fact to it.
 */
export function examineBaseline(
  folder: string,
  { samples, facts }: Pick<StoredRun, 'samples' | 'facts'>,
  cells: readonly BaselineCell[],
  baseline: BaselineRecord,
  options: ExamineOptions,
): Promise<Examination> {
  const wanted = baselineOutputs(samples, cells);
  const outputs = outputFacts(facts);
  const theirs = baseline.facts.filter((fact) =>
    fact.fact === 'output'
      ? wanted.has(fact.sha256) && !outputs.has(fact.sha256)
      : wanted.has(fact.a) && wanted.has(fact.b),
  );
  linkOutputs(baseline.folder, folder, wanted);
  return withExaminers(folder, options, async ({ examiners, found, keep, all }) => {
    const known = new Set(facts.flatMap((fact) => (fact.fact === 'pair' ? [`${fact.a} ${fact.b}`] : [])));
    for (const fact of theirs) if (fact.fact === 'output' || !known.has(`${fact.a} ${fact.b}`)) keep(fact);
    for (const [sha256, fact] of outputFacts(theirs)) outputs.set(sha256, fact);
    const unknown = baselinePairs(samples, cells, [...facts, ...found]);
    await all(unknown, unknown.length, shareIn(outputs), comparing(folder, examiners, outputs, keep));
  });
}

/** What an examination works with. */
interface Session {
  readonly examiners: Examiners;
  /** Facts that were kept, in their order. */
  readonly found: readonly Fact[];
  /** Appends a fact to the record. */
  readonly keep: (fact: Fact) => void;
  /** Examines items side by side, in as many processes as their shares are worth, and tells the progress. */
  readonly all: <T>(
    items: readonly T[],
    total: number,
    share: (item: T) => number,
    examine: (item: T) => Promise<void>,
  ) => Promise<void>;
}

async function withExaminers(
  folder: string,
  { workers, timeLimitMs, progress, signal }: ExamineOptions,
  examine: (session: Session) => Promise<void>,
): Promise<Examination> {
  const examiners = openExaminers({ workers, timeLimitMs, signal });
  const found: Fact[] = [];
  let done = 0;
  let processes = 1;
  const session: Session = {
    examiners,
    found,
    keep: (fact) => {
      appendFacts(folder, [fact]);
      found.push(fact);
    },
    all: async (items, total, share, each) => {
      // Those that have started stay.
      processes = Math.max(processes, processesFor(items.map(share), workers));
      // Never more given to the pool than it has processes: its own queue can stand still when a process dies.
      const slots = pLimit(processes);
      const examineOne = async (item: (typeof items)[number]) => {
        await each(item);
        if (signal.aborted) return;
        done += 1;
        progress(done, total);
      };
      await Promise.all(items.map((item) => slots(() => examineOne(item))));
    },
  };
  try {
    await examine(session);
  } finally {
    await examiners.close();
  }
  return { found, complete: !signal.aborted };
}

/** Compares a pair whose outputs both decode, and keeps what was found. */
function comparing(
  folder: string,
  examiners: Examiners,
  outputs: ReadonlyMap<string, OutputFact>,
  keep: (fact: Fact) => void,
): (pair: OutputPair) => Promise<void> {
  return async ([a, b]) => {
    const [one, other] = [comparedOutput(outputs.get(a)), comparedOutput(outputs.get(b))];
    const fact = one === null || other === null ? null : await examiners.compare([folder], one, other);
    if (fact !== null) keep(fact);
  };
}

function shareIn(outputs: ReadonlyMap<string, OutputFact>): (pair: OutputPair) => number {
  return ([a, b]) => pairShare(outputs.get(a), outputs.get(b));
}

function outputFacts(facts: readonly Fact[]): Map<string, OutputFact> {
  return new Map(facts.flatMap((fact) => (fact.fact === 'output' ? [[fact.sha256, fact] as const] : [])));
}

/** What was found with no decoder at hand is looked for again. */
function isExamined(fact: OutputFact | undefined): boolean {
  return fact !== undefined && fact.decodes !== null;
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

/** Input images that no output equals. */
function storedInputs(
  folder: string,
  samples: StoredRun['samples'],
  inputs: ReadonlySet<string>,
): readonly StoredOutput[] {
  const outputs = new Set(outputsOf(samples).map(({ sha256 }) => sha256));
  return [...inputs]
    .filter((sha256) => !outputs.has(sha256) && isStored(folder, sha256))
    .map((sha256) => ({ sha256, bytes: 0, mime: null }));
}

/** Still no decoder, for the same reason: nothing new. */
function isSame(found: OutputFact, known: OutputFact | undefined): boolean {
  return found.decodes === null && known?.decodes === null && isDeepStrictEqual(found.reason, known.reason);
}
