/** Without a column: combining marks, joiners, variation selectors. */
const NARROWEST = /^(?:\p{M}|\u200d)$/u;

/** Ranges of code points with two columns: East Asian wide and full width, and emoji. */
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x231a, 0x231b],
  [0x23e9, 0x23ec],
  [0x23f0, 0x23f0],
  [0x23f3, 0x23f3],
  [0x25fd, 0x25fe],
  [0x2614, 0x2615],
  [0x2648, 0x2653],
  [0x267f, 0x267f],
  [0x2693, 0x2693],
  [0x26a1, 0x26a1],
  [0x26aa, 0x26ab],
  [0x26bd, 0x26be],
  [0x26c4, 0x26c5],
  [0x26ce, 0x26ce],
  [0x26d4, 0x26d4],
  [0x26ea, 0x26ea],
  [0x26f2, 0x26f3],
  [0x26f5, 0x26f5],
  [0x26fa, 0x26fa],
  [0x26fd, 0x26fd],
  [0x2705, 0x2705],
  [0x270a, 0x270b],
  [0x2728, 0x2728],
  [0x274c, 0x274c],
  [0x274e, 0x274e],
  [0x2753, 0x2755],
  [0x2757, 0x2757],
  [0x2795, 0x2797],
  [0x27b0, 0x27b0],
  [0x27bf, 0x27bf],
  [0x2b1b, 0x2b1c],
  [0x2b50, 0x2b50],
  [0x2b55, 0x2b55],
  [0x2e80, 0x303e],
  [0x3041, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f300, 0x1f64f],
  [0x1f680, 0x1f6ff],
  [0x1f900, 0x1faff],
  [0x20000, 0x3fffd],
];

export function textWidth(text: string): number {
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width;
}

function characterWidth(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x300) return 1;
  if (NARROWEST.test(character)) return 0;
  return WIDE.some(([first, last]) => code >= first && code <= last) ? 2 : 1;
}

/** At most so many columns, with an ellipsis at the end if cut. */
export function clipped(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text;
  let kept = '';
  let width = 0;
  for (const character of text) {
    width += characterWidth(character);
    if (width > columns - 1) break;
    kept += character;
  }
  return `${kept}…`;
}

/** At most so many columns, cut in the middle, because names that begin alike differ at their ends. */
export function shortened(name: string, columns: number): string {
  if (textWidth(name) <= columns) return name;
  const start = chunk(name, Math.max(1, Math.ceil((columns - 1) / 2)));
  const room = columns - 1 - textWidth(start);
  let end = '';
  for (const character of [...name].reverse()) {
    if (textWidth(character + end) > room) break;
    end = character + end;
  }
  return `${start}…${end}`;
}

/** Adds spaces up to so many columns: at the right for `left`, else at the left. */
export function padded(text: string, columns: number, side: 'left' | 'right' = 'left'): string {
  const gap = ' '.repeat(Math.max(0, columns - textWidth(text)));
  return side === 'left' ? text + gap : gap + text;
}

/** `longWords`: a word longer than a line is cut, or kept whole on its own line. */
export function wrapped(text: string, columns: number, longWords: 'cut' | 'keep' = 'cut'): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const joined = line === '' ? word : `${line} ${word}`;
    if (textWidth(joined) <= columns) {
      line = joined;
      continue;
    }
    if (line !== '') lines.push(line);
    line = word;
    while (longWords === 'cut' && textWidth(line) > columns) {
      const head = chunk(line, columns);
      lines.push(head);
      line = line.slice(head.length);
    }
  }
  return [...lines, line];
}

function chunk(text: string, columns: number): string {
  let kept = '';
  let width = 0;
  for (const character of text) {
    width += characterWidth(character);
    if (width > columns && kept !== '') break;
    kept += character;
  }
  return kept;
}
