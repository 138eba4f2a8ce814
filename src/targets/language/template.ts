import type { Fault, Refuse } from '../../kit/diagnostic.ts';
import { isList, type Json } from '../../kit/json.ts';
import { suggest } from '../../kit/nearest.ts';
import {
  applyFilter,
  type FileForm,
  FileValue,
  type Filter,
  ImageText,
  member,
  parseFilter,
  type Value,
} from './filter.ts';

/**
 * The write language: text with `${namespace.path | filter | filter(argument)}`.
 *
 * - A path is a namespace and members by name or list index, joined by dots: `case.prompt`, `const.model`,
 *   `job.urls.0`. Only own members are found; a missing one is undefined.
 * - Filters are a closed list (filter.ts) and apply from left to right.
 * - A text that is one `${}` keeps the type of its value; if that is undefined, its key, form part or header is
 *   dropped. Within a longer text an undefined value is an error.
 * - `$${` means `${`. Any other `$` is a `$`.
 *
 * Nothing is evaluated as code.
 */
export type Template = readonly TemplatePart[];

type TemplatePart = { readonly text: string } | { readonly reference: Reference };

/** `env` is replaced before templates are read; it is listed for its error message. */
const NAMESPACES = ['case', 'judge', 'const', 'secret', 'job', 'run', 'each', 'env'] as const;
export type Namespace = (typeof NAMESPACES)[number];

export interface Reference {
  readonly namespace: Namespace;
  /** At least one member; none is empty. */
  readonly path: readonly string[];
  readonly filters: readonly Filter[];
  /** Of its `$` in the text, from 1. */
  readonly column: number;
}

interface TemplateError extends Fault {
  readonly column: number;
}

type ParsedTemplate =
  | { readonly ok: true; readonly template: Template }
  | { readonly ok: false; readonly errors: readonly TemplateError[] };

/** Never throws; gives every error it can find. */
export function parseTemplate(text: string): ParsedTemplate {
  const parts: TemplatePart[] = [];
  const errors: TemplateError[] = [];
  let literal = '';
  let at = 0;
  while (at < text.length) {
    if (text.startsWith('$${', at)) {
      literal += '${';
      at += 3;
    } else if (text.startsWith('${', at)) {
      const end = closingBrace(text, at + 2);
      if (end === null) {
        errors.push({
          column: at + 1,
          cause: '"${" is never closed',
          remedy: 'add "}", or write "$${" for the characters',
        });
        break;
      }
      if (literal !== '') parts.push({ text: literal });
      literal = '';
      const reference = parseReference(text.slice(at + 2, end), at + 1);
      if ('errors' in reference) errors.push(...reference.errors);
      else parts.push(reference);
      at = end + 1;
    } else {
      literal += text.charAt(at);
      at += 1;
    }
  }
  if (literal !== '') parts.push({ text: literal });
  return errors.length > 0 ? { ok: false, errors } : { ok: true, template: parts };
}

/** Places of the characters outside quotes; in quotes a backslash hides the next character. */
export function* outsideQuotes(text: string, from = 0): Generator<number> {
  let quote = '';
  for (let at = from; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (quote !== '') {
      if (character === '\\') at += 1;
      else if (character === quote) quote = '';
    } else if (character === "'" || character === '"') quote = character;
    else yield at;
  }
}

/** The closing brace of a reference that begins at `from`; null if none. */
function closingBrace(text: string, from: number): number | null {
  for (const at of outsideQuotes(text, from)) if (text[at] === '}') return at;
  return null;
}

function parseReference(
  source: string,
  column: number,
): { readonly reference: Reference } | { readonly errors: readonly TemplateError[] } {
  const [head = '', ...calls] = splitOutsideQuotes(source, '|');
  const errors: TemplateError[] = [];
  const refuse: Refuse = (cause, remedy) => errors.push({ column, cause, remedy });

  const [word = '', ...path] = head.trim().split('.');
  const namespace = NAMESPACES.find((name) => name === word);
  if (namespace === undefined) {
    refuse(`unknown namespace "${word}" in "\${${source}}"`, suggest(word, NAMESPACES));
  } else if (path.length === 0 || path.some((member) => !/^[A-Za-z0-9_-]+$/.test(member))) {
    refuse(`"${head.trim()}" is not a valid path`, `write it as ${namespace}.name, for example case.prompt`);
  }

  const filters: Filter[] = [];
  for (const call of calls) {
    const parsed = parseFilter(call.trim());
    if (parsed.ok) filters.push(parsed.filter);
    else refuse(parsed.cause, parsed.remedy);
  }
  if (errors.length > 0 || namespace === undefined) return { errors };
  return { reference: { namespace, path, filters, column } };
}

function splitOutsideQuotes(source: string, separator: string): readonly string[] {
  const cuts = [...outsideQuotes(source)].filter((at) => source[at] === separator);
  return [-1, ...cuts].map((before, index) => source.slice(before + 1, cuts[index]));
}

export function referencesOf(template: Template): readonly Reference[] {
  return template.flatMap((part) => ('reference' in part ? [part.reference] : []));
}

/** Where references are looked up: own members only; null counts as undefined. */
export interface TemplateScope {
  readonly values: Readonly<Partial<Record<Namespace, { readonly [name: string]: Value }>>>;
  readonly files: FileForm;
}

