/** What a suite may ask for. `report/reporters.ts` has the reporter of each, but for that of the page. */
export const REPORT_FORMATS = ['csv', 'html', 'json', 'junit', 'markdown', 'table'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/**
 * The files of each, in the order in which it writes them. Retake replaces and deletes them: each is made from the
 * record.
 */
export const FILES_OF_FORMAT = {
  csv: ['samples.csv', 'measures.csv', 'comparisons.csv', 'likeness.csv'],
  html: ['report.html'],
  json: ['analysis.json'],
  junit: ['junit.xml'],
  markdown: ['summary.md'],
  table: ['table.csv', 'table.tex'],
} as const satisfies Readonly<Record<ReportFormat, readonly string[]>>;
