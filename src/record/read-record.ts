import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Checked, type Diagnostic, refused } from '../kit/diagnostic.ts';
import { BASELINE_FORMAT, isRunName, RUN_FORMAT } from './codes.ts';
import { factSchema } from './fact.ts';
import {
  createSharing,
  type FieldFault,
  followLines,
  type LineFollower,
  parsed,
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
import type { LineOf, LinesName } from './line-files.ts';
import { hasOutputs, inputImages } from './output-files.ts';
import { checkOwn, readText, replaceFile } from './own-files.ts';
import { HEADER, JOURNAL } from './own-names.ts';
import { type Run, runSchema } from './run.ts';
import { scoreLineSchema, voteLineSchema } from './score.ts';
import { sortEvents } from './trial-histories.ts';

/*
 * What does not match its schema is refused with file, line and field. Apart from the writing, so that a run begins
 * without building the schemas.
 */

interface LinesFile<Line> {
  readonly shape: Shape<Line>;
  /** Of a damaged line. */
  readonly remedy: string;
  /** May replace lines by equal ones that share texts. */
  readonly sharing?: () => (line: Line) => Line;
}

const LINES_FILES: { readonly [Name in LinesName]: LinesFile<LineOf[Name]> } = {
  'journal.jsonl': {
    shape: shapeOf(journalSchema),
    remedy: 'restore the file; if you delete the line, a resumed run may send its request again',
    sharing: createSharing,
  },
  'facts.jsonl': {
    shape: shapeOf(factSchema),
    remedy: 'delete the line; the next report examines the media again',
  },
  'scores.jsonl': {
    shape: shapeOf(scoreLineSchema),
    remedy: 'delete the line; `retake score` makes it again',
  },
  'votes.jsonl': {
    shape: shapeOf(voteLineSchema),
    remedy: 'restore the file; the line of a vote may be deleted, but with a ballot its votes are lost',
  },
  'history.jsonl': {
    shape: shapeOf(historySchema),
    remedy: 'delete the line; `retake history` makes it again from its run',
  },
};

/** What is appended to a journal, also while a run writes it. */
export function followJournal(folder: string): LineFollower<JournalEvent> {
  return followFile(folder, JOURNAL);
}

function followFile<Name extends LinesName>(folder: string, name: Name): LineFollower<LineOf[Name]> {
  const { shape, remedy } = LINES_FILES[name];
  return followLines(join(folder, name), shape, remedy);
}

interface Lines<T> {
  readonly values: readonly T[];
  /** Says that an unfinished last line was dropped; else empty. */
  readonly notices: readonly string[];
}

/**
 * Reads a file of lines; without it there are none, but a run has a journal. Drops an unfinished last line with a
 * notice. A damaged line and a field that does not match its schema are diagnostics with file and line.
 */
export async function readLines<Name extends LinesName>(
  folder: string,
  name: Name,
): Promise<Checked<Lines<LineOf[Name]>>> {
  const follower = followFile(folder, name);
  const keep = LINES_FILES[name].sharing?.() ?? ((line: LineOf[Name]) => line);
  const values: LineOf[Name][] = [];
  const read = await follower.catchUp((line) => values.push(keep(line)));
  if (!read.ok) return read;
  if (!read.value && name === JOURNAL) {
    return refused(`${join(folder, name)} is missing`, 'restore it, or name another run');
  }
  const torn = `${name}: the last line is torn and was dropped; its process was killed`;
  return { ok: true, value: { values, notices: follower.isTorn() ? [torn] : [] } };
}

interface RecordLines extends Pick<StoredRun, 'facts' | 'scores' | 'votes' | 'notices'> {
  readonly events: readonly JournalEvent[];
}

/** All lines of a record. */
export async function readAllLines(folder: string): Promise<Checked<RecordLines>> {
  const journal = await readLines(folder, 'journal.jsonl');
  if (!journal.ok) return journal;
  const facts = await readLines(folder, 'facts.jsonl');
  if (!facts.ok) return facts;
  const scores = await readLines(folder, 'scores.jsonl');
  if (!scores.ok) return scores;
  const votes = await readLines(folder, 'votes.jsonl');
  if (!votes.ok) return votes;
  const notices = [journal, facts, scores, votes].flatMap(({ value }) => value.notices);
  const { values: events } = journal.value;
  return {
    ok: true,
    value: { events, facts: facts.value.values, scores: scores.value.values, votes: votes.value.values, notices },
  };
}

/** Reads a run's folder. Drops an unfinished last line with a notice. Refuses what is missing or damaged. */
export async function readRecord(folder: string): Promise<Checked<StoredRun>> {
  const run = await readRun(folder);
  if (!run.ok) return run;
  const lines = await readAllLines(folder);
  if (!lines.ok) return lines;
  const { events, ...others } = lines.value;
  return { ok: true, value: { run: run.value, ...sortEvents(events), ...others } };
}

/** The last line of each run in `results/<suite>`. Empty without history.jsonl. */
export async function readHistory(folder: string): Promise<Checked<readonly HistoryLine[]>> {
  const read = await readLines(folder, 'history.jsonl');
  return read.ok ? { ok: true, value: lastOfEachRun(read.value.values) } : read;
}

/** The last line of each run; skips damaged ones. */
export function salvageHistory(folder: string): readonly HistoryLine[] {
  return salvaged(folder, LINES_FILES['history.jsonl'].shape);
}

const LISTED = shapeOf(listedLineSchema);

/** Of the same lines what a list of runs shows: a tenth of the time where there are very many. */
export function listedHistory(folder: string): readonly ListedLine[] {
  return salvaged(folder, LISTED);
}

function salvaged<Line extends { readonly run: string }>(folder: string, shape: Shape<Line>): readonly Line[] {
  const read = readText(join(folder, 'history.jsonl'));
  const texts = read.ok ? (read.value ?? '').split('\n') : [];
  return lastOfEachRun(texts.map(parsed).filter(shape.fits));
}

function lastOfEachRun<Line extends { readonly run: string }>(lines: readonly Line[]): readonly Line[] {
  return [...new Map(lines.map((line) => [line.run, line])).values()];
}

/** Reads run.json. Begins every reading of a record: refuses a record with a link. */
export async function readRun(folder: string): Promise<Checked<Run>> {
  const checked = checkOwn(folder);
  if (!checked.ok) return checked;
  return readDocument(join(folder, HEADER), {
    shape: RUN,
    newest: RUN_FORMAT,
    missing: `${folder} is not a run: it has no run.json`,
    nameAnother: 'name the folder of a run',
    restore: 'restore it from a copy, or run the suite again',
    mend: 'restore the file, or read it with the version of Retake that wrote it',
  });
}

const RUN = shapeOf(runSchema);

/** Refuses what does not match its schema, with line and field. */
export async function readBaseline(path: string): Promise<Checked<Baseline>> {
  const restore = 'restore it, or keep a new one with retake baseline';
  return readDocument(path, {
    shape: BASELINE,
    newest: BASELINE_FORMAT,
    missing: `there is no baseline at ${path}`,
    nameAnother: 'name a file that retake baseline has written',
    restore,
    mend: restore,
  });
}

const BASELINE = shapeOf(baselineSchema);

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

/** The baseline's run, beside its file in `suiteFolder`; null if its media are gone. */
export async function findBaselineRun(suiteFolder: string, { run }: Pick<Baseline, 'run'>): Promise<string | null> {
  if (!isRunName(run)) return null;
  const folder = join(suiteFolder, run);
  const stored = await readRun(folder);
  return stored.ok && hasOutputs(folder, inputImages(stored.value)) ? folder : null;
}

/** A file that holds one document, and what is said of one that cannot be read. */
interface DocumentFile<T> {
  readonly shape: Shape<T>;
  readonly newest: number;
  readonly missing: string;
  /** Remedies: of what is not such a file, of one that is lost, and of a wrong field. */
  readonly nameAnother: string;
  readonly restore: string;
  readonly mend: string;
}

async function readDocument<T>(path: string, document: DocumentFile<T>): Promise<Checked<T>> {
  const { shape, newest, missing, nameAnother, restore, mend } = document;
  const read = readText(path);
  if (!read.ok) return read;
  const text = read.value;
  if (text === null) return refused(missing, nameAnother);
  // What a file system may leave of a file that was not yet on the disk.
  if (/^\0*$/.test(text)) return refused(`${path} is empty, as after a power cut`, restore);
  const value = parsed(text);
  if (value === undefined) return refused(`${path} is not JSON`, restore);
  const format = formatOf(value);
  if (format === null) return refused(`${path} has no format version`, nameAnother);
  if (format > newest) {
    return refused(`${path} has format ${format}, newer than ${newest}`, 'read it with a newer Retake');
  }
  if (shape.fits(value)) return { ok: true, value };
  return { ok: false, diagnostics: await placed(path, text, shape.faultsOf(value), mend) };
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
