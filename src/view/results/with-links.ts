import { CONTENTS_OPENING } from '../../report/html/markup/document.ts';
import { type Markup, textOf } from '../../report/html/markup/markup.ts';
import { linkList, type NavigationLink } from '../pages/parts/page.ts';

/** The table of contents stands behind the style sheet and before all images: a page in which it is later keeps its text. */
const MOST_BEFORE_BYTES = 1_000_000;

/**
 * Puts links of this server above a page's table of contents, to lead from a report back to its list. A page without a
 * table of contents is not changed.
 *
 * @param here the address of this page, where it is among the links
 */
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
