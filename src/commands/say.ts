import { visibleLine } from '../report/visible.ts';
import { type Diagnostic, formatDiagnostic } from '../suite/diagnostic.ts';
import { type Edge, EXIT, type ExitCode } from './edge.ts';

/** Prints what the user has to mend, one sentence a line, and gives the exit code for it. */
export function sayDiagnostics({ err }: Pick<Edge, 'err'>, diagnostics: readonly Diagnostic[]): ExitCode {
  for (const diagnostic of diagnostics) err.write(`${visibleLine(formatDiagnostic(diagnostic))}\n`);
  return EXIT.misuse;
}

/** What is said when an interrupt ended the examination. */
export const NOT_EXAMINED = 'interrupted: some outputs were not examined; retake report examines the rest';
