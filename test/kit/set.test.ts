import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { checkDocument } from '../../src/kit/check.ts';
import { choice, part, type Recorded, shape } from '../../src/kit/declare.ts';
import { accepted } from '../../src/kit/diagnostic.ts';
import { parseDocument } from '../../src/kit/document.ts';
import type { Json } from '../../src/kit/json.ts';
import { json } from '../../src/kit/json-value.ts';
import { applyOverrides } from '../../src/kit/set.ts';
import { suiteSchema } from '../../src/suite/format/schema.ts';
import { expectFaults, linesOf } from '../fixtures/told-faults.ts';

const SUITE = `suite: 1
name: s
variants:
  v1.5: { target: a/b, const: { model: x } }
prompts: [A fox, { text: A cat }]
`;

function apply(...overrides: string[]) {
  return applyOverrides(accepted(parseDocument('s.yaml', SUITE)), overrides);
}

function value(...overrides: string[]) {
  return accepted(apply(...overrides)).value;
}

function faults(...overrides: string[]) {
  const applied = apply(...overrides);
  return linesOf(applied.ok ? checkDocument(applied.value, suiteSchema) : applied);
}

describe('--set', () => {
  test('--set reads values as YAML, makes parents, and the last one counts', () => {
    expect(value('load.concurrency=8', 'seeds=[1, 2]', 'description=a = b', 'load.concurrency=9')).toMatchObject({
      load: { concurrency: 9 },
      seeds: [1, 2],
      description: 'a = b',
      name: 's',
    });
  });

  test('--set reaches into lists, extends them by one, and replaces a text where a mapping is needed', () => {
    expect(value('prompts.1.text=A dog', 'prompts.2=A hen', 'prompts.0.text=An owl')).toMatchObject({
      prompts: [{ text: 'An owl' }, { text: 'A dog' }, 'A hen'],
    });
  });

  test('--set adds to the end of a list, one item or the items of a list, and makes a missing list', () => {
    expect(
      value('prompts.+=A dog', 'prompts.+=[A hen, A cow]', 'gate.+={ metric: error_rate, max: 20% }'),
    ).toMatchObject({
      prompts: ['A fox', { text: 'A cat' }, 'A dog', 'A hen', 'A cow'],
      gate: [{ metric: 'error_rate', max: '20%' }],
    });
  });

  test('--set finds keys that hold dots', () => {
    expect(value('variants.v1.5.const.model=y')).toMatchObject({
      variants: { 'v1.5': { target: 'a/b', const: { model: 'y' } } },
    });
  });

  test('--set of what cannot be set gets a diagnostic that names the option', async () => {
    await expectFaults('set', (option) => faults(option));
  });
});

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

const listSchema = shape('List', 'A list.', {
  parts: z.array(
    part('One of them.', { names: z.record(z.string(), z.array(z.number())), at: z.number().exactOptional() }),
  ),
  declared: json,
});

interface List {
  readonly parts: readonly {
    readonly names: Readonly<Record<string, readonly number[]>>;
    readonly at?: number;
  }[];
  readonly declared: Json;
}

test('the type of a shape is readonly to the bottom, its fields as optional as in the schema', () => {
  const same: Same<Recorded<typeof listSchema>, List> = true;
  expect(same).toBe(true);
});

test('a choice takes only the fields of one of its parts, and says in its JSON Schema what each means', () => {
  const either = choice('Either', 'One of two.', 'code', [
    part('It has a number.', { code: z.literal('a'), n: z.number() }),
    part('It has none.', { code: z.literal('b') }),
  ]);
  expect(either.safeParse({ code: 'a', n: 1 }).success).toBe(true);
  expect(either.safeParse({ code: 'b', n: 1 }).success).toBe(false);
  expect(z.toJSONSchema(shape('Whole', 'All.', { either }))).toMatchObject({
    $defs: {
      Either: {
        description: 'One of two.',
        oneOf: [{ description: 'It has a number.' }, { description: 'It has none.' }],
      },
      Whole: { description: 'All.', properties: { either: { $ref: '#/$defs/Either' } } },
    },
  });
});
