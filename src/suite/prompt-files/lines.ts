export interface Line {
  readonly line: number;
  readonly at: number;
  readonly content: string;
}

const LINE_END = /\r\n?|\n/g;

/** Lines ending with CRLF, LF or CR, one at a time to save memory. */
export function* linesOf(text: string): Generator<Line> {
  let at = 0;
  for (let line = 1; at <= text.length; line += 1) {
    const content = lineAt(text, at);
    yield { line, at, content };
    at += content.length;
    at += text.startsWith('\r\n', at) ? 2 : 1;
  }
}

export function lineAt(text: string, at: number): string {
  LINE_END.lastIndex = at;
  return text.slice(at, LINE_END.exec(text)?.index);
}
