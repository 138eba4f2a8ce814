import { dirname, resolve } from 'node:path';
import type { Checked } from '../suite/document/diagnostic.ts';
import { type Document, diagnoseAt } from '../suite/document/document.ts';
import { type LoadOptions, loadDocument } from '../suite/load.ts';
import { parseTarget } from '../targets/format/parse-target.ts';
import { namedBodyFile } from '../targets/format/stored-body.ts';
import type { Target } from '../targets/model/target.ts';

/** Reads and checks a target file with the stored body that it may name. */
export async function loadTargetFile(
  path: string,
  options: Pick<LoadOptions, 'env' | 'cwd'>,
): Promise<Checked<Target>> {
  const document = await loadDocument(path, options.cwd);
  return document.ok ? loadTarget(document.value, options) : document;
}

/** As `loadTargetFile`, from a document that was read already. */
export async function loadTarget(
  document: Document,
  { env, cwd }: Pick<LoadOptions, 'env' | 'cwd'>,
): Promise<Checked<Target>> {
  const named = namedBodyFile(document, env);
  if (named === null) return parseTarget(document, env);
  const stored = await loadDocument(resolve(cwd, dirname(document.file), named), cwd);
  if (stored.ok) return parseTarget(document, env, stored.value);
  return {
    ok: false,
    // What is wrong with the file as a whole is said where it is named.
    diagnostics: stored.diagnostics.map((diagnostic) =>
      diagnostic.place === null ? diagnoseAt(document, ['submit', 'body_file'], diagnostic) : diagnostic,
    ),
  };
}
