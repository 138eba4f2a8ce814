import type { Checked } from '../kit/diagnostic.ts';
import { CONTENTS_OPENING, contentSecurityPolicy, STYLE } from '../markup/document.ts';
import { textOf } from '../markup/markup.ts';
import { SCRIPT } from '../page/client-script.ts';
import { HISTORY_POLICY } from '../page/history-page.ts';
import type { TwoRunsSource } from '../page/two-runs-page.ts';
import { linkList, type NavigationLink } from './pages/parts/page.ts';

/** Functions that need every metric and reporter, which the viewer does not know. */
export interface Makers {
  readonly report: (folder: string) => Promise<Checked<Iterable<string> | AsyncIterable<string>>>;
  readonly history: (
    suiteFolder: string,
    reportOf: (run: string) => string | null,
  ) => Promise<Checked<Iterable<string>>>;
  /** Compares the outputs that the page shows, which takes a while. */
  readonly compare: (
    earlier: string,
    later: string,
    shown: Pick<TwoRunsSource, 'mediaOf' | 'reportOf'>,
  ) => Promise<Checked<Iterable<string>>>;
  readonly reportFiles: readonly string[];
  /** Whether another process measures, examines or reports a run. */
  readonly isInUse: (folder: string) => boolean;
}

export const REPORT_POLICY = `${contentSecurityPolicy({ style: STYLE, script: SCRIPT, loadsBeside: true })}; frame-ancestors 'none'`;
export const TREND_POLICY = `${contentSecurityPolicy(HISTORY_POLICY)}; frame-ancestors 'none'`;

/** Puts links above a page's table of contents, if it has one. @param here address of this page, if it is a link */
export function withLinks(page: string, links: readonly NavigationLink[], here?: string): string {
  const at = page.indexOf(CONTENTS_OPENING);
  if (at < 0) return page;
  const end = at + CONTENTS_OPENING.length;
  return `${page.slice(0, end)}${textOf(linkList(links, here))}${page.slice(end)}`;
}
