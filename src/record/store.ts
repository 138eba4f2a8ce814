import { hash } from 'node:crypto';
import {
  appendFileSync,
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf } from '../suite/document/file-fault.ts';
import { createGroupCommit } from './group-commit.ts';
import { encodeEvent, encodeFact } from './journal-codec.ts';
import { openJournal } from './journal-file.ts';
import { makeFolder } from './make-folder.ts';
import type { Fact } from './model/fact.ts';
import type { JournalEvent } from './model/journal.ts';
import type { Run } from './model/run.ts';

/*
 * The one place that writes results/<suite>/<run>/; read-record.ts reads it back. results/README.md documents every file and field.
 */

/** An open record that a run is being written to. What is written has reached the operating system. */
export interface RecordWriter {
  readonly folder: string;
  /** Writes an event to the journal, after those that wait; it is written when this returns. */
  readonly append: (event: JournalEvent) => void;
  /** Writes an event together with others of this turn of the event loop; resolves once it is written. */
  readonly commit: (event: JournalEvent) => Promise<void>;
  /** Stores bytes under their digest, equal bytes once; gives the digest. */
  readonly keepMedia: (bytes: Uint8Array, extension: string) => string;
  readonly close: () => void;
}

/** Creates the folder of a new run, writes run.json and opens the journal. Throws when the folder is there already. */
export function createRecord(resultsFolder: string, run: Run): RecordWriter {
  const folder = join(resultsFolder, run.suite.name, run.id);
  makeFolder(dirname(folder));
  mkdirSync(folder);
  mkdirSync(join(folder, 'thumbs'));
  writeFileSync(join(folder, 'run.json'), `${JSON.stringify(run, null, 2)}\n`);
  const journal = openJournal(join(folder, 'journal.jsonl'));
  const keepMedia = keeperOfMedia(folder);
  const group = createGroupCommit(journal.append);
  return {
    folder,
    append: (event) => {
      group.flush();
      journal.append(encodeEvent(event));
    },
    commit: async (event) => group.add(encodeEvent(event)),
    keepMedia,
    close: () => {
      try {
        group.flush();
      } finally {
        journal.close();
      }
    },
  };
}

/** What stores bytes as a record does, in any folder: for outputs that belong to no run. */
export function keeperOfMedia(folder: string): RecordWriter['keepMedia'] {
  // Once: a folder that is gone later is to be noticed, not made again.
  makeShelf(join(folder, 'media'));
  const shelves = new Set<string>();
  return (bytes, extension) => {
    const sha256 = hash('sha256', bytes, 'hex');
    const path = mediaPath(folder, sha256, extension);
    if (!shelves.has(dirname(path))) makeShelf(dirname(path));
    shelves.add(dirname(path));
    writeOnce(path, bytes);
    return sha256;
  };
}

/** Without the folders above it. */
function makeShelf(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

/** Appends what examination found. A last line that its writer was killed in is cut off first. */
export function appendFacts(folder: string, facts: readonly Fact[]): void {
  const path = join(folder, 'facts.jsonl');
  cutTornLine(path);
  appendFileSync(path, facts.map(encodeFact).join(''));
}

/** The stored bytes of an output; null where its media has been pruned. */
export async function readMedia(folder: string, sha256: string): Promise<Uint8Array | null> {
  const path = findMedia(folder, sha256);
  return path === null ? null : readFile(path);
}

/** What stands in thumbs/: a small image of each output, and a preview of each video. */
export type SmallFormat = 'webp' | 'mp4';

/** Keeps a thumbnail (WebP) or a preview (MP4) of an output. */
export function writeSmall(folder: string, sha256: string, format: SmallFormat, bytes: Uint8Array): void {
  makeFolder(join(folder, 'thumbs'));
  writeFileSync(smallPath(folder, sha256, format), bytes);
}

/** The bytes of an output's thumbnail or preview; null where there is none. */
export function readSmall(folder: string, sha256: string, format: SmallFormat): Uint8Array | null {
  const path = smallPath(folder, sha256, format);
  return existsSync(path) ? readFileSync(path) : null;
}

function mediaPath(folder: string, sha256: string, extension: string): string {
  return join(folder, 'media', sha256.slice(0, 2), `${sha256}.${extension}`);
}

function findMedia(folder: string, sha256: string): string | null {
  const parent = join(folder, 'media', sha256.slice(0, 2));
  if (!existsSync(parent)) return null;
  const name = readdirSync(parent).find((entry) => entry.startsWith(`${sha256}.`));
  return name === undefined ? null : join(parent, name);
}

function smallPath(folder: string, sha256: string, format: SmallFormat): string {
  return join(folder, 'thumbs', `${sha256}.${format}`);
}

/** Writes a file that is there only once; one that a killed process left unfinished is shorter, and written again. */
function writeOnce(path: string, bytes: Uint8Array): void {
  let file: number;
  try {
    file = openSync(path, 'wx');
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    if (statSync(path).size === bytes.length) return;
    file = openSync(path, 'w');
  }
  try {
    writeWhole(file, bytes);
  } catch (error) {
    rmSync(path, { force: true });
    throw error instanceof Error ? Object.assign(error, { path }) : error;
  } finally {
    closeSync(file);
  }
}

/** Cuts a file of lines back to the end of its last whole line. */
function cutTornLine(path: string): void {
  if (!existsSync(path)) return;
  const file = openSync(path, 'r+');
  try {
    const { size } = fstatSync(file);
    const last = Buffer.alloc(1);
    let end = size;
    while (end > 0 && readSync(file, last, 0, 1, end - 1) === 1 && last[0] !== NEWLINE) end -= 1;
    if (end < size) ftruncateSync(file, end);
  } finally {
    closeSync(file);
  }
}

const NEWLINE = 0x0a;

/** A write to a file may be short; this one ends when all is written. */
function writeWhole(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}
