import { z } from 'zod';
import type { Path } from '../../kit/document.ts';
import { type Context, type ReportedFault, reportFault } from '../../kit/issue.ts';
import { isList, type Json, type JsonObject } from '../../kit/json.ts';
import { duration } from '../../kit/scalars.ts';
import { type Locator, parseLocator, type TimeLocator } from '../language/locator.ts';
import { parseTemplate, type Template, type ValueTemplate } from '../language/template.ts';
import { EMBEDDED, httpUrl, type OriginPattern, parseBaseUrl, parseOriginPattern } from '../origins.ts';

/*
 * Fields of a target file, each compiled where it is declared. A field with a fault names what stands in for it, so
 * that checks of other fields go on.
 */

export const scalar = z.union([z.string(), z.number(), z.boolean()]);

export const template = templateOr('');

/** @param instead a template that has what other fields require of this one */
export function templateOr(instead: string) {
  return z.string().transform((text, context) => compileTemplate(text, context, instead));
}

/** A template of a path below the base URL. @param remedy for one that is not */
export function pathTemplate(remedy: string) {
  return z.string().transform((text, context) => {
    const isBelow = text.startsWith('/') || text.startsWith('${');
    if (!isBelow)
      reportFault(context, { cause: `the path "${text}" is not below base_url`, remedy, instead: `/${text}` });
    return compileTemplate(text, context, isBelow ? '/' : `/${text}`);
  });
}

function compileTemplate(text: string, context: Context, instead: string, path: Path = []): Template {
  const parsed = parseTemplate(text);
  if (parsed.ok) return parsed.template;
  for (const { column, cause, remedy } of parsed.errors) {
    reportFault(context, { cause: `${cause} at character ${column}`, remedy, instead }, path);
  }
  return [];
}

/** JSON whose texts are templates. */
export function jsonTemplate() {
  return z.json().transform((given, context) => compileValue(given, context));
}

export function compileValue(given: Json, context: Context, path: Path = []): ValueTemplate {
  if (typeof given === 'string') return { template: compileTemplate(given, context, '', path) };
  if (typeof given !== 'object' || given === null) return { literal: given };
  if (isList(given)) return { list: given.map((item, index) => compileValue(item, context, [...path, index])) };
  if (Object.hasOwn(given, '$each') || Object.hasOwn(given, '$item')) return compileEach(given, context, path);
  return { object: Object.entries(given).map(([key, item]) => [key, compileValue(item, context, [...path, key])]) };
}

/** `{ $each: case.images, $item: ... }`: the only list of objects whose length a case decides. */
function compileEach(given: JsonObject, context: Context, path: Path): ValueTemplate {
  const { $each: each, $item: item, ...others } = given;
  const [other] = Object.keys(others);
  if (each !== 'case.images' || item === undefined || other !== undefined) {
    const remedy = 'write { $each: case.images, $item: a value with ${each.image} }';
    reportFault(context, { cause: '"$each" needs case.images and "$item", and nothing else', remedy }, path);
    return { literal: null };
  }
  const template = compileTemplate('${case.images}', context, '', [...path, '$each']);
  return { each: template, item: compileValue(item, context, [...path, '$item']) };
}

/** One or several: the first that finds something counts. */
export const locators = z
  .union([z.string(), z.array(z.string()).min(1)])
  .transform((given, context) => (typeof given === 'string' ? [given] : given).flatMap((one) => locator(one, context)));

function locator(source: string, context: Context): readonly Locator[] {
  const parsed = parseLocator(source);
  if (parsed.ok) return [parsed.locator];
  reportFault(context, { cause: parsed.cause, remedy: parsed.remedy, instead: 'body' });
  return [];
}

const UNIT_MS = { us: 0.001, ms: 1, s: 1000 } as const;

const timeLocator = z.union([
  z.string().transform((source, context): TimeLocator => ({ locators: locator(source, context), unitMs: null })),
  z
    .strictObject({
      at: locators.describe('Its location.'),
      unit: z.enum(['us', 'ms', 's']).describe('The unit it is given in.'),
    })
    .transform(({ at, unit }): TimeLocator => ({ locators: at, unitMs: UNIT_MS[unit] })),
]);

export const timeLocators = z
  .union([timeLocator, z.array(timeLocator).min(1)])
  .transform((given) => (Array.isArray(given) ? given : [given]));

