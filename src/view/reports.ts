import type { TwoRuns } from '../analysis/two-runs.ts';
import type { Checked } from '../kit/diagnostic.ts';
import { CONTENTS_OPENING, contentSecurityPolicy, STYLE } from '../markup/document.ts';
import { type Markup, textOf } from '../markup/markup.ts';
import { SCRIPT } from '../page/client-script.ts';
import { HISTORY_POLICY } from '../page/history-page.ts';
import type { OutputFact, PairFact } from '../record/fact.ts';
import type { StoredRun } from '../record/kept-run.ts';
import { linkList, type NavigationLink } from './pages/parts/page.ts';
import { stampOf } from './progress/outline.ts';

/** Functions that need every metric and reporter, which the viewer does not know. */
export interface Makers {
  readonly report: (folder: string) => Promise<Checked<Iterable<string> | AsyncIterable<string>>>;
  readonly history: (
    suiteFolder: string,
    reportOf: (run: string) => string | null,
  ) => Promise<Checked<Iterable<string>>>;
  readonly compare: (
    earlier: string,
    later: string,
  ) => Promise<Checked<{ readonly found: TwoRuns; readonly earlier: StoredRun; readonly later: StoredRun }>>;
  /** How two outputs of these runs differ; null where one of them does not decode, or `signal` is aborted. */
  readonly difference: (
    folders: readonly string[],
    outputs: readonly (OutputFact | undefined)[],
    signal: AbortSignal,
  ) => Promise<PairFact | null>;
  readonly reportFiles: readonly string[];
  /** Whether another process measures, examines or reports a run. */
  readonly isInUse: (folder: string) => boolean;
}

export const REPORT_POLICY = `${contentSecurityPolicy({ style: STYLE, script: SCRIPT, loadsBeside: true })}; frame-ancestors 'none'`;
export const TREND_POLICY = `${contentSecurityPolicy(HISTORY_POLICY)}; frame-ancestors 'none'`;

/** Keeps the last report. A stored report.html is not shown: whoever wrote the record may have changed it. */
export function reportMaker(render: Makers['report']): (folder: string) => Promise<Checked<readonly string[]>> {
  let kept: { readonly folder: string; readonly stamp: string; readonly pieces: readonly string[] } | null = null;
  return async (folder) => {
    if (kept !== null && kept.folder === folder && kept.stamp === stampOf(folder)) {
      return { ok: true, value: kept.pieces };
    }
    kept = null;
    const rendered = await render(folder);
    if (!rendered.ok) return rendered;
    const pieces: string[] = [];
    for await (const piece of rendered.value) pieces.push(piece);
    kept = { folder, stamp: stampOf(folder), pieces };
    return { ok: true, value: pieces };
  };
}

/** The table of contents stands behind the style sheet and before all images. */
const MOST_BEFORE_BYTES = 1_000_000;

/** Puts links above a page's table of contents, if it has one. @param here address of this page, if it is a link */
export async function* withLinks(
  page: Iterable<string> | AsyncIterable<string | Uint8Array>,
  links: readonly NavigationLink[],
  here?: string,
): AsyncGenerator<Uint8Array> {
  let before: Buffer | null = Buffer.alloc(0);
  for await (const piece of page) {
    const bytes = typeof piece === 'string' ? Buffer.from(piece, 'utf8') : piece;
    if (before === null) {
      yield bytes;
      continue;
    }
    before = Buffer.concat([before, bytes]);
    const at = before.indexOf(CONTENTS_OPENING);
    if (at < 0 && before.length < MOST_BEFORE_BYTES) continue;
    yield at < 0 ? before : inserted(before, at + CONTENTS_OPENING.length, linkList(links, here));
    before = null;
  }
  if (before !== null) yield before;
}

function inserted(page: Buffer, at: number, list: Markup): Buffer {
  return Buffer.concat([page.subarray(0, at), Buffer.from(textOf(list), 'utf8'), page.subarray(at)]);
}
