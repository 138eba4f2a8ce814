import { type Dirent, lstatSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Checked, fileFaultOf, refused } from '../kit/diagnostic.ts';
import { listedInShort } from '../kit/wording.ts';
import { FILES_OF_FORMAT } from '../suite/report-format.ts';
import { isStoredName } from './output-files.ts';

/* The names that Retake writes into a record. Everything else is the user's, and is never deleted. */

export const HEADER = 'run.json';
export const JOURNAL = 'journal.jsonl';
export const LINES = [JOURNAL, 'facts.jsonl', 'scores.jsonl', 'votes.jsonl'] as const;

/** Only its owner may read a journal: it may contain signed URLs from replies. */
export function modeOf(name: string): number {
  return name === JOURNAL ? 0o600 : 0o666;
}

/** Each can be made again from the record. */
export const REPORT_FILES = [...Object.values(FILES_OF_FORMAT).flat(), 'verdict.json'] as const;
export type ReportFileName = (typeof REPORT_FILES)[number];

const FILES: ReadonlySet<string> = new Set([HEADER, ...LINES, ...REPORT_FILES, 'lock', `${JOURNAL}.reserve`]);
/** `partOf`, and the parts of a record that is handed over. */
const PART = /^(.+?)(?:\.[0-9a-f]{12})?\.part$/;
const UNIQUE_PART = /^(.+)\.[0-9a-f]{12}\.part$/;
const FOLDER = /^(?:thumbs|media(?:\/[0-9a-f]{2})?)$/;

/** Whether Retake writes a file of this name, relative to the record with slashes. */
function isOwnName(name: string): boolean {
  const whole = PART.exec(name)?.[1] ?? name;
  return FILES.has(whole) || isStoredName(whole) || /^lock\.\d+$/.test(name);
}

interface RecordEntry {
  /** Relative to the record, with slashes. */
  readonly name: string;
  readonly entry: Dirent;
}

/** What lies in the folders that Retake makes in a record; these folders themselves are left out. */
function entriesIn(folder: string, at = ''): readonly RecordEntry[] {
  return readdirSync(join(folder, at), { withFileTypes: true }).flatMap((entry) => {
    const name = `${at}${entry.name}`;
    return entry.isDirectory() && FOLDER.test(name) ? entriesIn(folder, `${name}/`) : [{ name, entry }];
  });
}

/** Refuses a record that holds a file, folder or link that Retake did not write: replacing it would delete that. */
export function checkOnlyOwn(folder: string): Checked<null> {
  const others = entriesIn(folder)
    .filter(({ name, entry }) => !(entry.isFile() && isOwnName(name)))
    .map(({ name }) => name)
    .sort();
  if (others.length === 0) return { ok: true, value: null };
  return refused(
    `${folder} has ${listedInShort(others)}, not written by Retake`,
    `move ${others.length === 1 ? 'it' : 'them'} out of the folder`,
  );
}

/** Deletes the parts that a killed process left in a record. Only under its lock: nobody else writes into it then. */
export function removeParts(folder: string): void {
  remove(
    entriesIn(folder)
      .filter(({ name, entry }) => entry.isFile() && isOwnName(UNIQUE_PART.exec(name)?.[1] ?? ''))
      .map(({ name }) => join(folder, name)),
  );
}

/** No writer that is alive leaves its part untouched for so long. */
const ABANDONED_MS = 3_600_000;

/**
 * Deletes what killed processes left of a file outside a record: parts much older than `part`, which is just written.
 */
export function removeAbandoned(file: string, part: string): void {
  const now = statSync(part).mtimeMs;
  const isOld = (path: string) => now - (lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now) > ABANDONED_MS;
  const parts = readdirSync(dirname(file)).filter((name) => UNIQUE_PART.exec(name)?.[1] === basename(file));
  remove(parts.map((name) => join(dirname(file), name)).filter(isOld));
}

/** What cannot be deleted stays: it does no harm. */
function remove(paths: readonly string[]): void {
  for (const path of paths) {
    try {
      rmSync(path, { force: true });
    } catch (error) {
      if (fileFaultOf(error) === null) throw error;
    }
  }
}