/** Values of constants that something is for; none: for all. */
export const whenConstants = z
  .record(
    z.string(),
    z.union([scalar, z.array(scalar).min(1)]).transform((given) => (Array.isArray(given) ? given : [given])),
  )
  .prefault({})
  .describe('Constants that it is for: { model: fast }, or a list of their values. Absent: all.');

/** A count in a reply, and US dollars for one of it. */
const pricedCount = z.strictObject({
  at: locators.describe('Its location.'),
  each: z.number().positive().describe('US dollars for one of them: 0.01 if it counts credits of a cent.'),
});

const costRule = z.union([
  pricedCount.extend({ when: whenConstants }).transform(({ when, ...counted }) => ({
    when,
    sum: [{ ...counted, optional: false }],
  })),
  z.strictObject({
    when: whenConstants,
    sum: z
      .array(
        pricedCount.extend({
          optional: z
            .boolean()
            .default(false)
            .describe('Whether it counts 0 where it is absent; else no cost is known.'),
        }),
      )
      .min(1)
      .max(20)
      .describe('What is charged: the cost is the sum of it.'),
  }),
]);

/** Gives what adds up to the cost, by constants: the first that matches counts. */
export const costLocator = z.union([
  locators.transform((at) => [{ when: {}, sum: [{ at, each: 1, optional: false }] }]),
  costRule.transform((rule) => [rule]),
  z.array(costRule).min(1),
]);

/** How many outputs a request asks for. */
export const outputCount = z
  .union([z.int().min(1), z.string().min(1)])
  .transform((given, context) => compileValue(given, context));

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const OURS = [
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** Why a target cannot set a header; null: it can. */
export function headerFault(name: string): ReportedFault | null {
  if (!TOKEN.test(name)) {
    return { cause: `"${name}" is not a valid header name`, remedy: 'write letters, digits and dashes' };
  }
  if (!OURS.includes(name.toLowerCase())) return null;
  return { cause: `the header "${name}" is set by Retake`, remedy: 'remove it', at: 'key' };
}

/** Names, and templates of their values. */
export const headers = z.record(z.string(), template).transform((given, context) =>
  Object.entries(given).map(([name, value]): readonly [name: string, value: Template] => {
    const fault = headerFault(name);
    if (fault !== null) reportFault(context, fault, [name]);
    return [name, value];
  }),
);

/** In lower case. */
export const headerName = z.string().transform((name, context) => {
  const fault = headerFault(name);
  if (fault !== null) reportFault(context, { ...fault, instead: 'x-key' });
  return name.toLowerCase();
});

export const baseUrl = z
  .string()
  .min(1)
  .transform((text, context) => {
    const parsed = parseBaseUrl(text);
    if (parsed.ok) return parsed.baseUrl;
    reportFault(context, { cause: parsed.cause, remedy: parsed.remedy, instead: httpUrl(text)?.origin ?? EMBEDDED });
    return text;
  });

/** @param mayBeAny whether `*` is allowed */
export function originPattern(mayBeAny: boolean) {
  return z.string().transform((text, context): OriginPattern => {
    const pattern = parseOriginPattern(text);
    if (pattern !== null && (mayBeAny || pattern.match !== 'any')) return pattern;
    const fault =
      pattern === null
        ? { cause: `"${text}" is not a valid origin`, remedy: 'write base, https://host, https://*.host or "*"' }
        : { cause: 'credentials cannot go to every host', remedy: 'name the origins that need them' };
    reportFault(context, { ...fault, instead: 'base' });
    return { match: 'base' };
  });
}

export const signSchema = z
  .strictObject({
    as: z.literal('jwt-hs256').describe('A JSON Web Token signed with HMAC SHA-256.'),
    key: template.describe('The secret key, a template: ${secret.NAME}.'),
    claims: z
      .record(z.string(), scalar)
      .default({})
      .transform((given, context) => compileValue(given, context))
      .describe('Claims of the token beside its times, templates: { iss: "${secret.NAME}" }.'),
    expires_in: duration.default(1_800_000).describe('The life of a token (exp); it is signed again after half of it.'),
    not_before: duration.optional().describe('How long before its signing it is valid (nbf), for clocks that differ.'),
  })
  .transform(({ key, claims, expires_in: expiresMs, not_before: notBeforeMs = null }) => {
    return { key, claims, expiresMs, notBeforeMs };
  })
  .describe('A token that is signed for each call; ${run.jwt} in auth.value stands for it.');
