import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cellsOfRow, readCsv } from '../../src/kit/csv-reader.ts';

const texts = (text: string) => readCsv(text).rows.map((row) => cellsOfRow(text, row).map((cell) => cell.text));

test('a CSV value in quotes holds commas, line ends and quotes', () => {
  const text = 'id,text\r\n1,"a, b"\n2,"two\r\nlines"\r3,"say ""hi"""\n\n4,\n5,last';
  expect(texts(text)).toEqual([
    ['id', 'text'],
    ['1', 'a, b'],
    ['2', 'two\r\nlines'],
    ['3', 'say "hi"'],
    ['4', ''],
    ['5', 'last'],
  ]);
});

test('CSV cells know their place, also behind line ends inside quotes', () => {
  const text = 'a,"x\ny",b\n c,d,e\n';
  expect(
    readCsv(text)
      .rows.flatMap((row) => cellsOfRow(text, row))
      .map(({ line, column }) => `${line}:${column}`),
  ).toEqual(['1:1', '1:3', '2:4', '3:1', '3:4', '3:6']);
});

test.each([
  ['a,"b\nc', [{ line: 1, column: 3, cause: 'a quote is opened and never closed' }]],
  ['a,"b"c\nd', [{ line: 1, column: 6, cause: 'text after a closing quote' }]],
  ['a,b"c"\nd', [{ line: 1, column: 4, cause: 'a quote inside an unquoted cell' }]],
])('the text %j is not CSV', (text, expected) => {
  expect(readCsv(text).faults).toEqual(expected.map((fault) => expect.objectContaining(fault)));
});

test('readCsv reads what csv-stringify writes', () => {
  const cell = fc.string({ unit: fc.constantFrom(...'ab ;,"\n\r\té雪') });
  // Two columns at least: a row of one empty cell is an empty line.
  const table = fc
    .integer({ min: 2, max: 4 })
    .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width })));
  fc.assert(
    fc.property(table, fc.constantFrom('\n', '\r\n'), (rows, record_delimiter) => {
      // csv-stringify quotes a lone CR only when it quotes every string.
      const written = stringify(rows, { record_delimiter, quoted_string: true, quoted_empty: true });
      expect(texts(written)).toEqual(rows);
      expect(readCsv(written).faults).toEqual([]);
    }),
  );
});