/** A declared body: JSON whose texts are templates. */
export type ValueTemplate =
  | { readonly literal: null | boolean | number }
  | { readonly template: Template }
  /** `stored` if `set` is undefined. */
  | { readonly set: ValueTemplate; readonly stored: ValueTemplate }
  | { readonly list: readonly ValueTemplate[] }
  /** One item for each image of the case, which `item` names as `${each.image}`; in a list they are items of it. */
  | { readonly each: Template; readonly item: ValueTemplate }
  | { readonly object: readonly (readonly [key: string, value: ValueTemplate])[] };

/** A rendered body: JSON that may contain images. */
export type Rendered =
  | null
  | boolean
  | number
  | string
  | FileValue
  | ImageText
  | readonly Rendered[]
  | { readonly [key: string]: Rendered };

export type RenderedJson =
  | null
  | boolean
  | number
  | string
  | ImageText
  | readonly RenderedJson[]
  | { readonly [key: string]: RenderedJson };

/**
 * The value of a template. A single reference keeps its type and may be undefined; anything else is text, its values
 * passed through `encode`. Errors are added to `problems` and give undefined.
 */
export function renderTemplate(
  template: Template,
  scope: TemplateScope,
  problems: string[],
  encode?: (text: string, reference: Reference) => string,
): Value {
  const [first] = template;
  if (template.length === 1 && first !== undefined && 'reference' in first) {
    const value = resolveReference(first.reference, scope, problems);
    return encode !== undefined && isText(value) ? encode(String(value), first.reference) : value;
  }
  let text = '';
  for (const part of template) {
    if ('text' in part) {
      text += part.text;
      continue;
    }
    const { reference } = part;
    const value = resolveReference(reference, scope, problems);
    if (isText(value) || typeof value === 'number' || typeof value === 'boolean') {
      text += encode === undefined ? String(value) : encode(String(value), reference);
    } else if (value === undefined) {
      problems.push(`${nameOf(reference)} is not given, and is part of a longer text`);
    } else {
      problems.push(`${nameOf(reference)} is not text or a number, and is part of a longer text`);
    }
  }
  return text;
}

/** As `renderTemplate`, for a whole body. Drops keys and items whose value is undefined. */
export function renderValue(value: ValueTemplate, scope: TemplateScope, problems: string[]): Rendered | undefined {
  if ('literal' in value) return value.literal;
  if ('template' in value) return renderTemplate(value.template, scope, problems);
  if ('set' in value) {
    return renderValue(value.set, scope, problems) ?? renderValue(value.stored, scope, problems);
  }
  if ('each' in value) {
    const items = renderEach(value, scope, problems);
    return items.length === 0 ? undefined : items;
  }
  if ('list' in value) {
    return value.list.flatMap((item) => {
      if ('each' in item) return renderEach(item, scope, problems);
      const rendered = renderValue(item, scope, problems);
      return rendered === undefined ? [] : [rendered];
    });
  }
  const members: [string, Rendered][] = [];
  for (const [key, item] of value.object) {
    const rendered = renderValue(item, scope, problems);
    if (rendered !== undefined) members.push([key, rendered]);
  }
  return Object.fromEntries(members);
}

function renderEach(
  { each, item }: Extract<ValueTemplate, { readonly each: Template }>,
  scope: TemplateScope,
  problems: string[],
): readonly Rendered[] {
  const images = renderTemplate(each, scope, problems);
  if (!Array.isArray(images)) return [];
  return images.flatMap((image: Value) => {
    const rendered = renderValue(item, { ...scope, values: { ...scope.values, each: { image } } }, problems);
    return rendered === undefined ? [] : [rendered];
  });
}

export function nameOf(reference: Reference): string {
  return [reference.namespace, ...reference.path].join('.');
}

/** Whether a rendered body contains no image, except as text. */
export function isRenderedJson(value: Rendered): value is RenderedJson {
  if (typeof value !== 'object' || value === null || value instanceof ImageText) return true;
  return !(value instanceof FileValue) && Object.values(value).every(isRenderedJson);
}

export function plainJson(value: Rendered): { readonly json: Json } | null {
  if (value instanceof FileValue) return null;
  if (value instanceof ImageText) return { json: String(value) };
  if (typeof value !== 'object' || value === null) return { json: value };
  const list = isList(value);
  const entries: [string, Json][] = [];
  for (const [key, item] of Object.entries(value) as [string, Rendered][]) {
    const plain = plainJson(item);
    if (plain === null) return null;
    entries.push([key, plain.json]);
  }
  return { json: list ? entries.map(([, item]) => item) : Object.fromEntries(entries) };
}

function isText(value: Value): value is string | ImageText {
  return typeof value === 'string' || value instanceof ImageText;
}

function resolveReference(reference: Reference, scope: TemplateScope, problems: string[]): Value {
  const values = scope.values[reference.namespace];
  const [name = '', ...rest] = reference.path;
  let value: Value = values !== undefined && Object.hasOwn(values, name) ? (values[name] ?? undefined) : undefined;
  for (const step of rest) value = member(value, step);
  for (const filter of reference.filters) {
    const filtered = applyFilter(filter, value, scope.files);
    if (!filtered.ok) {
      problems.push(`${nameOf(reference)}: ${filtered.cause}`);
      return undefined;
    }
    value = filtered.value;
  }
  return value;
}
