import { numberIn } from '../kit/decimal.ts';
import type { Fault, Refuse } from '../kit/diagnostic.ts';
import { type Json, type JsonObject, ownValue } from '../kit/json.ts';
import { suggest } from '../kit/nearest.ts';
import { count, plural } from '../kit/wording.ts';
import type { MaskForm } from '../suite/kind.ts';
import type { Case, InputMask } from '../suite/suite.ts';
import { FileValue, pairOf, type SentImage, type Value } from './language/filter.ts';
import { referencesOf, renderValue, type ValueTemplate } from './language/template.ts';
import type { ConstType, DeclaredTarget, InputRule, SeedInput } from './model/schema.ts';
import type { Retirement } from './recorded.ts';

/** Limits of either side of a size, in pixels. */
type SideLimits = Pick<Extract<InputRule, { as: 'pixels' }>, 'min' | 'max' | 'multiple_of'>;

export interface Inputs {
  readonly seed: SeedInput;
  readonly others: Readonly<Record<string, InputRule>>;
  /** Null: no images, as they are not of its kind. */
  readonly media: MediaRule | null;
}

/** Sizes in bytes; null: no limit. */
export interface MediaRule {
  readonly images: {
    readonly least: number;
    readonly most: number;
    readonly types: readonly string[];
    readonly mostBytes: number | null;
  };
  /** Null: it takes none. */
  readonly mask: { readonly changes: MaskForm; readonly mostBytes: number | null } | null;
}

/** What templates see as `case` beside the inputs; no input may have these names. */
export const CASE_MEMBERS = ['id', 'prompt', 'tags', 'seed', 'image', 'images', 'mask'] as const;

export interface CaseProblem extends Fault {
  /** Null: another part of the request. */
  readonly input: string | null;
}

/** The `case` namespace of a request. What the target does not accept is added to `problems`. */
export function caseValues(
  { id, text, tags, images, mask, inputs }: Case,
  seed: number | null,
  { others: rules, media }: Inputs,
  problems: CaseProblem[],
): { readonly [name: string]: Value } {
  const values: { [name: string]: Value } = {};
  for (const [name, given] of Object.entries(inputs)) {
    if (given === null) continue; // A prompt removes an input of its suite.
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    values[name] = rule === undefined ? given : accept(name, given, rule, problems);
  }
  if (media !== null) refuseMedia(images, mask, media, problems);
  const files = images.map((image) => new FileValue(image));
  return {
    ...values,
    id,
    prompt: text,
    tags: [...tags],
    seed: seed ?? undefined,
    image: files[0],
    images: files.length === 0 ? undefined : files,
    mask: mask === null ? undefined : new FileValue(inForm(mask, media?.mask?.changes ?? 'white')),
  };
}

function inForm({ forms, ...mask }: InputMask, form: MaskForm): SentImage {
  return form === 'white' ? mask : { ...mask, bytes: forms[form], form };
}

function refuseMedia(
  images: Case['images'],
  mask: InputMask | null,
  { images: rule, mask: maskRule }: MediaRule,
  problems: CaseProblem[],
): void {
  const refuse = (input: 'images' | 'mask', cause: string, remedy: string) => problems.push({ input, cause, remedy });
  const { least, most, types } = rule;
  if (images.length < least) {
    refuse('images', `the prompt has ${plural(images.length, 'image')}, and it takes at least ${least}`, 'add images');
  }
  if (images.length > most) {
    refuse('images', `the prompt has ${plural(images.length, 'image')}, and it takes at most ${most}`, 'remove images');
  }
  for (const { fileName, mime, bytes } of images) {
    if (!types.includes(mime)) {
      refuse('images', `it does not take ${mime} (${fileName})`, `convert it to ${types.join(' or ')}`);
    }
    const over = overBytes(fileName, bytes, rule.mostBytes);
    if (over !== null) refuse('images', over.cause, over.remedy);
  }
  if (mask === null) return;
  if (maskRule === null) return void refuse('mask', 'it takes no mask', TO_TAKE_A_MASK);
  const { changes, mostBytes } = maskRule;
  const sent = changes === 'white' ? mask.fileName : `${mask.fileName}, sent as the ${changes} form,`;
  const over = overBytes(sent, inForm(mask, changes).bytes, mostBytes);
  if (over !== null) refuse('mask', over.cause, over.remedy);
}

