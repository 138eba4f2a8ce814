import { SCRIPT } from '../../report/html/markup/client-script.ts';
import { html, textOf } from '../../report/html/markup/markup.ts';
import { contentSecurityPolicy } from '../../report/html/markup/policy.ts';
import { HISTORY_STYLE, STYLE } from '../../report/html/markup/style.ts';
import type { Checked } from '../../suite/document/diagnostic.ts';
import { openContained } from '../files/open-contained.ts';
import type { RunPlace } from '../pages/parts/addresses.ts';
import { stampOf } from '../progress/outline.ts';
import type { Makers } from './makers.ts';

/** The policies that report.html and history.html are sent under. */
export const REPORT_POLICY = `${contentSecurityPolicy(STYLE, SCRIPT)}; frame-ancestors 'none'`;
export const HISTORY_POLICY = `${contentSecurityPolicy(HISTORY_STYLE, null)}; frame-ancestors 'none'`;

/** What of a page says which style sheet and script it has. */
const OWN_POLICY = textOf(html`content="${contentSecurityPolicy(STYLE, SCRIPT)}"`);

/** The policy stands near the beginning of a page. */
const HEAD_BYTES = 2000;

/** Whether a folder has a report.html that is not older than its record, and was made by this version. */
export async function hasOwnReport(root: string, { suite, run }: RunPlace): Promise<boolean> {
  const report = await openContained(root, [suite, run, 'report.html']);
  if (report === null) return false;
  try {
    for (const name of ['run.json', 'journal.jsonl', 'facts.jsonl']) {
      const part = await openContained(root, [suite, run, name]);
      await part?.handle.close();
      if (part !== null && part.modifiedMs > report.modifiedMs) return false;
    }
    const head = Buffer.alloc(HEAD_BYTES);
    const { bytesRead } = await report.handle.read(head, 0, HEAD_BYTES, 0);
    return head.toString('utf8', 0, bytesRead).includes(OWN_POLICY);
  } finally {
    await report.handle.close();
  }
}

/**
 * Makes reports from records, one at a time, and keeps the last one.
 *
 * @param render makes the page of the run in a folder
 */
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
