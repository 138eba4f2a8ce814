import { constants, existsSync } from 'node:fs';
import { copyFile, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { makeFolder } from '../../record/files/own-files.ts';
import { type Checked, codeOf, fileFaultOf, refused } from '../../suite/document/diagnostic.ts';

export interface NewFile {
  /** Relative to the working folder. */
  readonly path: string;
  readonly content: { readonly text: string } | { readonly copyOf: string };
}

/** Writes nothing if one of them exists. */
export async function writeNewFiles(files: readonly NewFile[], cwd: string): Promise<Checked<null>> {
  const there = files.filter(({ path }) => existsSync(resolve(cwd, path)));
  if (there.length > 0) {
    return { ok: false, diagnostics: there.flatMap(({ path }) => refuseExisting(path).diagnostics) };
  }
  for (const { path, content } of files) {
    const absolute = resolve(cwd, path);
    try {
      makeFolder(dirname(absolute));
      // Exclusive: another process may have written it meanwhile, and the check above does not see a link to nothing.
      if ('text' in content) await writeFile(absolute, content.text, { flag: 'wx' });
      else await copyFile(content.copyOf, absolute, constants.COPYFILE_EXCL);
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return refuseExisting(path);
      const fault = fileFaultOf(error);
      if (fault === null) throw error;
      return refused(`cannot write ${path} (${fault.code})`, fault.remedy);
    }
  }
  return { ok: true, value: null };
}

export function refuseExisting(path: string): Extract<Checked<never>, { readonly ok: false }> {
  return refused(`${path} exists`, 'retake init never overwrites a file: name another one, or move it away');
}
