import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { checkDocument } from '../../src/kit/check.ts';
import { formatDiagnostic } from '../../src/kit/diagnostic.ts';
import { parseDocument } from '../../src/kit/document.ts';

const schema = z.strictObject({
  name: z.string().describe('what it is called'),
  load: z
    .strictObject({ concurrency: z.int().min(1).max(8), order: z.enum(['paired', 'mixed', 'sequential']) })
    .partial()
    .optional(),
  timeout: z
    .string()
    .regex(/^\d+s$/, { error: 'must be a duration; write 2s' })
    .optional(),
  seeds: z
    .union([
      z.array(z.int()),
      z.strictObject({ first: z.int(), count: z.int() }),
      z.strictObject({ random: z.int(), from: z.int() }),
    ])
    .optional(),
  bound: z
    .union([z.number(), z.string().regex(/^\d+%$/, { error: 'must be a percentage; write 5%' })], {
      error: 'must be a number or a percentage; write 5%',
    })
    .optional(),
  from: z.union([z.literal('body'), z.union([z.array(z.string()), z.strictObject({ at: z.string() })])]).optional(),
  auth: z
    .discriminatedUnion('in', [z.strictObject({ in: z.literal('header') }), z.strictObject({ in: z.literal('query') })])
    .optional(),
  'x,y': z.boolean().optional(),
  names: z.record(z.string().regex(/^[a-z]+$/, { error: 'must be lower-case; rename it' }), z.boolean()).optional(),
});

function faults(text: string): string[] {
  const document = parseDocument('a.yaml', text);
  if (!document.ok) return document.diagnostics.map(formatDiagnostic);
  const checked = checkDocument(document.value, schema);
  return checked.ok ? [] : checked.diagnostics.map(formatDiagnostic);
}

describe('a check', () => {
  const FAULTS: Readonly<Record<string, string | readonly string[]>> = {
    'name: x\nlod: {}\n': '2:1: unknown key "lod"; did you mean "load"?',
    'name: x\nload:\n  concurency: 4\n': '3:3: unknown key "concurency"; did you mean "concurrency"?',
    'name: x\nzzzzzz: 1\n':
      '2:1: unknown key "zzzzzz"; known keys are name, load, timeout, seeds, bound, from, auth, x,y, names',
    'name: x\n"x,z": true\n': '2:1: unknown key "x,z"; did you mean "x,y"?',
    '{}': '1:1: missing key "name"; add it: what it is called',
    '': '1:1: this must be a mapping, but is empty; write keys and values',
    'nmae: x\n': '1:1: unknown key "nmae"; did you mean "name"?',
    'name: 1\n': '1:7: "name" must be a string, not 1; write "1"',
    'name: x\nload: { order: { toString: paired } }\n':
      '2:16: "order" must not be a mapping; known are paired, mixed, sequential',
    'name: x\nauth: { in: [{ toString: header, valueOf: query }] }\n':
      '2:13: "in" must not be a list; known are header, query',
    'name: x\nload: { concurrency: "4", order: piared }\n': [
      '2:22: "concurrency" must be a whole number, not "4"; write 4',
      '2:34: "order" must not be "piared"; did you mean "paired"?',
    ],
    'name: x\nload: { concurrency: 9 }\n': '2:22: "concurrency" must be at most 8, not 9; write 8 or less',
    'name: x\ntimeout: 2 s\n': '2:10: "timeout" must be a duration; write 2s',
    'name: x\nnames: { A: true }\n': '2:10: the name "A" must be lower-case; rename it',
    'name: x\nseeds: 5\n':
      '2:8: "seeds" must be a list or a mapping, not 5; write [5], or { first: 1, count: 1 }, or { random: 1, from: 1 }',
    'name: x\nseeds: [1, x]\n':
      '2:12: item 2 of "seeds" must be a whole number, not "x"; write a whole number, without quotes',
    'name: x\nseeds: { frist: 1, count: 3 }\n': '2:10: unknown key "frist"; did you mean "first"?',
    'name: x\nbound: 5 %\n': '2:8: "bound" must be a percentage; write 5%',
    'name: x\nbound: []\n': '2:8: "bound" must be a number or a percentage; write 5%',
    'name: x\nfrom: boddy\n': '2:7: "from" must be body, not "boddy"; write body',
    'name: x\nfrom: { ta: 1, x: 2 }\n': [
      '2:9: unknown key "ta"; did you mean "at"?',
      '2:16: unknown key "x"; known keys are at',
    ],
    'name: x\nfrom: [1]\n': '2:8: item 1 of "from" must be a string, not 1; put it in quotes to make it a string',
    'name: x\nfrom: 1\n': '2:7: "from" must be body, a list or a mapping, not 1; write for example body',
    'name: x\nauth: { in: cookie }\n': '2:13: "in" must not be "cookie"; known are header, query',
    'name: x\nauth: {}\n': '2:1: missing key "in"; write header or query',
    'name: x\nseeds: { random: 3 }\n': '2:1: missing key "from"; add it',
  };
  test.each(Object.entries(FAULTS))('a check refuses %j', (text, says) => {
    expect(faults(text)).toEqual([says].flat().map((each) => `a.yaml:${each}`));
  });
});
