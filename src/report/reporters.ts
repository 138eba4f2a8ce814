import type { ReportFormat } from '../suite/report-format.ts';
import type { Reporter } from './reporter.ts';
import { csv } from './reporters/csv.ts';
import { json } from './reporters/json.ts';
import { junit } from './reporters/junit.ts';
import { markdown } from './reporters/markdown.ts';
import { table } from './reporters/table.ts';

/** All but that of the page, which `commands/display/reporters.ts` adds. A format without a reporter does not compile. */
export const REPORTERS_BY_FORMAT: { readonly [Format in Exclude<ReportFormat, 'html'>]: Reporter<Format> } = {
  csv,
  json,
  junit,
  markdown,
  table,
};
