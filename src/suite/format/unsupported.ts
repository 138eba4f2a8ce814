import type { Diagnostic } from '../document/diagnostic.ts';
import { type Document, diagnoseAt, type Path } from '../document/document.ts';
import type { SuiteFile } from './schema.ts';
import { REPORT_FORMATS, type ReportFormat } from './suite.ts';

/** The parts of the format that this version checks but cannot carry out: told apart, never ignored. */
export function findUnsupported(document: Document, suite: SuiteFile): Diagnostic[] {
  const found: Diagnostic[] = [];
  const refuse = (path: Path, what: string, remedy: string, when: boolean) => {
    if (when) found.push(diagnoseAt(document, path, { cause: `${what} is not yet supported`, remedy }, 'key'));
  };

  for (const [index, format] of suite.reports.entries()) {
    refuse(['reports', index], `the report ${format}`, `choose from ${REPORT_FORMATS.join(', ')}`, !isWritten(format));
  }
  return found;
}

/** Whether this version writes a report of that name. */
export function isWritten(format: string): format is ReportFormat {
  return REPORT_FORMATS.some((written) => written === format);
}
