import { hash } from 'node:crypto';
import { existsSync, linkSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { codeOf } from '../../kit/diagnostic.ts';
import { makeFolder } from '../files/own-files.ts';
import { isRegular } from '../files/read-text.ts';

/**
 * Brings media, thumbnails and previews of outputs into another record, where they are not there yet. Media are linked
 * where the file system can, since they never change; else copied. Leaves out what is no regular file, and copies
 * nothing that has another digest than its name.
 *
 * @param wanted the digests of the outputs
 */
export function linkOutputs(from: string, to: string, wanted: ReadonlySet<string>): void {
  for (const shelf of namesIn(join(from, 'media'))) {
    for (const name of wantedIn(join(from, 'media', shelf), wanted)) {
      makeFolder(join(to, 'media', shelf));
      linkOrCopy(join(from, 'media', shelf, name), join(to, 'media', shelf, name));
    }
  }
  makeFolder(join(to, 'thumbs'));
  // Copied: a later examination may write one again, and a link would change both.
  for (const name of wantedIn(join(from, 'thumbs'), wanted)) {
    writeOnce(join(to, 'thumbs', name), readFileSync(join(from, 'thumbs', name)));
  }
}

/** Regular files alone: a link may lead to any file of this machine. */
function wantedIn(folder: string, wanted: ReadonlySet<string>): readonly string[] {
  return namesIn(folder).filter((name) => wanted.has(digestIn(name)) && isRegular(join(folder, name)));
}

function digestIn(name: string): string {
  return name.replace(/\..*$/, '');
}

function namesIn(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder).sort() : [];
}

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return;
    // Another disk, or a file system without links; where a copy fails too, its error says why.
    const bytes = readFileSync(from);
    if (hash('sha256', bytes, 'hex') === digestIn(basename(from))) writeOnce(to, bytes);
  }
}

function writeOnce(path: string, bytes: Uint8Array): void {
  try {
    writeFileSync(path, bytes, { flag: 'wx' });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}
