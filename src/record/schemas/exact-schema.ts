import type { z } from 'zod';
import type { Json } from '../../suite/document/json.ts';

/**
 * A type in the form that is compared: intersections made one object, nothing readonly, without keys that are never there. `Json` is
 * compared as a whole, since it holds itself.
 */
type Plain<T> = [Json] extends [T]
  ? Json
  : T extends readonly unknown[]
    ? { -readonly [Key in keyof T]: Plain<T[Key]> }
    : T extends object
      ? { -readonly [Key in keyof T as [T[Key]] extends [undefined] ? never : Key]: Plain<T[Key]> }
      : T;

/** Whether two types are the same type, optional keys included; either may be assignable to the other without being so. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Whether a schema says exactly what a type says: no key more, none less, each as optional and of the same type. */
export type IsExact<T, S extends z.ZodType> = Same<Plain<T>, Plain<z.output<S>>>;

/** What a schema has to be beside itself: anything where it is exact, else what no schema is. */
type Exact<T, S extends z.ZodType> = IsExact<T, S> extends true ? unknown : { readonly type_and_schema_differ: never };

/**
 * Binds a schema to the type that it describes: where the two part, the compiler refuses the call. The type keeps the
 * docstrings, the schema is what records are checked with and what is published.
 *
 * @param id the name of the type: it stands under `$defs` in the published schema
 */
export function schemaOf<T>(id: string) {
  return <S extends z.ZodType>(schema: S & Exact<T, S>): S => (schema as S).meta({ id });
}
