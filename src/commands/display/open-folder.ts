import { accessSync, constants } from 'node:fs';
import { makeFolder } from '../../record/files/own-files.ts';
import { type Checked, fileFaultOf, refused } from '../../suite/document/diagnostic.ts';

/** Makes the folder of `--out` if needed and checks that it is writable, before anything that costs money or time. */
export function openFolder(folder: string): Checked<string> {
  try {
    makeFolder(folder);
    accessSync(folder, constants.W_OK);
    return { ok: true, value: folder };
  } catch (error) {
    return refuseFolder(folder, error);
  }
}

export function refuseFolder(folder: string, error: unknown): Checked<never> {
  const fault = fileFaultOf(error);
  if (fault === null) throw error;
  const remedy = fault.ofPath ? 'name another folder with --out' : fault.remedy;
  return refused(`cannot write to ${folder} (${fault.code})`, remedy);
}
