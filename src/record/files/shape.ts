import { z } from 'zod';
import { describeIssue, split } from '../../kit/issue.ts';

/** Keys of objects and indices of lists, from the root. */
export type FieldPath = readonly (string | number)[];

/** The cause names the field. */
export interface FieldFault {
  readonly path: FieldPath;
  /** `sample.trial.repeat must be a whole number, not "2"`. */
  readonly cause: string;
}

export interface Shape<T> {
  readonly fits: (value: unknown) => value is T;
  /** At least one fault, in the order of the schema. */
  readonly faultsOf: (value: unknown) => readonly FieldFault[];
}

/** Compiling a schema takes as long as checking some hundred lines of a journal. */
const CHECKED_FIRST = 200;

/** The shape of a schema. Compiles it once many values are checked, as journals are long. */
export function shapeOf<T>(schema: z.ZodType<T>): Shape<T> {
  let checked = 0;
  let compiled: { readonly validate: (value: unknown) => boolean } | null = null;
  return {
    fits: (value): value is T => {
      checked += 1;
      if (checked <= CHECKED_FIRST) return schema.safeParse(value, { jitless: true }).success;
      compiled ??= z.compile(schema);
      return compiled.validate(value);
    },
    faultsOf: (value) => {
      const { error } = schema.safeParse(value, { error: describeIssue });
      return (error?.issues ?? []).flatMap(faultsOf);
    },
  };
}

function faultsOf(issue: z.core.$ZodIssue): FieldFault[] {
  const path = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step));
  if (issue.code !== 'unrecognized_keys') {
    return [{ path, cause: `${nameOf(path)} ${split(issue.message).cause}` }];
  }
  return issue.keys.map((key) => ({ path: [...path, key], cause: `${nameOf([...path, key])} is not a known field` }));
}

/** `variants[2].timeoutMs`, `environment["my-key"]`; the root is `this`. */
function nameOf(path: FieldPath): string {
  const name = path
    .map((step) => {
      if (typeof step === 'number') return `[${step}]`;
      return /^[A-Za-z_$][\w$]*$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
    })
    .join('');
  return name === '' ? 'this' : name.replace(/^\./, '');
}
