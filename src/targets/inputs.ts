import type { Fault, Refuse } from '../kit/diagnostic.ts';
import type { Json } from '../kit/json.ts';
import { suggest } from '../kit/nearest.ts';
import type { Case } from '../suite/suite.ts';
import { FileValue, pairOf, type Value } from './language/filter.ts';
import type { InputRule, SeedInput } from './model/schema.ts';

/** Limits of either side of a size, in pixels. */
type SideLimits = Pick<Extract<InputRule, { as: 'pixels' }>, 'min' | 'max' | 'multiple_of'>;

export interface Inputs {
  readonly seed: SeedInput;
  readonly others: Readonly<Record<string, InputRule>>;
}

/** What templates see as `case` beside the inputs; no input may have these names. */
export const CASE_MEMBERS = ['id', 'prompt', 'tags', 'seed', 'image'] as const;

export interface CaseProblem extends Fault {
  /** Null: another part of the request. */
  readonly input: string | null;
}

/** The `case` namespace of a request. What the target does not accept is added to `problems`. */
export function caseValues(
  { id, text, tags, image, inputs }: Case,
  seed: number | null,
  rules: Inputs['others'],
  problems: CaseProblem[],
): { readonly [name: string]: Value } {
  const values: { [name: string]: Value } = {};
  for (const [name, given] of Object.entries(inputs)) {
    if (given === null) continue; // A prompt removes an input of its suite.
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    values[name] = rule === undefined ? given : accept(name, given, rule, problems);
  }
  return {
    ...values,
    id,
    prompt: text,
    tags: [...tags],
    seed: seed ?? undefined,
    image: image === null ? undefined : new FileValue(image),
  };
}

function accept(name: string, given: Json, rule: InputRule, problems: CaseProblem[]): Value {
  const refuse: Refuse<undefined> = (cause, remedy) => {
    problems.push({ input: name, cause: `the input "${name}" ${cause}`, remedy });
    return undefined;
  };
  switch (rule.as) {
    case 'ratio':
      if (rule.map !== undefined) return mapped(given, rule.map, refuse);
      return typeof given === 'string' && /^\d+:\d+$/.test(given)
        ? given
        : refuse(`is not a valid ratio: ${JSON.stringify(given)}`, 'write "W:H"');
    case 'enum': {
      const { values, map } = rule;
      if (values === undefined) return map === undefined ? given : mapped(given, map, refuse);
      const value = typeof given === 'object' ? undefined : values.find((one) => String(one) === String(given));
      return value ?? refuse(`may not be ${JSON.stringify(given)}`, `write one of ${values.join(', ')}`);
    }
    case 'pixels': {
      const written = typeof given === 'string' && !given.includes(':') && pairOf(given) !== null;
      const size = rule.map === undefined || written ? given : mapped(given, rule.map, refuse);
      if (size === undefined) return undefined;
      const pair = typeof size === 'string' && size.includes(':') ? null : pairOf(size);
      if (pair === null) return refuse(`is not a size in pixels: ${JSON.stringify(given)}`, 'write "WxH"');
      const wrong = pair.map((side) => sideProblem(side, rule)).find((problem) => problem !== null);
      if (wrong !== undefined) return refuse(`is ${pair.join('x')}: ${wrong.cause}`, wrong.remedy);
      return { width: pair[0], height: pair[1] };
    }
    case 'text':
      return typeof given === 'object'
        ? refuse(`is not a text: ${JSON.stringify(given)}`, 'write a text')
        : String(given);
    case 'number': {
      const number = numberOf(given);
      if (number === null) return refuse(`is not a number: ${JSON.stringify(given)}`, 'write a number');
      if (rule.whole && !Number.isInteger(number)) return refuse(`is not whole: ${number}`, 'write a whole number');
      if (rule.min !== undefined && number < rule.min) return refuse(`is ${number}`, `write at least ${rule.min}`);
      if (rule.max !== undefined && number > rule.max) return refuse(`is ${number}`, `write at most ${rule.max}`);
      return number;
    }
  }
}

/** Why an endpoint does not accept a side of so many pixels; else null. A server that rounds it makes another size. */
export function sideProblem(side: number, { min = 0, max = Infinity, multiple_of: step }: SideLimits): Fault | null {
  const problem = (limit: string, remedy: string) => ({ cause: `a side of ${side} is not ${limit}`, remedy });
  if (side < min) return problem(`at least ${min}`, `write sides of at least ${min} pixels`);
  if (side > max) return problem(`at most ${max}`, `write sides of at most ${max} pixels`);
  if (step === undefined || side % step === 0) return null;
  const below = Math.max(step, side - (side % step));
  const near = [below, below + step].filter((one) => one >= min && one <= max);
  return problem(`a multiple of ${step}`, `write ${near.join(' or ')}`);
}

function numberOf(given: Json): number | null {
  if (typeof given === 'number') return given;
  return typeof given === 'string' && /^-?\d{1,15}(\.\d{1,15})?$/.test(given.trim()) ? Number(given) : null;
}

function mapped<T extends string | number | boolean>(
  given: Json,
  map: Readonly<Record<string, T>>,
  refuse: Refuse<undefined>,
): T | undefined {
  const key = typeof given === 'object' ? null : String(given);
  if (key !== null && Object.hasOwn(map, key)) return map[key];
  return refuse(`may not be ${JSON.stringify(given)}`, suggest(key ?? '', Object.keys(map), 'the target takes'));
}

/** What templates see as `judge`. */
export const JUDGE_MEMBERS = ['instructions', 'content', 'schema'] as const;

export interface JudgeQuestion {
  /** The same text in every request. */
  readonly instructions: string;
  /** A list of parts as OpenAI's chat takes them: texts, and images as data URIs. */
  readonly content: Json;
  /** JSON Schema of the answer. */
  readonly schema: Json;
}
