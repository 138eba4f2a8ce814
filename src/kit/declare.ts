import { z } from 'zod';

type Discriminable = z.core.$ZodTypeDiscriminable;

/** A named shape: once under `$defs` of a JSON Schema, with a table of its own where the README asks for one. */
export function shape<Fields extends z.core.$ZodLooseShape>(id: string, description: string, fields: Fields) {
  return z.strictObject(fields).meta({ id, description });
}

/** A named shape that is one of several objects, distinguished by a field. */
export function choice<const Parts extends readonly [Discriminable, ...Discriminable[]], Tag extends string>(
  id: string,
  description: string,
  tag: Tag,
  parts: Parts,
) {
  return z.discriminatedUnion(tag, parts).meta({ id, description });
}

/** An object without a name: one of several, or of a list. */
export function part<Fields extends z.core.$ZodLooseShape>(description: string, fields: Fields) {
  return z.strictObject(fields).describe(description);
}

/** Any JSON value from a user or a server, not checked further. */
type Whatever = null | boolean | number | string | readonly Whatever[] | { readonly [key: string]: Whatever };

type Deep<T> = [Whatever] extends [T] ? T : T extends object ? { readonly [Key in keyof T]: Deep<T[Key]> } : T;

/** The output of a schema, deeply readonly. */
export type Recorded<S extends z.ZodType> = Deep<z.output<S>>;

/*
 * Fields of several modules. Bounded, because a record may come from somebody else and numbers computed from it must
 * stay finite.
 */

export const count = z.int().min(0);

export const number = z.number().min(-1e30).max(1e30);

export const milliseconds = z.number().min(-1e15).max(1e15);

export const amount = z.number().min(0).max(1e30);

export const share = z.number().min(0).max(1);

export const sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits');

export const instant = z.iso.datetime({ error: 'must be a UTC time such as 2026-11-20T15:45:00.000Z' });

export const variantName = z.string().describe('The name of the variant.');

export const promptId = z.string().describe('The id of the prompt.');

export const trialId = z.string().describe('The id of the trial.');

export const metricName = z.string().describe('The name of the metric.');

export const statisticName = z.string().describe('The name of the statistic.');

export const step = number
  .positive()
  .nullable()
  .describe('Of a sweep, its concurrency; of open load its arrivals per second; else null.');

export const atMs = milliseconds.describe('When, on the clock of its segment.');

export const httpStatus = z.int().nullable().describe('The HTTP status of the reply; null without a reply.');

export const errorCode = z.string().describe('The code of the error; may be empty. Hostile text.');

export const message = z.string().describe('What the server said, shortened and redacted: hostile text.');
