import type { Diagnostic, Fault } from '../../kit/diagnostic.ts';
import { type Document, diagnoseAt, type Path, valueAt } from '../../kit/document.ts';
import type { Json } from '../../kit/json.ts';
import { type Locator, parseLocator, type TimeLocator } from '../language/locator.ts';
import { nameOf, type ValueTemplate } from '../language/render-template.ts';
import {
  type Namespace,
  parseTemplate,
  type Reference,
  referencesOf,
  type Template,
} from '../language/write-template.ts';
import type { DeclaredTimeLocator } from './schema-locator.ts';

/** What a template may name: all of a namespace, or the one value of a run that a submit may contain. */
export type Nameable = Namespace | 'run.unique';

/** Turns the texts of a checked document into templates and locators, and collects their errors. */
export interface Compiler {
  readonly template: (path: Path, text: string, allowed: readonly Nameable[]) => Template;
  readonly value: (path: Path, value: Json, allowed: readonly Nameable[]) => ValueTemplate;
  readonly locators: (path: Path, sources: readonly string[]) => readonly Locator[];
  /** One may be written without a list. */
  readonly times: (path: Path, declared: readonly DeclaredTimeLocator[]) => readonly TimeLocator[];
  readonly refuse: (path: Path, cause: string, remedy: string, at?: 'key' | 'value') => void;
  readonly warn: (path: Path, fault: Fault) => void;
  /** Whether an environment variable gave the text at `path`, or a part of it. */
  readonly isFilled: (path: Path) => boolean;
  readonly references: () => readonly Reference[];
  readonly diagnostics: () => readonly Diagnostic[];
  readonly warnings: () => readonly Diagnostic[];
}

const UNIT_MS = { us: 0.001, ms: 1, s: 1000 } as const;

export function createCompiler(document: Document): Compiler {
  const diagnostics: Diagnostic[] = [];
  const warnings: Diagnostic[] = [];
  const references: Reference[] = [];
  const warn: Compiler['warn'] = (path, fault) => warnings.push(diagnoseAt(document, path, fault));

  const refuse: Compiler['refuse'] = (path, cause, remedy, at = 'value') => {
    diagnostics.push(diagnoseAt(document, path, { cause, remedy }, at));
  };

  const template: Compiler['template'] = (path, text, allowed) => {
    const parsed = parseTemplate(text);
    if (!parsed.ok) {
      for (const { column, cause, remedy } of parsed.errors) refuse(path, `${cause} at character ${column}`, remedy);
      return [];
    }
    for (const reference of referencesOf(parsed.template)) {
      references.push(reference);
      const known = allowed.some((one) => one === reference.namespace || one === nameOf(reference));
      const fault = known ? null : misplaced(reference, allowed);
      if (fault !== null) refuse(path, fault.cause, fault.remedy);
    }
    return parsed.template;
  };

  const value: Compiler['value'] = (path, given, allowed) => {
    if (typeof given === 'string') return { template: template(path, given, allowed) };
    if (typeof given !== 'object' || given === null) return { literal: given };
    if (isList(given)) return { list: given.map((item, index) => value([...path, index], item, allowed)) };
    return { object: Object.entries(given).map(([key, item]) => [key, value([...path, key], item, allowed)]) };
  };

  const locators: Compiler['locators'] = (path, sources) =>
    sources.flatMap((source) => {
      const parsed = parseLocator(source);
      if (parsed.ok) return [parsed.locator];
      refuse(path, parsed.cause, parsed.remedy);
      return [];
    });

  const time = (path: Path, declared: DeclaredTimeLocator): TimeLocator =>
    typeof declared === 'string'
      ? { locators: locators(path, [declared]), unitMs: null }
      : { locators: locators([...path, 'at'], declared.at), unitMs: UNIT_MS[declared.unit] };

  const listed = (path: Path): boolean => Array.isArray(valueAt(document.value, path));
  const times: Compiler['times'] = (path, declared) =>
    declared.map((one, index) => time(listed(path) ? [...path, index] : path, one));

  return {
    template,
    value,
    locators,
    times,
    refuse,
    warn,
    isFilled: (path) => document.filledBy(path) !== null,
    references: () => references,
    diagnostics: () => diagnostics,
    warnings: () => warnings,
  };
}

function misplaced(reference: Reference, allowed: readonly Nameable[]): Fault {
  const name = nameOf(reference);
  switch (reference.namespace) {
    case 'env':
      return { cause: `"${name}" takes no filter`, remedy: `write \${${name}} or \${${name}:-default}` };
    case 'job':
      return {
        cause: `"${name}" is not known here`,
        remedy: 'use it in a request after the submit, whose reply gives it',
      };
    case 'run':
      return {
        cause: `"${name}" cannot be used here`,
        remedy: 'use run.jwt in auth.value with sign, and run.unique in submit',
      };
    default:
      return { cause: `"${name}" cannot be used here`, remedy: `use ${allowed.join(', ')}` };
  }
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
