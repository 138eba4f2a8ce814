import type { Json } from '../../kit/json.ts';
import { applyFilter, type FileForm, FileValue, ImageText, member, type Value } from './filter.ts';
import type { Namespace, Reference, Template } from './write-template.ts';

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
  if ('list' in value) {
    return value.list.flatMap((item) => {
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

function isList(value: object): value is readonly Rendered[] {
  return Array.isArray(value);
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
