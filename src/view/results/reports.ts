import { SCRIPT } from '../../report/html/markup/client-script.ts';
import { contentSecurityPolicy } from '../../report/html/markup/document.ts';
import { HISTORY_STYLE, STYLE } from '../../report/html/style/style.ts';
import type { Checked } from '../../suite/document/diagnostic.ts';
import { stampOf } from '../progress/outline.ts';
import type { Makers } from './makers.ts';

/** The policies that report.html and history.html are sent under. */
export const REPORT_POLICY = `${contentSecurityPolicy(STYLE, SCRIPT)}; frame-ancestors 'none'`;
export const HISTORY_POLICY = `${contentSecurityPolicy(HISTORY_STYLE, null)}; frame-ancestors 'none'`;

/**
 * Makes one report at a time, and keeps the last one. A stored report.html is not shown: whoever wrote the record may
 * have written into it what they like.
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
