import { describe, expect, it } from 'vitest';
import { excerpt, printDiagnostics } from '../../../src/commands/display/print.ts';
import { textWidth } from '../../../src/kit/text-width.ts';
import { memoryEdge } from '../../fixtures/memory-edge.ts';

/** In which column of the terminal the caret stands, and what stands above it. */
function aboveCaret(text: string, line: number, column: number, width = 80): string {
  const found = excerpt(text, { line, column }, width);
  if (found === null) throw new Error('there is a line');
  const [shown, caret] = found;
  const at = textWidth(caret) - 1;
  let columns = 0;
  for (const character of shown) {
    if (columns === at) return character;
    columns += textWidth(character);
  }
  return '';
}

it('errors that one remedy mends: the first three of many are printed, the others counted', () => {
  const edge = memoryEdge('/');
  const at = (line: number, remedy: string) => {
    return { place: { file: 'p.csv', line, column: 1 }, cause: `the text of row ${line} is empty`, remedy };
  };
  const many = Array.from({ length: 12 }, (_, index) => at(index + 2, 'write a prompt'));
  printDiagnostics({ ...edge, showsExcerpts: false }, [...many, at(20, 'write another')]);
  expect(edge.stderr().split('\n')).toEqual([
    'p.csv:2:1: the text of row 2 is empty; write a prompt',
    'p.csv:3:1: the text of row 3 is empty; write a prompt',
    'p.csv:4:1: the text of row 4 is empty; write a prompt',
    'p.csv:20:1: the text of row 20 is empty; write another',
    'p.csv: 9 more errors with the same remedy; write a prompt',
    '',
  ]);
});

it('errors that each have a remedy of their own: the first hundred are printed, the others counted', () => {
  const edge = memoryEdge('/');
  const errors = Array.from({ length: 300 }, (_, at) => ({ place: null, cause: 'it is wrong', remedy: `write ${at}` }));
  printDiagnostics({ ...edge, showsExcerpts: false }, errors);
  const lines = edge.stderr().trimEnd().split('\n');
  expect([lines.length, lines.at(-1)]).toEqual([101, 'and 200 more; fix these first']);
});

describe('the excerpt below a diagnostic', () => {
  it('the excerpt below a diagnostic is the line with its number, and a caret below the column', () => {
    expect(excerpt('suite: 1\nlaod: {}\n', { line: 2, column: 1 }, 80)).toEqual(['  2 | laod: {}', '    | ^']);
  });

  it.each([
    ['tabs', '\tname:\twrong', 8, 'w'],
    ['wide characters', 'prompts: [狐と雪, x]', 16, 'x'],
    ['combining marks', 'name: e\u0301e\u0301 x', 12, 'x'],
    ['emoji', 'name: 🦊 x', 10, 'x'],
    ['hidden characters', 'na\u202eme: \u001b[2J x', 13, 'x'],
    ['carriage returns', 'a: 1\r\nb: x', 4, 'x'],
  ])('the excerpt below a diagnostic keeps the caret below its column after %s', (what, text, column, wanted) => {
    expect(aboveCaret(text, what === 'carriage returns' ? 2 : 1, column)).toBe(wanted);
  });

  it('the excerpt below a diagnostic spells out characters that would act on the terminal', () => {
    const lines = excerpt('na\u202eme: \u001b[2J', { line: 1, column: 1 }, 80) ?? [];
    expect(lines.join('')).not.toMatch(/[\u0000-\u001f\u202e]/);
    expect(lines[0]).toContain('na\\u202eme: \\u001b[2J');
  });

  it.each([1, 60, 500, 990])(
    'the excerpt below a diagnostic fits the terminal where a line is long, column %d',
    (column) => {
      const text = Array.from({ length: 1000 }, (_, at) => String.fromCodePoint(97 + (at % 26))).join('');
      const lines = excerpt(text, { line: 1, column }, 80) ?? [];
      expect(lines.every((line) => textWidth(line) <= 80)).toBe(true);
      expect(aboveCaret(text, 1, column)).toBe(text[column - 1]);
    },
  );

  it('the excerpt below a diagnostic is left out where the file has no such line', () => {
    expect(excerpt('a: 1\n', { line: 9, column: 1 }, 80)).toBeNull();
    expect(excerpt('a: 1\n\n', { line: 2, column: 1 }, 80)).toBeNull();
  });
});
