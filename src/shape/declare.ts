import { z } from 'zod';

type Discriminable = z.core.$ZodTypeDiscriminable;

/** A named shape: it stands once under `$defs` of a JSON Schema, and has a table of its own where the README asks for one. */
export function shape<Fields extends z.core.$ZodLooseShape>(id: string, description: string, fields: Fields) {
  return z.strictObject(fields).meta({ id, description });
}

/** A named shape that is one of several objects, told apart by a field. */
export function choice<const Parts extends readonly [Discriminable, ...Discriminable[]], Tag extends string>(
  id: string,
  description: string,
  tag: Tag,
  parts: Parts,
) {
  return z.discriminatedUnion(tag, parts).meta({ id, description });
}

/** One of several objects, or an object of a list: it has no name of its own. */
export function part<Fields extends z.core.$ZodLooseShape>(description: string, fields: Fields) {
  return z.strictObject(fields).describe(description);
}

/** Any JSON value: what a user or a server wrote is not looked into. */
type Whatever = null | boolean | number | string | readonly Whatever[] | { readonly [key: string]: Whatever };

type Deep<T> = [Whatever] extends [T] ? T : T extends object ? { readonly [Key in keyof T]: Deep<T[Key]> } : T;

/** What a schema lets through, readonly to the bottom. */
export type Recorded<S extends z.ZodType> = Deep<z.output<S>>;
