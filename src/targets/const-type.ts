import type { Fault } from '../kit/diagnostic.ts';
import type { Json } from '../kit/json.ts';
import { suggest } from '../kit/nearest.ts';
import type { ConstType } from './model/schema.ts';

type Scalar = string | number | boolean;

export type CheckedConstant =
  | { readonly fits: true; readonly value: Json; readonly doubt: Fault | null }
  | { readonly fits: false; readonly fault: Fault };

/** Checks a constant against its type; text from the environment (`filled`) is converted. `name` is for messages. */
export function checkConstant(name: string, type: ConstType, given: Json, filled: boolean): CheckedConstant {
  const value = filled && typeof given === 'string' ? readText(type, given) : given;
  const fits = (doubt: Fault | null = null): CheckedConstant => ({ fits: true, value, doubt });
  const refuse = (must: string, remedy: string): CheckedConstant => {
    return { fits: false, fault: { cause: `the constant ${name} must be ${must}, not ${shown(value)}`, remedy } };
  };
  if (value === null) return fits();
  if ('values' in type) {
    if (type.values.some((one) => one === value)) return fits();
    const cause = `the constant ${name} must not be ${shown(value)}`;
    return { fits: false, fault: { cause, remedy: meant(value, type.values) } };
  }
  if ('known' in type) {
    if (type.known.some((one) => one === value)) return fits();
    const types = [...new Set(type.known.map((one) => typeof one))];
    if (!types.some((one) => one === typeof value)) {
      return refuse(types.map(wordOf).join(' or '), meant(value, type.known));
    }
    const cause = `the constant ${name} is ${shown(value)}, which its target does not know`;
    return fits({ cause, remedy: meant(value, type.known) });
  }
  switch (type.type) {
    case 'text':
      return typeof value === 'string' ? fits() : refuse('a text', `write "${shown(value).replaceAll('"', "'")}"`);
    case 'boolean':
      return typeof value === 'boolean' ? fits() : refuse('true or false', 'write true or false, without quotes');
    default: {
      const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = type;
      const isNumeric = typeof value === 'number' && (type.type === 'number' || Number.isInteger(value));
      if (isNumeric && value >= min && value <= max) return fits();
      const remedy = typeof value === 'string' && isNumber(value) ? `write ${value} without quotes` : exampleOf(type);
      return refuse(describeConstType(type), remedy);
    }
  }
}

/** In words: `one of standard, fast`, `a whole number from 1 to 150`, `such as euler, lcm`. */
export function describeConstType(type: ConstType): string {
  if ('values' in type) {
    return type.values.length === 1 ? `only ${type.values.join('')}` : `one of ${type.values.join(', ')}`;
  }
  if ('known' in type) return `such as ${type.known.join(', ')}`;
  switch (type.type) {
    case 'int':
      return `a whole number${rangeOf(type)}`;
    case 'number':
      return `a number${rangeOf(type)}`;
    case 'text':
      return 'any text';
    case 'boolean':
      return 'true or false';
  }
}

type NumberType = Extract<ConstType, { type: 'int' | 'number' }>;

function rangeOf({ min, max }: NumberType): string {
  if (min !== undefined && max !== undefined) return ` from ${min} to ${max}`;
  if (min !== undefined) return ` of at least ${min}`;
  return max === undefined ? '' : ` of at most ${max}`;
}

function exampleOf({ min, max, type }: NumberType): string {
  if (min !== undefined && max !== undefined) return `write ${min}, ${max} or a number between them`;
  if (min !== undefined) return `write ${min} or more`;
  if (max !== undefined) return `write ${max} or less`;
  return `write a number such as ${type === 'int' ? '4' : '3.5'}`;
}

function meant(value: Json, known: readonly Scalar[]): string {
  const text = typeof value === 'object' ? '' : String(value);
  const same = known.find((one) => String(one) === text);
  if (same !== undefined) return typeof same === 'string' ? `write "${same}"` : `write ${same} without quotes`;
  return suggest(text, known.map(String));
}

function readText(type: ConstType, text: string): Json {
  const listed = 'values' in type ? type.values : 'known' in type ? type.known : [];
  const same = listed.find((one) => String(one) === text.trim());
  if (same !== undefined) return same;
  const only = 'type' in type ? type.type : null;
  const isNumeric =
    only === 'int' || only === 'number' || ('known' in type && listed.every((one) => typeof one === 'number'));
  if (isNumeric && isNumber(text)) return Number(text);
  return only === 'boolean' && /^(true|false)$/.test(text.trim()) ? text.trim() === 'true' : text;
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
