import { readFileSync, rmSync } from 'node:fs';
import type { ExaminerSource } from '../../examine/examiners.ts';
import type { OutputFiles, ShowHow } from '../../examine/show-output.ts';
import type { Fact } from '../../record/fact.ts';
import { factsByDigest } from '../../record/output-pairs.ts';
import { openScratch } from '../scratch.ts';

type ShownParts = Partial<Omit<ShowHow, 'to'>>;

/** Makes what programs, judges and people see of the outputs of a run: without metadata, under names that reveal nothing. */
export interface Shower {
  /** For temporary files; gone after `close`. */
  readonly folder: string;
  /** Paths in `folder`, by default of one image as it is; or why there are none. */
  readonly files: (
    sha256: string,
    how?: ShownParts,
  ) => Promise<OutputFiles | { readonly images: null; readonly code: 'media_missing' | 'undecodable' }>;
  /** Its video, if one was asked for, else its images. Null where there are none. */
  readonly bytes: (sha256: string, how: ShownParts) => Promise<readonly Buffer[] | null>;
  readonly close: () => Promise<void>;
}

/** @param folder of the run */
export function openShower(folder: string, facts: readonly Fact[], source: ExaminerSource): Shower {
  const scratch = openScratch(source);
  const byDigest = factsByDigest(facts);
  const files: Shower['files'] = async (sha256, how = {}) => {
    const fact = byDigest.get(sha256);
    const all = { frames: 1, worsening: null, original: false, ...how, to: scratch.folder };
    const made = fact === undefined ? null : await scratch.show(folder, fact, all);
    if (made !== null && 'images' in made) return made;
    return { images: null, code: made?.code === 'media_missing' ? made.code : 'undecodable' };
  };
  return {
    folder: scratch.folder,
    files,
    bytes: async (sha256, how) => {
      const made = await files(sha256, how);
      if (made.images === null) return null;
      return (made.video === null ? made.images : [made.video]).map((path) => {
        const bytes = readFileSync(path);
        rmSync(path, { force: true });
        return bytes;
      });
    },
    close: scratch.close,
  };
}
