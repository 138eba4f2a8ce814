import { isDeepStrictEqual } from 'node:util';
import pLimit from 'p-limit';
import type { BaselineCell } from '../record/model/baseline.ts';
import type { Fact, OutputFact } from '../record/model/fact.ts';
import type { StoredRun } from '../record/model/stored-run.ts';
import { linkOutputs } from '../record/outputs/link-outputs.ts';
import { isStored } from '../record/outputs/output-files.ts';
import { appendFacts } from '../record/store.ts';
import { type Examiners, type ExaminersOptions, openExaminers, type StoredOutput } from './examiners.ts';
import { baselineOutputs, baselinePairs, type ExaminedRun, isOfVariants, type OutputPair, pairsOf } from './pairs.ts';

export interface ExamineOptions extends ExaminersOptions {
  readonly progress: (done: number, total: number) => void;
}

export interface Examination {
  readonly found: readonly Fact[];
  readonly complete: boolean;
}

interface ExaminedRecord extends ExaminedRun {
  /** Digests of input images; those not in the folder are ignored. */
  readonly inputs?: ReadonlySet<string>;
}

/**
 * Examines each distinct output and input image without a fact, or whose decoder was missing, once; then compares pairs
 * of images whose difference is needed and unknown. Appends each fact to the record at once. Throws on our own error (a
 * file cannot be read or written).
 */
export function examineRun(
  folder: string,
  { run, samples, facts, inputs = new Set() }: ExaminedRecord,
  options: ExamineOptions,
): Promise<Examination> {
  const outputs = outputFacts(facts);
  const missing = [...outputsOf(samples), ...storedInputs(folder, samples, inputs)].filter(
    ({ sha256 }) => !isExamined(outputs.get(sha256)),
  );
  return withExaminers(folder, options, async ({ examiners, found, keep, all }) => {
    const alone = missing.map((output) => [output]);
    await all(alone, missing.length, outputShare, async (output) => {
      const fact = await examiners.examine(folder, output);
      if (fact === null) return;
      if (!isSame(fact, outputs.get(output.sha256))) keep(fact);
      outputs.set(output.sha256, fact);
    });
    if (options.signal.aborted) return;
    const examined = { run, samples, facts: [...facts, ...found] };
    const unknown = pairsOf(examined);
    const compare = comparing(folder, examiners, outputs, keep, isOfVariants(examined));
    await all(inRows(unknown, options), missing.length + unknown.length, shareIn(outputs), compare);
  });
}

interface BaselineRecord {
  readonly folder: string;
  readonly facts: readonly Fact[];
}

/**
 * Compares a run's outputs with a stored baseline's, where digests do not decide. Copies the baseline's outputs and
 * their facts into the run's record, which then needs no other; appends each fact.
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
    const compare = comparing(folder, examiners, outputs, keep);
    await all(inRows(unknown, options), unknown.length, shareIn(outputs), compare);
  });
}

interface Session {
  readonly examiners: Examiners;
  readonly found: readonly Fact[];
  readonly keep: (fact: Fact) => void;
  /** Examines rows of items in parallel, in as many processes as their shares need, and reports progress. */
  readonly all: <T>(
    rows: readonly (readonly T[])[],
    total: number,
    share: (item: T) => number,
    examine: (item: T) => Promise<void>,
  ) => Promise<void>;
}

/** A process that takes some pairs in a row decodes what they share once, if others do not wait for the last ones. */
const MOST_IN_A_ROW = 8;
const ROWS_EACH = 8;

