import { accepted, type Checked, checked, type Diagnostic, formatDiagnostic } from '../../kit/diagnostic.ts';
import { groupBy } from '../../kit/grouping.ts';
import { clipped } from '../../kit/text-width.ts';
import { count } from '../../kit/wording.ts';
import { type Edge, EXIT, type ExitCode, printSentence } from '../edge.ts';

/** More diagnostics mostly have one cause. */
const MOST_PRINTED = 100;
/** Columns of a cause, which may quote a whole file. */
const LONGEST_CAUSE = 600;

/** Of more errors of a file with one remedy, the first few are printed. */
const MOST_ALIKE = 10;
const SHOWN_OF_ALIKE = 3;

/** Prints up to a hundred errors by file and line; gives the exit code. */
export function printDiagnostics({ err }: Pick<Edge, 'err'>, diagnostics: readonly Diagnostic[]): ExitCode {
  const { told, untold } = withoutRepeats(inOrder(diagnostics));
  for (const diagnostic of told.slice(0, MOST_PRINTED)) {
    const cause = clipped(diagnostic.cause, LONGEST_CAUSE);
    printSentence(err, formatDiagnostic({ ...diagnostic, cause }));
  }
  for (const group of untold) {
    const [{ place, remedy } = { place: null, remedy: '' }] = group;
    printSentence(
      err,
      `${place === null ? '' : `${place.file}: `}${count(group.length)} more errors with the same remedy; ${remedy}`,
    );
  }
  if (told.length > MOST_PRINTED) printSentence(err, `and ${told.length - MOST_PRINTED} more; fix these first`);
  return EXIT.misuse;
}

/** Of many errors of a file that one remedy mends, the first; `untold` has the others of each such group. */
function withoutRepeats(diagnostics: readonly Diagnostic[]): {
  readonly told: readonly Diagnostic[];
  readonly untold: readonly (readonly Diagnostic[])[];
} {
  const alike = groupBy(diagnostics, ({ place, remedy }) => JSON.stringify([place?.file ?? null, remedy]));
  const untold = [...alike.values()].flatMap((group) =>
    group.length > MOST_ALIKE ? [group.slice(SHOWN_OF_ALIKE)] : [],
  );
  const isUntold = new Set(untold.flat());
  return { told: diagnostics.filter((diagnostic) => !isUntold.has(diagnostic)), untold };
}

/** Gives the exit code of a command, and prints the errors that ended it. */
export async function exitCodeOf(command: () => Promise<ExitCode>, edge: Pick<Edge, 'err'>): Promise<ExitCode> {
  const ended = await checked(command);
  return ended.ok ? ended.value : printDiagnostics(edge, ended.diagnostics);
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

/** Prints the warnings. Throws what was refused. */
export function withWarnings<T>(edge: Pick<Edge, 'err'>, result: Checked<T>): T {
  if (result.ok) printWarnings(edge, result.warnings);
  return accepted(result);
}

/** Wrong arguments of a command: a sentence and exit code 2. */
export function misuse({ err }: Pick<Edge, 'err'>, command: string, sentence: string): ExitCode {
  printSentence(err, `retake ${command}: ${sentence}`);
  return EXIT.misuse;
}

export function printWarnings({ err }: Pick<Edge, 'err'>, warnings: readonly Diagnostic[] = []): void {
  for (const warning of warnings) printSentence(err, `warning: ${formatDiagnostic(warning)}`);
}

export const NOT_EXAMINED = 'interrupted: some outputs were not examined; retake report examines the rest';
