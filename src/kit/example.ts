import { z } from 'zod';
import type { Path } from './document.ts';
import { isList, isObject, type Json } from './json.ts';

/**
 * A remedy for a value of the wrong type, from the value and examples: `write [5], or { first: 1, count: 5 }`. Null if
 * only the type's name is known.
 */
export function exampleRemedy(root: z.ZodType, path: Path, value: Json | undefined): string | null {
  const schema = schemaAt(root, path);
  if (schema === null) return null;
  const taken = repaired(schema, value);
  const others = examplesOf(schema).filter((example) => taken === undefined || shapeOf(example) !== shapeOf(taken));
  const written = [...(taken === undefined ? [] : [taken]), ...others].map(flow);
  const words = taken === undefined ? 'write for example' : 'write';
  if (written.length > 0) return `${words} ${[...new Set(written)].slice(0, 3).join(', or ')}`;
  // The message of a text with a form, such as a duration, shows the form.
  const [issue] = typeof value === 'number' ? (schema.safeParse(String(value)).error?.issues ?? []) : [];
  const form = issue === undefined || issue.code === 'invalid_type' ? -1 : issue.message.indexOf('; ');
  return form < 0 ? null : (issue?.message.slice(form + 2) ?? null);
}

function repaired(schema: z.ZodType, value: Json | undefined): Json | undefined {
  if (value === undefined || value === null || typeof value === 'object') return undefined;
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
  const candidates: readonly Json[] = [...(Number.isFinite(number) ? [number] : []), [value], String(value)];
  return candidates.find((candidate) => schema.safeParse(candidate).success);
}

/** One example per shape is enough. */
function shapeOf(value: Json): 'list' | 'mapping' | 'scalar' {
  return isList(value) ? 'list' : isObject(value) ? 'mapping' : 'scalar';
}

/** Values that a schema names, or made from its parts. None for a text. */
function examplesOf(given: z.core.$ZodType): readonly Json[] {
  const named = given instanceof z.ZodType ? given.meta()?.examples : undefined;
  if (Array.isArray(named)) return named as readonly Json[];
  const schema = unwrapped(given);
  if (schema !== given) return examplesOf(schema);
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(examplesOf);
  if (schema instanceof z.ZodLiteral) return [...schema.values].filter((value) => typeof value !== 'bigint') as Json[];
  if (schema instanceof z.ZodEnum) return schema.options.slice(0, 1);
  if (schema instanceof z.ZodBoolean) return [true];
  if (schema instanceof z.ZodNumber) return [Math.max(1, schema.minValue ?? 1)];
  if (schema instanceof z.ZodArray)
    return examplesOf(schema.element)
      .slice(0, 1)
      .map((item) => [item]);
  if (!(schema instanceof z.ZodObject)) return [];
  const parts = Object.entries(schema.shape).map(([key, part]) => ({ key, part, example: examplesOf(part)[0] }));
  const needed = parts.filter(({ part }) => !part.safeParse(undefined).success);
  const shown = needed.length > 0 ? needed : parts.filter(({ example }) => example !== undefined).slice(0, 1);
  const entries = shown.flatMap(({ key, example }) => (example === undefined ? [] : [[key, example] as const]));
  return entries.length === 0 || entries.length < shown.length ? [] : [Object.fromEntries(entries)];
}

/** The schema at `path`; null if a union or an open mapping leaves it unclear. */
function schemaAt(root: z.ZodType, path: Path): z.ZodType | null {
  let here: z.core.$ZodType = root;
  for (const step of path) {
    const inner: z.core.$ZodType = unwrapped(here);
    let next: z.core.$ZodType | undefined;
    if (inner instanceof z.ZodObject) next = typeof step === 'string' ? inner.shape[step] : undefined;
    else if (inner instanceof z.ZodRecord) next = inner.valueType;
    else if (inner instanceof z.ZodArray) next = inner.element;
    else if (inner instanceof z.ZodUnion) next = onlySchemaOf(inner.options, step);
    if (next === undefined) return null;
    here = next;
  }
  return here instanceof z.ZodType ? here : null;
}

/** Of a key in one mapping of a union, or with the same schema in several. */
function onlySchemaOf(options: readonly z.core.$ZodType[], key: string | number): z.core.$ZodType | undefined {
  const schemas = options.flatMap((option) => {
    const mapping = unwrapped(option);
    return mapping instanceof z.ZodObject && Object.hasOwn(mapping.shape, key) ? [mapping.shape[key]] : [];
  });
  return new Set(schemas).size === 1 ? schemas[0] : undefined;
}

function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) {
    return unwrapped(schema.def.innerType);
  }
  return schema instanceof z.ZodPipe ? unwrapped(schema.def.in) : schema;
}

function flow(value: Json): string {
  if (isList(value)) return `[${value.map(flow).join(', ')}]`;
  if (isObject(value))
    return `{ ${Object.entries(value)
      .map(([key, item]) => `${key}: ${flow(item)}`)
      .join(', ')} }`;
  const plain =
    typeof value === 'string' && /^[A-Za-z][A-Za-z0-9 /_-]*$/.test(value) && !/^(true|false|null)$/.test(value);
  return plain ? value : JSON.stringify(value);
}
