import { html } from '../../page/html.ts';
import { bencher, githubActionBenchmark } from '../../report/benchmarks.ts';
import { csv } from '../../report/csv.ts';
import { json } from '../../report/json.ts';
import { junit } from '../../report/junit.ts';
import { markdown } from '../../report/markdown.ts';
import type { Reporter } from '../../report/reporter.ts';
import { table } from '../../report/table.ts';
import type { ReportFormat } from '../../suite/suite.ts';

/** In the order they write; a format without a reporter does not compile. */
const BY_FORMAT: { readonly [Format in ReportFormat]: Reporter<Format> } = {
  csv,
  json,
  html,
  junit,
  markdown,
  table,
  bencher,
  'github-action-benchmark': githubActionBenchmark,
};

export const REPORTERS: readonly Reporter[] = Object.values(BY_FORMAT);
