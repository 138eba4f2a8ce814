import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { caseSeedOf } from '../plan/plan.ts';
import type { Fact, OutputFact, PairFact } from '../record/fact.ts';
import type { Sample } from '../record/journal.ts';
import type { BaselineCell, StoredRun } from '../record/kept-run.ts';
import { appendLines } from '../record/line-files.ts';
import { isStored, linkOutputs } from '../record/output-files.ts';
import { factsByDigest } from '../record/output-pairs.ts';
import { type Examiners, type ExaminersOptions, openExaminers, type StoredOutput } from './examiners.ts';
import {
  baselineOutputs,
  baselinePairs,
  changedPairs,
  type ExaminedRun,
  isOfVariants,
  type MaskedEdit,
  type OutputPair,
  pairsOf,
  pairsWithin,
  uncompared,
  unmeasuredEdits,
} from './pairs.ts';

/* A process decodes an output once for a whole row. Rows are short, so that no process waits long for the last. */

const OUTPUTS_IN_A_ROW = 16;
const PAIRS_IN_A_ROW = 8;
const ROWS_EACH = 8;

interface OutputRow {
  readonly outputs: readonly StoredOutput[];
  /** All samples of a prompt and seed, if the row has all its outputs and no other prompt shares one; else none. */
  readonly samples: readonly Sample[];
}

/** Outputs without a fact, those of a prompt and seed together. */
export function outputRows(
  samples: readonly Sample[],
  outputs: readonly StoredOutput[],
  workers: number,
): readonly OutputRow[] {
  const caseSeeds = new Map<string, { readonly samples: Sample[]; readonly digests: Set<string> }>();
  const owners = new Map<string, string | null>();
  for (const sample of samples) {
    if (!('outputs' in sample)) continue;
    const key = caseSeedOf(sample.trial);
    const row = caseSeeds.get(key) ?? { samples: [], digests: new Set<string>() };
    caseSeeds.set(key, row);
    row.samples.push(sample);
    for (const { sha256 } of sample.outputs) {
      row.digests.add(sha256);
      owners.set(sha256, owners.has(sha256) && owners.get(sha256) !== key ? null : key);
    }
  }
  const rest = new Map(outputs.map((output) => [output.sha256, output]));
  const most = Math.max(OUTPUTS_IN_A_ROW, outputs.length / (ROWS_EACH * workers));
  const rows: OutputRow[] = [];
  for (const [key, { digests, ...row }] of caseSeeds) {
    const together = [...digests].flatMap((sha256) => (owners.get(sha256) === key ? (rest.get(sha256) ?? []) : []));
    if (together.length < digests.size || digests.size > most) continue;
    for (const sha256 of digests) rest.delete(sha256);
    rows.push({ outputs: together, ...row });
  }
  return [...rows, ...[...rest.values()].map((output) => ({ outputs: [output], samples: [] }))];
}

function pairRows<Pair>(pairs: readonly Pair[], workers: number): readonly (readonly Pair[])[] {
  const length = Math.min(PAIRS_IN_A_ROW, Math.max(1, Math.floor(pairs.length / (ROWS_EACH * workers))));
  return Array.from({ length: Math.ceil(pairs.length / length) }, (_, row) =>
    pairs.slice(row * length, (row + 1) * length),
  );
}

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
 * Examines once each distinct output and input image without a fact, or whose decoder was missing; then compares pairs
 * of images whose difference is needed and unknown, and measures edits outside their masks. Appends each fact at once.
 * A process that examined a whole prompt and seed compares it while decoded; other pairs follow at the end. Throws on
 * errors of Retake, such as unreadable files.
 */
export function examineRun(
  folder: string,
  { run, samples, facts, inputs = new Set() }: ExaminedRecord,
  options: ExamineOptions,
): Promise<Examination> {
  const outputs = factsByDigest(facts);
  // An output without a decoder is examined again.
  const missing = [...outputsOf(samples), ...storedInputs(folder, samples, inputs)].filter(
    ({ sha256 }) => (outputs.get(sha256)?.decodes ?? null) === null,
  );
  return withExaminers(folder, options, async (session) => {
    const { examiners, added, keep } = session;
    const examine = async (output: StoredOutput, worker: number): Promise<void> => {
      const fact = await examiners.examine(folder, output, worker);
      if (fact === null) return;
      if (!isSame(fact, outputs.get(output.sha256))) keep(fact);
      outputs.set(output.sha256, fact);
    };
    const compareIn = (record: ExaminedRun) => comparing(folder, session, outputs, isOfVariants(record));
    const rows = outputRows(samples, missing, options.workers);
    await session.all(rows, missing.length, async (row, worker) => {
      await session.inTurn(row.outputs, worker, examine);
      const known = {
        run,
        samples: row.samples,
        facts: row.outputs.flatMap(({ sha256 }) => outputs.get(sha256) ?? []),
      };
      const pairs = pairsWithin(known);
      session.expect(pairs.length);
      await session.inTurn(pairs, worker, compareIn(known));
    });
    if (options.signal.aborted) return;
    const known = { run, samples, facts: [...facts, ...added] };
    await compareAll(session, pairsOf(known), compareIn(known));
    if (options.signal.aborted) return;
    const edits = unmeasuredEdits(known);
    const measure = async (edit: MaskedEdit, worker: number): Promise<void> => {
      const fact = await examiners.measureOutside(folder, edit, outputs, worker);
      if (fact !== null) keep(fact);
    };
    const edited = pairRows(edits, options.workers);
    await session.all(edited, edits.length, (row, worker) => session.inTurn(row, worker, measure));
  });
}

