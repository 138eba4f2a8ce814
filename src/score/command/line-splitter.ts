/** A line, or why what came is none. */
export type SplitLine = { readonly line: string } | { readonly fault: 'line_too_long' | 'not_utf8' };

/**
 * Cuts bytes into lines of UTF-8. Holds at most one unfinished line. After a fault, no line follows.
 * @param mostBytes of a line without its end
 */
export function splitLines(mostBytes: number): (bytes: Uint8Array) => readonly SplitLine[] {
  let begun: Uint8Array[] = [];
  let length = 0;
  let failed = false;
  return (bytes) => {
    const lines: SplitLine[] = [];
    const fail = (fault: 'line_too_long' | 'not_utf8'): readonly SplitLine[] => {
      failed = true;
      begun = [];
      return [...lines, { fault }];
    };
    if (failed) return [];
    for (let at = 0; at < bytes.length; ) {
      const end = bytes.indexOf(NEWLINE, at);
      const piece = bytes.subarray(at, end < 0 ? bytes.length : end);
      length += piece.length;
      if (length > mostBytes) return fail('line_too_long');
      begun.push(piece);
      if (end < 0) break;
      const line = decoded(Buffer.concat(begun));
      if (line === null) return fail('not_utf8');
      lines.push({ line });
      [begun, length] = [[], 0];
      at = end + 1;
    }
    return lines;
  };
}

const NEWLINE = 0x0a;

function decoded(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
