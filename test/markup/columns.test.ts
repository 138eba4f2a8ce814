import fc from 'fast-check';
import { expect, it } from 'vitest';
import { columnsOf, valuesOf } from '../../src/markup/columns.ts';

/** Like the data of a page: lists of objects with texts, numbers, lists and objects that may be missing. */
const row = fc.record({
  text: fc.constantFrom('ok', 'failed', '', 'x'.repeat(20)),
  any: fc.option(fc.string()),
  number: fc.option(fc.oneof(fc.constant(0), fc.integer())),
  list: fc.array(fc.record({ of: fc.boolean(), texts: fc.array(fc.string()) })),
  missing: fc.option(fc.record({ inner: fc.option(fc.record({ at: fc.integer() })) })),
});

it('columns give back the rows they were made of, through JSON', () => {
  fc.assert(
    fc.property(fc.array(row), (rows) => {
      expect(valuesOf(JSON.parse(JSON.stringify(columnsOf(rows))))).toEqual(rows);
    }),
  );
});

it('columns write what many rows have in common once', () => {
  const rows = Array.from({ length: 1000 }, (_, at) => ({
    outcome: 'ok',
    message: 'y'.repeat(50),
    step: null,
    at: at % 500 === 0 ? at : 7,
  }));
  expect(JSON.stringify(columnsOf(rows)).length).toBeLessThan(400);
});
