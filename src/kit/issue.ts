import { z } from 'zod';
import type { Fault } from './diagnostic.ts';
import type { Path } from './document.ts';
import type { Json } from './json.ts';
import { suggest } from './nearest.ts';
import { oneOf } from './wording.ts';

interface TypeWords {
  readonly name: string;
  readonly remedy: string;
  /** Remedy for a key without a value; absent: `write its value`. */
  readonly empty?: string;
}

const MAPPING: TypeWords = { name: 'a mapping', remedy: 'write keys and values', empty: 'write keys and values' };
const LIST = 'write a list, also for one item';

const TYPES: Readonly<Record<string, TypeWords>> = {
  object: MAPPING,
  record: MAPPING,
  array: { name: 'a list', remedy: LIST, empty: LIST },
  tuple: { name: 'a list', remedy: 'write a list of two', empty: 'write a list of two' },
  string: { name: 'a string', remedy: 'put it in quotes to make it a string' },
  number: { name: 'a number', remedy: 'write a number, without quotes' },
  int: { name: 'a whole number', remedy: 'write a whole number, without quotes' },
  boolean: { name: 'true or false', remedy: 'write true or false, without quotes' },
};

export type Context = z.core.$RefinementCtx;

/** A fault from a schema's transform; its cause names the value. */
export interface ReportedFault extends Fault {
  readonly at?: 'key' | undefined;
  /** Replaces the value in further checks; absent: the value is left out. */
  readonly instead?: Json | undefined;
}

/** Reports a fault of a transform. `path` is within the value that the transform got. */
export function reportFault(context: Context, reported: ReportedFault, path: Path = []): void {
  context.issues.push({
    code: 'custom',
    message: reported.cause,
    input: context.value,
    path: [...path],
    params: { reported },
    continue: true,
  });
}

/** What `reportFault` got; null for any other issue. */
export function reportedFault(issue: z.core.$ZodIssue): ReportedFault | null {
  return issue.code === 'custom' ? ((issue.params?.reported as ReportedFault | undefined) ?? null) : null;
}

function asClause(sentence: string): string {
  return (/^[A-Z][a-z ]/.test(sentence) ? sentence.charAt(0).toLowerCase() + sentence.slice(1) : sentence).replace(
    /\.$/,
    '',
  );
}

export function article(expected: string): string {
  return TYPES[expected]?.name ?? expected;
}

export function split(message: string): Fault {
  const end = message.indexOf('; ');
  return end < 0
    ? { cause: message, remedy: 'correct it' }
    : { cause: message.slice(0, end), remedy: message.slice(end + 2) };
}

/** The message `cause; remedy` for a zod issue whose schema has none; a union has no cause of its own. */
export function describeIssue(issue: z.core.$ZodRawIssue): string {
  const given = shown(issue.input);
  const help = issue.inst instanceof z.ZodType ? issue.inst.description : undefined;
  if (issue.input === undefined) return `is missing; add it${help === undefined ? '' : `: ${asClause(help)}`}`;
  switch (issue.code) {
    case 'invalid_type': {
      const expected = issue.inst instanceof z.ZodNumber && issue.inst.isInt ? 'int' : issue.expected;
      // A key without a value is null in YAML.
      if (issue.input === null)
        return `must be ${article(expected)}, but is empty; ${TYPES[expected]?.empty ?? 'write its value'}`;
      const isNumber = expected === 'int' || expected === 'number';
      const isTooLong = isNumber && typeof issue.input === 'string' && /^-?\d{16,}$/.test(issue.input);
      const remedy = isTooLong ? 'write at most 15 digits, without quotes' : TYPES[expected]?.remedy;
      return `must be ${article(expected)}, not ${given}; ${remedy ?? help ?? 'correct it'}`;
    }
    case 'invalid_value': {
      const values = issue.values.map(String);
      if (values.length === 1) return `must be ${values[0]}, not ${given}; write ${values[0]}`;
      return `must not be ${given}; ${suggest(wordOf(issue.input), values)}`;
    }
    case 'too_small':
      return bounded('minimum', issue.inclusive !== false, issue.minimum, issue.origin, given);
    case 'too_big':
      return bounded('maximum', issue.inclusive !== false, issue.maximum, issue.origin, given);
    case 'unrecognized_keys':
      return `must not have the key ${oneOf(issue.keys.map((key) => JSON.stringify(key)))}; remove it`;
    case 'invalid_union':
      // Variants distinguished by one key, whose value is unknown.
      if (Array.isArray(issue.options)) return describeChoice(issue.options, issue.discriminator, issue.input);
      return `; ${help ?? ''}`;
    default:
      return `must not be ${given}; ${help ?? 'correct it'}`;
  }
}

/** Known keys of a mapping's schema, to find what an unknown one means. */
export function knownKeysOf(schema: unknown): readonly string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

function describeChoice(options: readonly unknown[], key: unknown, input: unknown): string {
  const given =
    typeof input === 'object' && input !== null ? Object.entries(input).find(([name]) => name === key) : null;
  const known = options.map(String);
  if (given === undefined || given === null) return `must be ${oneOf(known)}; write ${oneOf(known)}`;
  return `must not be ${shown(given[1])}; ${suggest(wordOf(given[1]), known)}`;
}

/** A mapping is not a word, and may have a key `toString` that is not a function. */
function wordOf(value: unknown): string {
  return typeof value === 'object' ? '' : String(value);
}

/** As JSON, shortened. */
export function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'a mapping';
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length <= 60 ? text : `${text.slice(0, 59)}…`;
}

const BOUNDS = {
  minimum: { inclusive: 'at least', exclusive: 'more than' },
  maximum: { inclusive: 'at most', exclusive: 'less than' },
} as const;

function bounded(
  end: 'minimum' | 'maximum',
  inclusive: boolean,
  bound: number | bigint,
  origin: string,
  given: string,
): string {
  const least = end === 'minimum';
  const words = BOUNDS[end][inclusive ? 'inclusive' : 'exclusive'];
  if (origin === 'array') {
    return `must hold ${words} ${bound} ${bound === 1 ? 'item' : 'items'}; ${least ? 'add one' : 'remove some'}`;
  }
  if (origin === 'string') {
    if (least && bound === 1) return 'must not be empty; write a text';
    return `must have ${words} ${bound} characters; make it ${least ? 'longer' : 'shorter'}`;
  }
  const remedy = inclusive
    ? `${bound} or ${least ? 'more' : 'less'}`
    : `a number ${least ? 'above' : 'below'} ${bound}`;
  return `must be ${words} ${bound}, not ${given}; write ${remedy}`;
}
