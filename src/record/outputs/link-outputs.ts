import { constants, copyFileSync, existsSync, linkSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../../suite/document/file-fault.ts';
import { makeFolder } from '../files/make-folder.ts';

/**
 * Brings the media of some outputs, with thumbnails and previews, from one record into another; what is there already
 * stays. Media are linked where the file system can, as they are written once and named by their digest; else copied.
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
    copyOnce(join(from, 'thumbs', name), join(to, 'thumbs', name));
  }
}

function wantedIn(folder: string, wanted: ReadonlySet<string>): readonly string[] {
  return namesIn(folder).filter((name) => wanted.has(name.replace(/\..*$/, '')));
}

function namesIn(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder).sort() : [];
}

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    // Another disk, or a file system without links; where a copy fails too, its error says why.
    if (codeOf(error) !== 'EEXIST') copyOnce(from, to);
  }
}

function copyOnce(from: string, to: string): void {
  try {
    copyFileSync(from, to, constants.COPYFILE_EXCL);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}
