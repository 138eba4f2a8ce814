import { resolve } from 'node:path';
import type { Calibration } from '../../record/model/calibration.ts';
import type { Run } from '../../record/model/run.ts';
import { leftOutReason } from '../../report/words/run/left-out-reason.ts';
import { unfitnessWords } from '../../report/words/run/unfitness-words.ts';
import { type Diagnostic, formatDiagnostic } from '../../suite/document/diagnostic.ts';
import type { Suite } from '../../suite/format/suite.ts';
import type { Variant } from '../../targets/model/target.ts';
import { clipped } from '../../text/text-width.ts';
import { visibleLine } from '../../text/visible.ts';
import { listedInShort } from '../../text/wording.ts';
import { type Edge, EXIT, type ExitCode, printSentence } from '../edge.ts';
import { readExcerpt } from './excerpt.ts';

/** Nobody reads more sentences, and more have one cause. */
const MOST_PRINTED = 100;
/** Columns of a cause, which may quote a whole file. */
const LONGEST_CAUSE = 600;

const MOST_EXCERPTS = 20;

/** Prints up to a hundred errors by file and line, the first with the line of the file; gives the exit code. */
export function printDiagnostics(
  { err, cwd, showsExcerpts }: Pick<Edge, 'err' | 'cwd' | 'showsExcerpts'>,
  diagnostics: readonly Diagnostic[],
): ExitCode {
  for (const [at, diagnostic] of inOrder(diagnostics).slice(0, MOST_PRINTED).entries()) {
    const cause = clipped(diagnostic.cause, LONGEST_CAUSE);
    printSentence(err, visibleLine(formatDiagnostic({ ...diagnostic, cause })));
    if (!showsExcerpts || at >= MOST_EXCERPTS || diagnostic.place === null) continue;
    const lines = readExcerpt(resolve(cwd, diagnostic.place.file), diagnostic.place, err.width) ?? [];
    for (const line of lines) err.write(`${line}\n`);
  }
  if (diagnostics.length > MOST_PRINTED)
    printSentence(err, `and ${diagnostics.length - MOST_PRINTED} more; fix these first`);
  return EXIT.misuse;
}

function inOrder(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const files = [...new Set(diagnostics.map(({ place }) => place?.file ?? null))];
  const rankOf = ({ place }: Diagnostic) => (place === null ? -1 : files.indexOf(place.file));
  return diagnostics.toSorted(
    (a, b) =>
      rankOf(a) - rankOf(b) ||
      (a.place?.line ?? 0) - (b.place?.line ?? 0) ||
      (a.place?.column ?? 0) - (b.place?.column ?? 0),
  );
}

export function printWarnings({ err }: Pick<Edge, 'err'>, warnings: readonly Diagnostic[] = []): void {
  for (const warning of warnings) printSentence(err, `warning: ${visibleLine(formatDiagnostic(warning))}`);
}

export const NOT_EXAMINED = 'interrupted: some outputs were not examined; retake report examines the rest';

export function leftOutVariants(leftOut: Run['leftOut']): readonly string[] {
  const [first] = leftOut;
  if (first === undefined) return [];
  return [
    `left out ${listedInShort(leftOut.map(({ variant }) => visibleLine(variant)))}: ${visibleLine(leftOutReason(first.reason))}`,
  ];
}

/** A sentence for each prompt that no variant uses, because of their kinds. */
export function unaskedPrompts({ cases }: Pick<Suite, 'cases'>, variants: readonly Variant[]): readonly string[] {
  return cases
    .filter(({ kinds }) => !variants.some(({ kind }) => kinds.includes(kind)))
    .map(
      ({ id, kinds }) =>
        `the prompt ${visibleLine(id)} is unused: no variant has one of its kinds (${kinds.join(', ')})`,
    );
}

export function unfitness({ unfit }: Pick<Calibration, 'unfit'>): readonly string[] {
  return unfit.map((each) => {
    const { what, cause, remedy } = unfitnessWords(each, 'now');
    return `warning: ${what}; ${cause}; ${remedy}`;
  });
}
