import type { Fault } from '../../kit/diagnostic.ts';
import type { Json } from '../../kit/json.ts';
import { suggest } from '../../kit/nearest.ts';

export type Scalar = string | number | boolean;

/** The type of a constant. Null, which leaves it out, is always allowed. */
export type ConstType =
  | { readonly as: 'values'; readonly values: readonly Scalar[] }
  /** There may be other values too. */
  | { readonly as: 'known'; readonly known: readonly Scalar[] }
  | { readonly as: 'number'; readonly whole: boolean; readonly min: number | null; readonly max: number | null }
  | { readonly as: 'text' | 'boolean' };

export type CheckedConstant =
  | { readonly fits: true; readonly value: Json; readonly doubt: Fault | null }
  | { readonly fits: false; readonly fault: Fault };

/**
 * Checks a constant against its type. Text of an environment variable is converted to the type; other text stays text.
 * @param name for sentences: `steps of reference/text-to-image`
 * @param filled whether the environment gave it
 */
export function checkConstant(name: string, type: ConstType, given: Json, filled: boolean): CheckedConstant {
  const value = filled && typeof given === 'string' ? readText(type, given) : given;
  const fits = (doubt: Fault | null = null): CheckedConstant => ({ fits: true, value, doubt });
  const refuse = (must: string, remedy: string): CheckedConstant => {
    return { fits: false, fault: { cause: `the constant ${name} must be ${must}, not ${shown(value)}`, remedy } };
  };
  if (value === null) return fits();
  switch (type.as) {
    case 'values': {
      if (type.values.some((one) => one === value)) return fits();
      const cause = `the constant ${name} must not be ${shown(value)}`;
      return { fits: false, fault: { cause, remedy: meant(value, type.values) } };
    }
    case 'known': {
      if (type.known.some((one) => one === value)) return fits();
      const types = [...new Set(type.known.map((one) => typeof one))];
      if (types.some((one) => one === typeof value)) {
        const cause = `the constant ${name} is ${shown(value)}, which its target does not know`;
        return fits({ cause, remedy: meant(value, type.known) });
      }
      return refuse(types.map(wordOf).join(' or '), meant(value, type.known));
    }
    case 'number': {
      const range = rangeOf(type);
      const must = `${type.whole ? 'a whole number' : 'a number'}${range === '' ? '' : ` ${range}`}`;
      const remedy = typeof value === 'string' && isNumber(value) ? `write ${value} without quotes` : exampleOf(type);
      if (typeof value !== 'number' || (type.whole && !Number.isInteger(value))) return refuse(must, remedy);
      const inside = (type.min === null || value >= type.min) && (type.max === null || value <= type.max);
      return inside ? fits() : refuse(must, remedy);
    }
    case 'text':
      return typeof value === 'string' ? fits() : refuse('a text', `write "${shown(value).replaceAll('"', "'")}"`);
    case 'boolean':
      return typeof value === 'boolean' ? fits() : refuse('true or false', 'write true or false, without quotes');
  }
}

/** In words: `one of standard, fast`, `a whole number from 1 to 150`, `such as euler, lcm`. */
export function describeConstType(type: ConstType): string {
  switch (type.as) {
    case 'values':
      return type.values.length === 1 ? `only ${type.values.join('')}` : `one of ${type.values.join(', ')}`;
    case 'known':
      return `such as ${type.known.join(', ')}`;
    case 'number':
      return [type.whole ? 'a whole number' : 'a number', rangeOf(type)].filter((part) => part !== '').join(' ');
    case 'text':
      return 'any text';
    case 'boolean':
      return 'true or false';
  }
}

function rangeOf({ min, max }: Extract<ConstType, { as: 'number' }>): string {
  if (min !== null && max !== null) return `from ${min} to ${max}`;
  if (min !== null) return `of at least ${min}`;
  return max === null ? '' : `of at most ${max}`;
}

function exampleOf({ min, max, whole }: Extract<ConstType, { as: 'number' }>): string {
  if (min !== null && max !== null) return `write ${min}, ${max} or a number between them`;
  if (min !== null) return `write ${min} or more`;
  if (max !== null) return `write ${max} or less`;
  return `write a number such as ${whole ? '4' : '3.5'}`;
}

function meant(value: Json, known: readonly Scalar[]): string {
  const text = typeof value === 'object' ? '' : String(value);
  const same = known.find((one) => String(one) === text);
  if (same !== undefined) return typeof same === 'string' ? `write "${same}"` : `write ${same} without quotes`;
  return suggest(text, known.map(String));
}

function readText(type: ConstType, text: string): Json {
  const listed = type.as === 'values' ? type.values : type.as === 'known' ? type.known : [];
  const same = listed.find((one) => String(one) === text.trim());
  if (same !== undefined) return same;
  const numeric = type.as === 'number' || (type.as === 'known' && type.known.every((one) => typeof one === 'number'));
  if (numeric && isNumber(text)) return Number(text);
  return type.as === 'boolean' && /^(true|false)$/.test(text.trim()) ? text.trim() === 'true' : text;
}

function isNumber(text: string): boolean {
  return /^-?(0|[1-9]\d{0,14})(\.\d{1,15})?([eE][-+]?\d{1,2})?$/.test(text.trim());
}

function wordOf(type: string): string {
  return type === 'number' ? 'a number' : type === 'boolean' ? 'true or false' : 'a text';
}

function shown(value: Json): string {
  if (typeof value === 'object') return Array.isArray(value) ? 'a list' : 'a mapping';
  const text = JSON.stringify(value);
  return text.length <= 60 ? text : `${text.slice(0, 59)}…`;
}