function inRows(pairs: readonly OutputPair[], { workers }: ExamineOptions): readonly (readonly OutputPair[])[] {
  const length = Math.min(MOST_IN_A_ROW, Math.max(1, Math.floor(pairs.length / (ROWS_EACH * workers))));
  return Array.from({ length: Math.ceil(pairs.length / length) }, (_, row) =>
    pairs.slice(row * length, (row + 1) * length),
  );
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
    all: async (rows, total, share, each) => {
      // Processes that have started stay.
      processes = Math.max(processes, processesFor(rows.flat().map(share), workers));
      // Never more work in the pool than processes: its own queue can stall when a process dies.
      const slots = pLimit(processes);
      const examineOne = async (item: (typeof rows)[number][number]) => {
        await each(item);
        if (signal.aborted) return;
        done += 1;
        progress(done, total);
      };
      const examineRow = async (row: (typeof rows)[number]) => {
        for (const item of row) await examineOne(item);
      };
      await Promise.all(rows.map((row) => slots(() => examineRow(row))));
    },
  };
  try {
    await examine(session);
  } finally {
    await examiners.close();
  }
  return { found, complete: !signal.aborted };
}

function comparing(
  folder: string,
  examiners: Examiners,
  outputs: ReadonlyMap<string, OutputFact>,
  keep: (fact: Fact) => void,
  isDrawn: (pair: OutputPair) => boolean = () => false,
): (pair: OutputPair) => Promise<void> {
  return async (pair) => {
    const [one, other] = pair.map((sha256) => outputs.get(sha256));
    const fact = await examiners.compare([folder], one, other, isDrawn(pair) ? folder : null);
    if (fact !== null) keep(fact);
  };
}

function shareIn(outputs: ReadonlyMap<string, OutputFact>): (pair: OutputPair) => number {
  return ([a, b]) => pairShare(outputs.get(a), outputs.get(b));
}

function outputFacts(facts: readonly Fact[]): Map<string, OutputFact> {
  return new Map(facts.flatMap((fact) => (fact.fact === 'output' ? [[fact.sha256, fact] as const] : [])));
}

/** A fact without a decoder is looked for again. */
function isExamined(fact: OutputFact | undefined): boolean {
  return fact !== undefined && fact.decodes !== null;
}

function outputsOf(samples: StoredRun['samples']): readonly StoredOutput[] {
  const outputs = new Map<string, StoredOutput>();
  for (const sample of samples) {
    if (!('outputs' in sample)) continue;
    for (const output of sample.outputs) if (!outputs.has(output.sha256)) outputs.set(output.sha256, output);
  }
  return [...outputs.values()];
}

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

/** Still no decoder, for the same reason. */
function isSame(found: OutputFact, known: OutputFact | undefined): boolean {
  return found.decodes === null && known?.decodes === null && isDeepStrictEqual(found.reason, known.reason);
}

const BYTES = 2 * 1024 * 1024;
const PIXELS = 4 * 1024 * 1024;
const LEAST_SHARE = 1 / 4;

/**
 * The number of processes, up to `most`, for work of these shares. Starting one takes as long as examining a few small
 * images, so each whole share has one: a video, 2 MiB of images, 4 megapixels to compare, or four small images.
 */
export function processesFor(shares: readonly number[], most: number): number {
  const whole = Math.ceil(shares.reduce((sum, share) => sum + share, 0));
  return Math.max(1, Math.min(most, whole));
}

export function outputShare({ mime, bytes }: Pick<StoredOutput, 'mime' | 'bytes'>): number {
  return isVideo(mime) ? 1 : shareOf(bytes / BYTES);
}

/** The least share if one does not decode. */
export function pairShare(a: OutputFact | undefined, b: OutputFact | undefined): number {
  if (a?.decodes !== true || b?.decodes !== true) return LEAST_SHARE;
  return isVideo(a.mime) || isVideo(b.mime) ? 1 : shareOf((pixelsOf(a) + pixelsOf(b)) / PIXELS);
}

function isVideo(mime: string | null): boolean {
  return mime?.startsWith('video/') === true;
}

function pixelsOf({ width, height, frames }: { width: number; height: number; frames: number }): number {
  return width * height * frames;
}

function shareOf(share: number): number {
  return Math.min(1, Math.max(LEAST_SHARE, share));
}
