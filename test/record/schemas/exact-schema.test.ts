import { expect, test } from 'vitest';
import { z } from 'zod';
import { type IsExact, schemaOf } from '../../../src/record/schemas/exact-schema.ts';
import { json } from '../../../src/record/schemas/field-schemas.ts';
import type { Json } from '../../../src/suite/document/json.ts';

interface Part {
  readonly names: readonly string[];
  readonly at?: number;
  readonly kind: 'a' | 'b';
  readonly declared: Json;
}

const names = z.array(z.string());
const at = z.number().exactOptional();
const kind = z.enum(['a', 'b']);
const declared = json;

const exact = z.strictObject({ names, at, kind, declared });
const without = z.strictObject({ names, kind, declared });
const beyond = z.strictObject({ names, at, kind, declared, more: z.string() });
const required = z.strictObject({ names, at: z.number(), kind, declared });
const undefinedAt = z.strictObject({ names, at: z.number().optional(), kind, declared });
const otherType = z.strictObject({ names: z.array(z.number()), at, kind, declared });
const oneMore = z.strictObject({ names, at, kind: z.enum(['a', 'b', 'c']), declared });
const nullable = z.strictObject({ names: names.nullable(), at, kind, declared });

test('a schema is bound to its type only where the two say the same: the types of this test fail to compile else', () => {
  const accepted: [IsExact<Part, typeof exact>] = [true];
  const refused: [
    IsExact<Part, typeof without>,
    IsExact<Part, typeof beyond>,
    IsExact<Part, typeof required>,
    IsExact<Part, typeof undefinedAt>,
    IsExact<Part, typeof otherType>,
    IsExact<Part, typeof oneMore>,
    IsExact<Part, typeof nullable>,
  ] = [false, false, false, false, false, false, false];
  expect([...accepted, ...refused].filter((is) => is)).toHaveLength(1);
  expect(schemaOf<Part>('Part')(exact).meta()).toEqual({ id: 'Part' });
});
