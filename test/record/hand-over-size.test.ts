import { createHash } from 'node:crypto';
import { closeSync, mkdirSync, openSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { copyRecord, listRecord, PIECE_BYTES, readPiece } from '../../src/record/hand-over.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { NIGHTLY } from '../test-options.ts';

/* A large record is handed over in pieces: it takes the disk, and no memory. */

const MIB = 2 ** 20;
const FILES = NIGHTLY ? 32 : 4;
const FILE_BYTES = (NIGHTLY ? 64 : 16) * MIB;
const BREAKS = 5;
/** More than the pieces that wait to be collected. */
const MOST_MEMORY = 100 * MIB;

function writeLarge(folder: string, at: number): void {
  const hash = createHash('sha256');
  const draft = join(folder, 'draft');
  const file = openSync(draft, 'w');
  const piece = Buffer.alloc(MIB);
  for (let written = 0; written < FILE_BYTES; written += MIB) {
    piece.writeUInt32LE(at, 0);
    piece.writeUInt32LE(written / MIB, 4);
    hash.update(piece);
    writeSync(file, piece);
  }
  closeSync(file);
  const sha256 = hash.digest('hex');
  mkdirSync(join(folder, 'media', sha256.slice(0, 2)), { recursive: true });
  renameSync(draft, join(folder, 'media', sha256.slice(0, 2), `${sha256}.mp4`));
}

it(`a record of ${(FILES * FILE_BYTES) / MIB} MiB that is broken off ${BREAKS} times is read once, in flat memory`, async () => {
  const [from, to] = [freshFolder(), freshFolder()];
  for (let at = 0; at < FILES; at += 1) writeLarge(from, at);
  writeFileSync(join(from, 'run.json'), '{}\n');
  const before = process.memoryUsage.rss();
  let most = 0;
  const listBegan = performance.now();
  const listed = await listRecord(from, { leaveMedia: false });
  const listMs = performance.now() - listBegan;
  const total = listed.reduce((sum, { bytes }) => sum + bytes, 0);
  expect(listed.length).toBe(FILES + 1);
  expect(total).toBe(FILES * FILE_BYTES + 3);
  let arrived = 0;
  let breaks = 0;
  const copy = () =>
    copyRecord(to, listed, async (name, at) => {
      most = Math.max(most, process.memoryUsage.rss() - before);
      const piece = await readPiece(from, name, at);
      if (arrived > ((breaks + 1) * total) / (BREAKS + 1)) {
        breaks += 1;
        throw new Error('away');
      }
      arrived += piece.length;
      return piece;
    });
  const copyBegan = performance.now();
  for (let each = 0; each < BREAKS; each += 1) await expect(copy()).rejects.toThrow('away');
  expect(await copy()).toEqual({ ok: true, value: null });
  const copyMs = performance.now() - copyBegan;
  expect(arrived).toBe(total);
  expect(await listRecord(to, { leaveMedia: false })).toEqual(listed);
  if (NIGHTLY) {
    const speed = (ms: number) => `${Math.round(total / MIB / (ms / 1000))} MiB/s`;
    console.log(
      `listed at ${speed(listMs)}, copied at ${speed(copyMs)} in pieces of ${PIECE_BYTES / 1024} KiB, memory +${Math.round(most / MIB)} MiB`,
    );
  }
  expect(most).toBeLessThan(MOST_MEMORY);
});
