import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folders: string[] = [];

/**
 * A new folder. All of them are cleared away at the end, not between: for half a minute after many files were deleted
 * some file systems (ext4) take up to twenty times as long to create one.
 */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'retake-bench-'));
  folders.push(folder);
  return folder;
}

export function clearScratch(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}
