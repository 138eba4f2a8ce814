import type { Fault, Refuse } from '../../kit/diagnostic.ts';
import { suggest } from '../../kit/nearest.ts';
import { type Filter, parseFilter } from './filter.ts';

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
const NAMESPACES = ['case', 'judge', 'const', 'secret', 'job', 'run', 'env'] as const;
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

export type ParsedTemplate =
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