interface BaselineRecord {
  readonly folder: string;
  readonly facts: readonly Fact[];
  /** Whether outputs are compared that no digest decides; else those that changed, which a report shows. */
  readonly decides: boolean;
}

/**
 * Compares a run's outputs with a stored baseline's. Copies outputs and facts of the baseline into the run's record,
 * which then needs no other. What was compared before is not copied again: its files may be pruned.
 */
export function examineBaseline(
  folder: string,
  { samples, facts }: Pick<StoredRun, 'samples' | 'facts'>,
  cells: readonly BaselineCell[],
  baseline: BaselineRecord,
  options: ExamineOptions,
): Promise<Examination> {
  const outputs = factsByDigest(facts);
  const known = [...facts, ...factsByDigest(baseline.facts).values()];
  const changed = uncompared(changedPairs(samples, cells, facts), known).filter((pair) =>
    pair.every((sha256) => isStored(folder, sha256) || isStored(baseline.folder, sha256)),
  );
  const drawn = new Set(changed.map(String));
  const wanted = baseline.decides ? baselineOutputs(samples, cells) : new Set(changed.flat());
  const theirs = baseline.facts.flatMap((fact): readonly (OutputFact | PairFact)[] => {
    if (fact.fact === 'output') return wanted.has(fact.sha256) && !outputs.has(fact.sha256) ? [fact] : [];
    return fact.fact === 'pair' && wanted.has(fact.a) && wanted.has(fact.b) ? [fact] : [];
  });
  linkOutputs(baseline.folder, folder, wanted);
  return withExaminers(folder, options, async (session) => {
    const { added, keep } = session;
    const pairs = new Set(facts.flatMap((fact) => (fact.fact === 'pair' ? [`${fact.a} ${fact.b}`] : [])));
    for (const fact of theirs) if (fact.fact === 'output' || !pairs.has(`${fact.a} ${fact.b}`)) keep(fact);
    for (const [sha256, fact] of factsByDigest(theirs)) outputs.set(sha256, fact);
    const all = [...facts, ...added];
    const unknown = baseline.decides ? baselinePairs(samples, cells, all) : uncompared(changed, all);
    await compareAll(
      session,
      unknown,
      comparing(folder, session, outputs, (pair) => drawn.has(String(pair))),
    );
  });
}

/** To start a process takes as long as some twenty small images: the others are for what takes the first one longer. */
const OTHERS_AFTER_MS = 500;

interface Session {
  readonly examiners: Examiners;
  readonly added: readonly Fact[];
  readonly keep: (fact: Fact) => void;
  /** Examines rows in parallel; `items` of all. */
  readonly all: <Row>(
    rows: readonly Row[],
    items: number,
    examine: (row: Row, worker: number) => Promise<void>,
  ) => Promise<void>;
  /** Examines items one by one, and reports progress. */
  readonly inTurn: <Item>(
    items: readonly Item[],
    worker: number,
    examine: (item: Item, worker: number) => Promise<void>,
  ) => Promise<void>;
  /** Adds items to the total of the progress. */
  readonly expect: (items: number) => void;
  readonly workers: number;
}

async function withExaminers(
  folder: string,
  { progress, ...options }: ExamineOptions,
  examine: (session: Session) => Promise<void>,
): Promise<Examination> {
  const { workers, signal } = options;
  const examiners = openExaminers(options);
  const facts: Fact[] = [];
  let [done, expected] = [0, 0];
  const session: Session = {
    examiners,
    workers,
    added: facts,
    keep: (fact) => {
      appendLines(folder, 'facts.jsonl', [fact]);
      facts.push(fact);
    },
    all: async (rows, items, examineRow) => {
      if (rows.length === 0) return;
      expected += items;
      const isLong = examiners.started().then(() => sleep(OTHERS_AFTER_MS, null, { ref: false }));
      const waiting = rows.values();
      const examineRows = async (worker: number): Promise<void> => {
        for (const row of waiting) await examineRow(row, worker);
      };
      const first = examineRows(0);
      await Promise.race([first, isLong]);
      await Promise.all([first, ...Array.from({ length: workers - 1 }, (_, at) => examineRows(at + 1))]);
    },
    inTurn: async (items, worker, examineItem) => {
      for (const item of items) {
        await examineItem(item, worker);
        if (signal.aborted) return;
        done += 1;
        progress(done, expected);
      }
    },
    expect: (items) => {
      expected += items;
    },
  };
  try {
    await examine(session);
  } finally {
    await examiners.close();
  }
  return { found: facts, complete: !signal.aborted };
}

function compareAll(
  { all, inTurn, workers }: Session,
  pairs: readonly OutputPair[],
  compare: (pair: OutputPair, worker: number) => Promise<void>,
): Promise<void> {
  return all(pairRows(pairs, workers), pairs.length, (row, worker) => inTurn(row, worker, compare));
}

function comparing(
  folder: string,
  { examiners, keep }: Session,
  outputs: ReadonlyMap<string, OutputFact>,
  isDrawn: (pair: OutputPair) => boolean = () => false,
): (pair: OutputPair, worker: number) => Promise<void> {
  return async (pair, worker) => {
    const [one, other] = pair.map((sha256) => outputs.get(sha256));
    const heatFolder = isDrawn(pair) ? folder : null;
    const fact = await examiners.compare([folder], one, other, { heatFolder, worker });
    if (fact !== null) keep(fact);
  };
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

/** Whether the decoder is still missing, for the same reason. */
function isSame(fact: OutputFact, known: OutputFact | undefined): boolean {
  return fact.decodes === null && known?.decodes === null && isDeepStrictEqual(fact.reason, known.reason);
}
