import { expect, test } from 'vitest';
import { z } from 'zod';
import { choice, part, type Recorded, shape } from '../../src/kit/declare.ts';
import type { Json } from '../../src/kit/json.ts';
import { json } from '../../src/kit/json-value.ts';

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