const TO_TAKE_A_MASK =
  'remove the mask, or use a target that takes one: it needs media: { mask: { changes: white } } and, in its body, mask: ${case.mask | file} (a form) or ${case.mask | data_uri} (JSON)';

function overBytes(what: string, { length }: Uint8Array, most: number | null): Fault | null {
  if (most === null || length <= most) return null;
  const cause = `${what} has ${count(length)} bytes, and it takes at most ${count(most)}`;
  return { cause, remedy: 'make the file smaller' };
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
  if (value === null || retirementOf(type, value) !== undefined) return fits();
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

function retirementOf(type: ConstType, value: Json) {
  const { retires = {} } = 'retires' in type ? type : {};
  return typeof value === 'object' ? undefined : ownValue(retires, String(value));
}

/** Also names the first constant that a wrong number is made of. */
type AskedFault = Fault & { readonly constant: string };

/** How many outputs a request with these constants asks for; null: not said. */
export function askedOutputs(asks: ValueTemplate | undefined, constants: JsonObject): number | null | AskedFault {
  const problems: string[] = [];
  const scope = { values: { const: constants }, files: 'digest' } as const;
  const value = asks === undefined ? undefined : renderValue(asks, scope, problems);
  const [problem] = problems;
  if (value === undefined && problem === undefined) return null;
  const asked = numberIn(value);
  if (asked !== null && Number.isSafeInteger(asked) && asked >= 1) return asked;
  const cause = problem ?? `result.asks is ${typeof value === 'string' ? JSON.stringify(value) : String(value)}`;
  const [reference] = asks !== undefined && 'template' in asks ? referencesOf(asks.template) : [];
  const remedy = 'set it to the number of outputs that a request asks for: 1 or more';
  return { cause, remedy, constant: reference?.path[0] ?? '' };
}

/** The values among these constants that their provider switches off, or has. */
export function retirementsOf(
  types: Readonly<Record<string, ConstType>>,
  constants: JsonObject,
): readonly Retirement[] {
  return Object.entries(constants).flatMap(([constant, value]) => {
    const type = ownValue(types, constant);
    const end = type === undefined ? undefined : retirementOf(type, value);
    if (end === undefined) return [];
    return [{ constant, value: String(value), on: end.on ?? null, to: end.to === undefined ? null : String(end.to) }];
  });
}

/** Whether a price or a cost is for these constants. */
export function holdsFor({ when }: Pick<DeclaredTarget['price'][number], 'when'>, constants: JsonObject): boolean {
  return Object.entries(when).every(([name, values]) => values.some((value) => value === ownValue(constants, name)));
}

/** So many days before a value ends, warnings begin. */
const NOTICE_DAYS = 30;

/** Whether a value ends within 30 days of `day` (`2026-11-28`), has ended, or is deprecated without a day. */
export function endsSoon({ on }: Pick<Retirement, 'on'>, day: string): boolean {
  return on === null || Date.parse(on) - Date.parse(day) <= NOTICE_DAYS * 86_400_000;
}

/** `model-1 ended on 2026-10-29`, seen on `day`. */
export function retirementWords({ value, on }: Pick<Retirement, 'value' | 'on'>, day: string): string {
  return `${value} ${endWords(on, day)}`;
}

/** `ends on 2026-12-01`, seen on `day`; `is deprecated` without a day. */
export function endWords(on: string | null, day: string): string {
  return on === null ? 'is deprecated' : `${on < day ? 'ended' : 'ends'} on ${on}`;
}

/** Of values that end within 30 days of `today`, or have ended: a warning each. `who` uses them: `"fast": its `. */
export function endFaults(
  who: string,
  { constTypes }: { readonly constTypes: Readonly<Record<string, ConstType>> },
  constants: JsonObject,
  today: string,
): readonly (Retirement & Fault)[] {
  return retirementsOf(constTypes, constants)
    .filter((retirement) => endsSoon(retirement, today))
    .map((retirement) => ({
      ...retirement,
      cause: `${who}${retirement.constant} ${retirementWords(retirement, today)}`,
      remedy: successorWords(retirement.to),
    }));
}

export function successorWords(to: string | null): string {
  return to === null ? 'see which model its provider names in its place' : `use ${to}`;
}

/** In words: `one of standard, fast`, `a whole number from 1 to 150`, `such as euler, lcm`. */
function describeConstType(type: ConstType): string {
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
