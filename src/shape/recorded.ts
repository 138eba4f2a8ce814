import type { z } from 'zod';

/** Any JSON value: what a user or a server wrote is not looked into. */
type Whatever = null | boolean | number | string | readonly Whatever[] | { readonly [key: string]: Whatever };

type Deep<T> = [Whatever] extends [T] ? T : T extends object ? { readonly [Key in keyof T]: Deep<T[Key]> } : T;

/** What a schema lets through, readonly to the bottom. */
export type Recorded<S extends z.ZodType> = Deep<z.output<S>>;
