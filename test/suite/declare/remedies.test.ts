import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { checkDocument } from '../../../src/kit/check.ts';
import { accepted } from '../../../src/kit/diagnostic.ts';
import { parseDocument } from '../../../src/kit/document.ts';
import type { Json } from '../../../src/kit/json.ts';
import { suiteSchema } from '../../../src/suite/format/schema.ts';
import { targetSchema } from '../../../src/targets/model/schema.ts';
import { linesOf } from '../../fixtures/told-faults.ts';
import { SMALLEST } from '../../targets/target-fixture.ts';

const SUITE = { suite: 1, name: 's', variants: { a: { target: 'p/e' } }, prompts: ['x'] };
const TARGET = { ...SMALLEST, submit: SMALLEST.submit, result: SMALLEST.result };

function faults(schema: z.ZodType, value: object): readonly string[] {
  return linesOf(checkDocument(accepted(parseDocument('a.yaml', JSON.stringify(value))), schema));
}

/** A sentence whose remedy is what its cause says already: `must be a list, not 5; write a list`. */
function repeatsItself(sentence: string): boolean {
  const end = sentence.indexOf('; ');
  const [cause, remedy] = [sentence.slice(0, end), sentence.slice(end + 2)];
  // One word is what to type: "write 1".
  return !/^write \S+$/.test(remedy) && cause.includes(remedy.replace(/^write /, ''));
}

const WRONG: readonly Json[] = [5, -1, 0, 'x', true, [], {}, null];
const SECTIONS = ['load', 'limits', 'levels'] as const;

describe('a remedy', () => {
  test.each(Object.keys(suiteSchema.shape))('the remedy for a wrong %s of a suite says more than the fault', (key) => {
    const found = WRONG.flatMap((wrong) => faults(suiteSchema, { ...SUITE, [key]: wrong }));
    expect(found.filter(repeatsItself)).toEqual([]);
  });

  test.each(Object.keys(targetSchema.shape))(
    'the remedy for a wrong %s of a target says more than the fault',
    (key) => {
      const found = WRONG.flatMap((wrong) => faults(targetSchema, { ...TARGET, [key]: wrong }));
      expect(found.filter(repeatsItself)).toEqual([]);
    },
  );

  test.each(SECTIONS)('the remedy for a wrong value within %s says more than the fault', (section) => {
    const keys = {
      load: ['concurrency', 'rate', 'stages', 'order'],
      limits: ['timeout', 'usd', 'failures'],
      levels: ['near'],
    };
    const found = keys[section].flatMap((key) =>
      WRONG.flatMap((wrong) => faults(suiteSchema, { ...SUITE, [section]: { [key]: wrong } })),
    );
    expect(found.filter(repeatsItself)).toEqual([]);
  });
});
