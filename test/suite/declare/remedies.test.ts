import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { checkDocument } from '../../../src/kit/check.ts';
import { formatDiagnostic } from '../../../src/kit/diagnostic.ts';
import { parseDocument } from '../../../src/kit/document.ts';
import type { Json } from '../../../src/kit/json.ts';
import { suiteSchema } from '../../../src/suite/format/schema.ts';
import { targetSchema } from '../../../src/targets/model/schema.ts';
import { SMALLEST } from '../../targets/target-fixture.ts';

const SUITE = { suite: 1, name: 's', variants: { a: { target: 'p/e' } }, prompts: ['x'] };
const TARGET = { ...SMALLEST, submit: SMALLEST.submit, result: SMALLEST.result };

function faults(schema: z.ZodType, value: object): readonly string[] {
  const document = parseDocument('a.yaml', JSON.stringify(value));
  if (!document.ok) throw new Error('JSON is YAML');
  const checked = checkDocument(document.value, schema);
  return checked.ok ? [] : checked.diagnostics.map(formatDiagnostic);
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

  test.each<[object, string]>([
    [
      { seeds: 5 },
      '"seeds" must be a list or a mapping, not 5; write [5], or { first: 1, count: 5 }, or { random: 5, from: 42 }',
    ],
    [{ repeats: 0 }, '"repeats" must be at least 1, not 0; write 1 or more'],
    [{ repeats: '4' }, '"repeats" must be a whole number, not "4"; write 4'],
    [{ prompts: 'A fox' }, '"prompts" must be a list, not "A fox"; write [A fox]'],
    [{ probes: 'seed' }, '"probes" must be a list, not "seed"; write [seed]'],
    [
      { limits: { timeout: 30 } },
      '"timeout" must be a string, not 30; write a number and ms, s, m or h: 250ms, 2s, 10m',
    ],
    [{ name: 7 }, '"name" must be a string, not 7; write "7"'],
    [{ load: 4 }, '"load" must be a mapping, not 4; write for example { mode: closed }'],
  ])('the remedy for %j is an example that is valid', (keys, expected) => {
    expect(faults(suiteSchema, { ...SUITE, ...keys }).map((line) => line.replace(/^a\.yaml:\d+:\d+: /, ''))).toEqual([
      expected,
    ]);
  });
});
