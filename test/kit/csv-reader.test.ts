import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readCsv } from '../../src/kit/csv-reader.ts';

const texts = (text: string) => readCsv(text).rows.map(({ cells }) => cells);

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

test.each([
  ['a,"b\nc', 1, 'a quote is opened and never closed'],
  ['a,"b"c\nd', 1, 'text after a closing quote'],
  ['\n"a\r\nb"\r\n\r\na,b"c"\nd', 5, 'a quote inside an unquoted cell'],
])('the text %j is not CSV from the row in line %d on', (text, line, cause) => {
  expect(readCsv(text).fault).toMatchObject({ line, cause });
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
      expect(readCsv(written).fault).toBeNull();
    }),
  );
});
