import type { ReportFormat } from '../suite/format/suite.ts';
import { bencher } from './bencher.ts';
import { csv } from './csv.ts';
import { githubActionBenchmark } from './github-action-benchmark.ts';
import { html } from './html/html.ts';
import { json } from './json.ts';
import { junit } from './junit.ts';
import { markdown } from './markdown.ts';
import type { Reporter } from './reporter.ts';

/** In the order they write; a format without a reporter does not compile. */
const BY_FORMAT: { readonly [Format in ReportFormat]: Reporter<Format> } = {
  csv,
  json,
  html,
  junit,
  markdown,
  bencher,
  'github-action-benchmark': githubActionBenchmark,
};

export const REPORTERS: readonly Reporter[] = Object.values(BY_FORMAT);
