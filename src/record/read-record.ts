import { closeSync, createReadStream, existsSync, read } from 'node:fs';
import { basename, join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { promisify } from 'node:util';
import { type Checked, type Diagnostic, refused } from '../kit/diagnostic.ts';
import { commandLine } from '../kit/wording.ts';
import { BASELINE_FORMAT, isRunName, RUN_FORMAT } from './codes.ts';
import { type Fact, factSchema } from './fact.ts';
import {
  createSharing,
  DamagedLine,
  type FieldFault,
  type LineReader,
  readLines,
  type Shape,
  shapeOf,
} from './files/read-lines.ts';
import { type JournalEvent, journalSchema } from './journal.ts';
import {
  type Baseline,
  baselineSchema,
  type HistoryLine,
  historySchema,
  type ListedLine,
  listedLineSchema,
  type StoredRun,
} from './kept-run.ts';
import { hasOutputs, inputImages } from './output-files.ts';
import { checkOwn, openRegular, readText, replaceFile } from './own-files.ts';
import { type Run, runSchema } from './run.ts';
import { type ScoreLine, scoreLineSchema, type VoteLine, voteLineSchema } from './score.ts';
import { sortEvents } from './trial-histories.ts';

function baselinePath(suiteFolder: string): string {
  return join(suiteFolder, 'baseline.json');
}

/** Replaces the baseline of a suite at once; gives its path. */
export function writeBaseline(suiteFolder: string, baseline: Baseline): string {
  const path = baselinePath(suiteFolder);
  replaceFile(path, `${JSON.stringify(baseline, null, 1)}\n`);
  return path;
}

/** Null if there is none. */
export async function findBaseline(suiteFolder: string): Promise<Checked<Baseline | null>> {
  const path = baselinePath(suiteFolder);
  return existsSync(path) ? readBaseline(path) : { ok: true, value: null };
}

/** Refuses what does not match its schema, with line and field. */
export async function readBaseline(path: string): Promise<Checked<Baseline>> {
  const text = readText(path);
  if (!text.ok) return text;
  const read = text.value;
  if (read === null) return refused(`there is no baseline at ${path}`, 'name a file that retake baseline has written');
  let value: unknown;
  try {
    value = JSON.parse(read);
  } catch {
    return refused(`${path} is not JSON`, REMEDY);
  }
  const format = formatOf(value);
  if (format === null) return refused(`${path} has no format version`, 'name a file that retake baseline has written');
  if (format > BASELINE_FORMAT) {
    return refused(`${path} has format ${format}, newer than ${BASELINE_FORMAT}`, 'read it with a newer Retake');
  }
  const shape = shapeOf(baselineSchema);
  if (shape.fits(value)) return { ok: true, value };
  return { ok: false, diagnostics: await placed(path, read, shape.faultsOf(value), REMEDY) };
}

/** The baseline's run, beside its file in `suiteFolder`; null if its media are gone. */
export async function findBaselineRun(suiteFolder: string, { run }: Pick<Baseline, 'run'>): Promise<string | null> {
  if (!isRunName(run)) return null;
  const folder = join(suiteFolder, run);
  const stored = await readRun(folder);
  return stored.ok && hasOutputs(folder, inputImages(stored.value)) ? folder : null;
}

const REMEDY = 'restore it, or keep a new one with retake baseline';

export interface JournalFollower {
  /**
   * Gives each complete line appended since the last call, in order. A damaged line or a shorter journal ends this
   * follower.
   */
  readonly catchUp: (take: (event: JournalEvent) => void) => Promise<Checked<null>>;
}

const PIECE_BYTES = 1 << 20;

const readAt = promisify(read);

let shape: Shape<JournalEvent> | null = null;

export function followJournal(folder: string): JournalFollower {
  const path = join(folder, 'journal.jsonl');
  const decoder = new StringDecoder('utf8');
  // Shared by all journals: compiled once.
  shape ??= shapeOf(journalSchema);
  const lines = readLines(shape);
  let offset = 0;
  return {
    catchUp: async (take) => {
      const opened = openRegular(path);
      if (!opened.ok) return opened;
      // A run makes its folder before its journal.
      if (opened.value === null) return offset === 0 ? { ok: true, value: null } : shorter(path);
      const { file, bytes } = opened.value;
      try {
        if (bytes < offset) return shorter(path);
        const piece = Buffer.allocUnsafe(Math.max(1, Math.min(PIECE_BYTES, bytes - offset)));
        while (offset < bytes) {
          const { bytesRead } = await readAt(file, piece, 0, Math.min(piece.length, bytes - offset), offset);
          if (bytesRead === 0) break;
          offset += bytesRead;
          const refusal = push(lines, decoder.write(piece.subarray(0, bytesRead)), path);
          for (const event of lines.take()) take(event);
          if (refusal !== null) return refusal;
        }
        return { ok: true, value: null };
      } finally {
        closeSync(file);
      }
    },
  };
}

function push(lines: LineReader<JournalEvent>, piece: string, path: string): ReturnType<typeof refused> | null {
  try {
    lines.push(piece);
    return null;
  } catch (error) {
    if (!(error instanceof DamagedLine)) throw error;
    return refused(`${path}:${error.line}: ${error.causes.join(', ')}`, 'restore the file');
  }
}

function shorter(path: string): ReturnType<typeof refused> {
  return refused(`${path} became shorter`, 'read it again from its beginning');
}

/*
 * What does not match its schema is refused with file, line and field. Apart from the writing, so that a run begins
 * without building the schemas.
 */

interface LinesFile<T> {
  readonly name: string;
  readonly shape: Shape<T>;
  readonly remedy: string;
  readonly keep?: (value: T) => T;
}

/**
 * Reads a run's folder. Drops an unfinished last line with a notice. A missing file, a damaged line and a field that
 * does not match its schema are diagnostics with file, line and column.
 */
export async function readRecord(folder: string): Promise<Checked<StoredRun>> {
  const run = await readRun(folder);
  if (!run.ok) return run;
  const journal = await readJournal(folder);
  if (!journal.ok) return journal;
  const facts = await readFacts(folder);
  if (!facts.ok) return facts;
  const scores = await readScores(folder);
  if (!scores.ok) return scores;
  const votes = await readVotes(folder);
  if (!votes.ok) return votes;
  return {
    ok: true,
    value: {
      run: run.value,
      ...sortEvents(journal.value.values),
      facts: facts.value.values,
      scores: scores.value.values,
      votes: votes.value.values,
      notices: [journal, facts, scores, votes].flatMap(({ value: { notices } }) => notices),
    },
  };
}

export function readJournal(folder: string): Promise<Checked<Lines<JournalEvent>>> {
  const remedy = 'restore the file; if you delete the line, a resumed run may send its request again';
  return readLinesOf(folder, { name: 'journal.jsonl', shape: shapeOf(journalSchema), remedy, keep: createSharing() });
}

/** Empty before the record is examined. */
export async function readFacts(folder: string): Promise<Checked<Lines<Fact>>> {
  if (!existsSync(join(folder, 'facts.jsonl'))) return { ok: true, value: { values: [], notices: [] } };
  const remedy = 'delete the line; the next report examines the media again';
  return readLinesOf(folder, { name: 'facts.jsonl', shape: shapeOf(factSchema), remedy });
}

/** Empty if nothing was scored. */
export async function readScores(folder: string): Promise<Checked<Lines<ScoreLine>>> {
  if (!existsSync(join(folder, 'scores.jsonl'))) return { ok: true, value: { values: [], notices: [] } };
  const remedy = 'delete the line; `retake score` makes it again';
  return readLinesOf(folder, { name: 'scores.jsonl', shape: shapeOf(scoreLineSchema), remedy });
}

/** Empty if no ballot was drawn. */
export async function readVotes(folder: string): Promise<Checked<Lines<VoteLine>>> {
  if (!existsSync(join(folder, 'votes.jsonl'))) return { ok: true, value: { values: [], notices: [] } };
  const remedy = 'delete the line if it is a vote; a ballot takes its votes with it';
  return readLinesOf(folder, { name: 'votes.jsonl', shape: shapeOf(voteLineSchema), remedy });
}

/** The last line of each run in `results/<suite>`. Empty without history.jsonl. */
export async function readHistory(folder: string): Promise<Checked<Lines<HistoryLine>>> {
  if (!existsSync(join(folder, 'history.jsonl'))) return { ok: true, value: { values: [], notices: [] } };
  const remedy = `make it again from the runs: ${commandLine(['retake', 'history', folder, '--rebuild'])}`;
  const read = await readLinesOf(folder, { name: 'history.jsonl', shape: shapeOf(historySchema), remedy });
  if (!read.ok) return read;
  const byRun = new Map(read.value.values.map((line) => [line.run, line]));
  return { ...read, value: { ...read.value, values: [...byRun.values()] } };
}

/** The last line of each run; skips damaged ones. */
export function salvageHistory(folder: string): readonly HistoryLine[] {
  return salvaged(folder, shapeOf(historySchema));
}

/** Of the same lines what a list of runs shows: a tenth of the time where there are very many. */
export function listedHistory(folder: string): readonly ListedLine[] {
  return salvaged(folder, shapeOf(listedLineSchema));
}

function salvaged<Line extends { readonly run: string }>(folder: string, shape: Shape<Line>): readonly Line[] {
  const read = readText(join(folder, 'history.jsonl'));
  const byRun = new Map<string, Line>();
  for (const text of (read.ok ? (read.value ?? '') : '').split('\n')) {
    const value = parsed(text);
    if (shape.fits(value)) byRun.set(value.run, value);
  }
  return [...byRun.values()];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Reads run.json. Begins every reading of a record: refuses a record with a link. */
export async function readRun(folder: string): Promise<Checked<Run>> {
  const checked = checkOwn(folder);
  if (!checked.ok) return checked;
  const path = join(folder, 'run.json');
  const read = readText(path);
  if (!read.ok) return read;
  const text = read.value;
  if (text === null) return refused(`${folder} is not a run: it has no run.json`, 'name the folder of a run');
  // What a file system may leave of a file that was not yet on the disk.
  if (/^\0*$/.test(text)) {
    return refused(`${path} is empty, as after a power cut`, 'restore it from a copy, or run the suite again');
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refused(`${path} is not JSON`, 'restore it: it was changed after it was written');
  }
  const format = formatOf(value);
  if (format === null) return refused(`${path} has no format version`, 'name the folder of a run');
  if (format > RUN_FORMAT) {
    return refused(`${path} has format ${format}, newer than ${RUN_FORMAT}`, 'read it with a newer Retake');
  }
  const shape = shapeOf(runSchema);
  if (shape.fits(value)) return { ok: true, value };
  const remedy = 'restore the file, or read it with the version of Retake that wrote it';
  return { ok: false, diagnostics: await placed(path, text, shape.faultsOf(value), remedy) };
}

function formatOf(value: unknown): number | null {
  if (typeof value !== 'object' || value === null || !('format' in value)) return null;
  return typeof value.format === 'number' ? value.format : null;
}

async function placed(
  file: string,
  text: string,
  faults: readonly FieldFault[],
  remedy: string,
): Promise<readonly Diagnostic[]> {
  const { parseDocument } = await import('../kit/document.ts');
  const document = parseDocument(file, text);
  return faults.map(({ path, cause }) => ({
    place: document.ok ? document.value.placeOf(path) : { file, line: 1, column: 1 },
    cause,
    remedy,
  }));
}

interface Lines<T> {
  readonly values: readonly T[];
  readonly notices: readonly string[];
}

async function readLinesOf<T>(folder: string, { name, shape, remedy, keep }: LinesFile<T>): Promise<Checked<Lines<T>>> {
  const path = join(folder, name);
  const opened = openRegular(path);
  if (!opened.ok) return opened;
  if (opened.value === null) return refused(`${path} is missing`, 'restore it, or name another run');
  const reader = readLines(shape, keep);
  try {
    const { file: fd } = opened.value;
    for await (const piece of createReadStream(path, { fd, encoding: 'utf8', highWaterMark: 1 << 20 })) {
      reader.push(String(piece));
    }
  } catch (error) {
    if (!(error instanceof DamagedLine)) throw error;
    const place = { file: path, line: error.line, column: 1 };
    return { ok: false, diagnostics: error.causes.map((cause) => ({ place, cause, remedy })) };
  }
  const { values, torn } = reader.end();
  const notices = torn ? [`${basename(path)}: the last line is torn and was dropped; its process was killed`] : [];
  return { ok: true, value: { values, notices } };
}
