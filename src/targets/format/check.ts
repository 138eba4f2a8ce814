import type { Diagnostic, Fault } from '../../kit/diagnostic.ts';
import { type Document, diagnoseAt, type Path, textsIn, valueAt } from '../../kit/document.ts';
import { isList } from '../../kit/json.ts';
import { nearest, suggest } from '../../kit/nearest.ts';
import { CASE_MEMBERS, JUDGE_MEMBERS } from '../inputs.ts';
import {
  type Namespace,
  nameOf,
  type Reference,
  referencesOf,
  type Template,
  type ValueTemplate,
} from '../language/template.ts';
import type { FollowUp } from '../model/job.ts';
import { type DeclaredTarget, targetSchema } from '../model/schema.ts';
import type { Uses } from '../target.ts';

export interface Check {
  readonly refuse: (path: Path, cause: string, remedy: string, at?: 'key' | 'value') => void;
  readonly warn: (path: Path, fault: Fault) => void;
  /** The path of an item of a list: a single one may be written without a list. */
  readonly itemAt: (path: Path, index: number) => Path;
  /** Whether an environment variable gave the text at `path`, or a part of it. */
  readonly isFilled: (path: Path) => boolean;
  /** Whether nothing below these keys was left out: only then is a missing value a fault. */
  readonly isWhole: (...keys: readonly (keyof DeclaredTarget)[]) => boolean;
  readonly diagnostics: readonly Diagnostic[];
  readonly warnings: readonly Diagnostic[];
}

/** @param without the paths of values that were left out, because they have faults of their own */
export function createCheck(document: Document, without: readonly Path[]): Check {
  const diagnostics: Diagnostic[] = [];
  const warnings: Diagnostic[] = [];
  const cut = new Set<string>(without.map(([key]) => String(key)));
  // An unknown key may be any of them, misspelt.
  const isUnclear = [...cut].some((key) => !Object.hasOwn(targetSchema.shape, key));
  return {
    refuse: (path, cause, remedy, at) => diagnostics.push(diagnoseAt(document, path, { cause, remedy }, at)),
    warn: (path, fault) => warnings.push(diagnoseAt(document, path, fault)),
    itemAt: (path, index) => (isList(valueAt(document.value, path)) ? [...path, index] : path),
    isFilled: (path) => document.filledAt(path) !== null,
    isWhole: (...keys) => !isUnclear && !keys.some((key) => cut.has(key)),
    diagnostics,
    warnings,
  };
}

/** What a template may name: all of a namespace, or the one value of a run that a submit may contain. */
type Nameable = Namespace | 'run.unique';

interface NamedReference {
  readonly path: Path;
  readonly reference: Reference;
}

const IN_SUBMIT: readonly Nameable[] = ['case', 'const', 'secret', 'run.unique'];
const IN_JUDGE: readonly Nameable[] = ['judge', 'const', 'secret', 'run.unique'];
const IN_AUTH: readonly Nameable[] = ['secret', 'const'];
const IN_LATER: readonly Nameable[] = ['job', 'const'];
const IN_PRICE: readonly Nameable[] = ['case', 'const'];

/** Sends nothing, so it uses no constant. */
const ASKS: Path = ['result', 'asks'];

const TEMPLATED = ['auth', 'sign', 'submit', 'wait', 'fetch', 'price', 'models'] as const;

/** The names that the templates of a target use. Refuses names in the wrong place, and declared ones that are not used. */
export function checkReferences(declared: DeclaredTarget, check: Check): Uses {
  const { kind, auth, sign, submit, wait, fetch, result, price, models } = declared;
  const until = wait?.until?.by === 'poll' ? wait.until : null;
  const polls = until === null ? [] : inFollowUp(['wait', 'poll'], until.request);
  const hops = fetch.flatMap(({ request }, index) => inFollowUp(['fetch', index], request));
  const cancels = (until?.cancel ?? []).flatMap((request, index) => {
    const at = check.itemAt(['wait', 'cancel'], index);
    return [...inFollowUp(at, request), ...inValue([...at, 'body'], request.body ?? undefined)];
  });
  const places: readonly (readonly [allowed: readonly Nameable[], found: readonly NamedReference[]])[] = [
    [sign === undefined ? IN_AUTH : [...IN_AUTH, 'run'], inTemplate(['auth', 'value'], auth?.value)],
    [IN_AUTH, [...inTemplate(['sign', 'key'], sign?.key), ...inValue(['sign', 'claims'], sign?.claims)]],
    [kind === 'judge' ? IN_JUDGE : IN_SUBMIT, inSubmit(submit)],
    [IN_AUTH, inModels(models)],
    [IN_LATER, [...polls, ...hops, ...cancels]],
    [IN_PRICE, price.flatMap(({ most }, index) => inValue([...check.itemAt(['price'], index), 'most'], most))],
  ];
  for (const [allowed, names] of places) reportMisplaced(names, allowed, check);
  reportMisplaced(inValue(ASKS, result.asks), ['const'], check);
  const references = places.flatMap(([, names]) => names.map(({ reference }) => reference));
  const named = (wanted: Namespace) => {
    const names = references.flatMap(({ namespace, path }) => (namespace === wanted ? path.slice(0, 1) : []));
    return [...new Set(names)].sort();
  };
  const uses = { case: named('case'), const: named('const'), secret: named('secret'), judge: named('judge') };
  if (check.isWhole(...TEMPLATED)) reportUnused(declared, uses, check);
  if (check.isWhole('inputs')) reportMisspeltMembers(declared, uses, check);
  if (kind === 'judge') reportMisspeltQuestion(uses, check);
  return uses;
}

/** Keys below which texts are templates. Keys themselves never are. */
const TEMPLATES =
  /^(?:auth\/value|sign\/(?:key|claims)|(?:submit|models|(?:wait\/(?:poll|cancel)|fetch)(?:\/\d+)?)\/(?:path|url|query|headers|body|set)|price(?:\/\d+)?\/most|result\/asks)(?:\/|$)/;

/** `${` in a text that is not a template, as it would never be filled in; but where one of `faults` lies around it. */
export function findUnfilled(document: Document, faults: readonly Diagnostic[]): readonly Diagnostic[] {
  const known = new Set(faults.map(({ place }) => JSON.stringify(place)));
  return [...textsIn(document.value)].flatMap(({ path, text, at }) => {
    const [reference] = /(?<!\$)\$\{[^}]*\}?/.exec(text) ?? [];
    if (reference === undefined || (at === 'value' && TEMPLATES.test(path.join('/')))) return [];
    const around = path.flatMap((_, index) =>
      (['key', 'value'] as const).map((part) => document.placeOf(path.slice(0, index + 1), part)),
    );
    if (around.some((place) => known.has(JSON.stringify(place)))) return [];
    const [what, remedy] =
      at === 'key'
        ? ['a key', 'write the key itself']
        : [`"${path.join('.')}"`, 'write the text itself, or ${env.NAME}'];
    const cause = `"${reference}" is never filled in here: ${what} is not a template`;
    return [diagnoseAt(document, path, { cause, remedy }, at)];
  });
}

/** The references of a request that follows the submit, without those of its body. */
export function inFollowUp(at: Path, { at: key, template, headers }: FollowUp): readonly NamedReference[] {
  return [
    ...inTemplate([...at, key], template),
    ...headers.flatMap(([name, value]) => inTemplate([...at, 'headers', name], value)),
  ];
}

function inModels(models: DeclaredTarget['models']): readonly NamedReference[] {
  if (models === undefined) return [];
  const query = (models.query ?? []).flatMap(([name, value]) => inTemplate(['models', 'query', name], value));
  return [...inTemplate(['models', 'path'], models.path), ...query];
}

export function inSubmit({ path, query = [], headers = [], body, set = {} }: DeclaredTarget['submit']) {
  return [
    ...inTemplate(['submit', 'path'], path),
    ...query.flatMap(([name, value]) => inTemplate(['submit', 'query', name], value)),
    ...headers.flatMap(([name, value]) => inTemplate(['submit', 'headers', name], value)),
    ...inValue(['submit', 'body'], body),
    ...Object.entries(set).flatMap(([pointer, value]) => inValue(['submit', 'set', pointer], value)),
  ];
}

function inTemplate(path: Path, template: Template = []): readonly NamedReference[] {
  return referencesOf(template).map((reference) => ({ path, reference }));
}

function inValue(path: Path, value: ValueTemplate = { literal: null }): readonly NamedReference[] {
  if ('template' in value) return inTemplate(path, value.template);
  if ('each' in value) {
    const inItem = inValue([...path, '$item'], value.item);
    return [...inTemplate(path, value.each), ...inItem.filter(({ reference }) => nameOf(reference) !== 'each.image')];
  }
  if ('list' in value) return value.list.flatMap((item, index) => inValue([...path, index], item));
  return 'object' in value ? value.object.flatMap(([key, item]) => inValue([...path, key], item)) : [];
}

function reportMisplaced(names: readonly NamedReference[], allowed: readonly Nameable[], { refuse }: Check): void {
  for (const { path, reference } of names) {
    if (allowed.some((one) => one === reference.namespace || one === nameOf(reference))) continue;
    const { cause, remedy } = misplaced(reference, allowed);
    refuse(path, cause, remedy);
  }
}

function misplaced(reference: Reference, allowed: readonly Nameable[]): Fault {
  const name = nameOf(reference);
  const cause = `"${name}" cannot be used here`;
  switch (reference.namespace) {
    case 'env':
      return { cause: `"${name}" takes no filter`, remedy: `write \${${name}} or \${${name}:-default}` };
    case 'job':
      return {
        cause: `"${name}" is not known here`,
        remedy: 'use it in a request after the submit, whose reply gives it',
      };
    case 'each':
      return { cause, remedy: 'write ${each.image} in $item, beside $each: case.images' };
    case 'run':
      return { cause, remedy: 'use run.jwt in auth.value with sign, and run.unique in submit' };
    default:
      return { cause, remedy: `use ${allowed.join(', ')}` };
  }
}

/** The constants that prices and reported costs are for, and those of `result.asks`. */
export function namedConstants({ price, meta: { cost_usd: costs = [] }, result: { asks } }: DeclaredTarget) {
  const asked = inValue(ASKS, asks).flatMap(({ reference: { namespace, path } }) =>
    namespace === 'const' ? path.slice(0, 1) : [],
  );
  return [
    { what: 'number of outputs', at: ASKS, when: Object.fromEntries(asked.map((name) => [name, []])) },
    ...price.map(({ when }, index) => ({ what: `price ${index + 1}`, at: ['price'] as Path, when })),
    ...costs.map(({ when }, index) => ({ what: `cost ${index + 1}`, at: ['meta', 'cost_usd'] as Path, when })),
  ];
}

/** An unused constant or input is misspelt, or never sent. */
function reportUnused(declared: DeclaredTarget, uses: Uses, { refuse }: Check): void {
  const unused = (section: string, name: string, namespace: string) =>
    refuse(
      [section, name],
      `no template uses "${name}"`,
      `put \${${namespace}.${name}} into submit, or remove it`,
      'key',
    );
  for (const name of Object.keys(declared.const)) if (!uses.const.includes(name)) unused('const', name, 'const');
  for (const name of Object.keys(declared.const_types)) {
    if (uses.const.includes(name)) continue;
    const near = nearest(name, uses.const);
    if (near === null) unused('const_types', name, 'const');
    else refuse(['const_types', name], `no template uses "${name}"`, `did you mean "${near}"?`, 'key');
  }
  for (const { what, at, when } of namedConstants(declared)) {
    for (const name of Object.keys(when)) {
      if (uses.const.includes(name)) continue;
      const cause = `the ${what} names the constant "${name}", which no template uses`;
      refuse(at, cause, 'name a constant of submit', 'key');
    }
  }
  const { models } = declared;
  if (models !== undefined && !uses.const.includes(models.constant)) {
    const cause = `models.constant is "${models.constant}", which no template uses`;
    refuse(['models'], cause, 'name the constant of submit that has the model', 'key');
  }
  // A judge has no inputs at all, so none has to be used.
  if (declared.kind === 'judge') return;
  for (const name of Object.keys(declared.inputs)) {
    const reserved = CASE_MEMBERS.some((member) => member === name && member !== 'seed');
    if (reserved) refuse(['inputs', name], `"${name}" is not a valid input name`, 'choose another name', 'key');
    else if (!uses.case.includes(name) && !(name === 'seed' && declared.inputs.seed?.claim === 'none')) {
      unused('inputs', name, 'case');
    }
  }
}

/** `${case.promt}` would be left out silently, like an input that a case does not have. */
function reportMisspeltMembers({ inputs }: DeclaredTarget, uses: Uses, { refuse }: Check): void {
  const known: readonly string[] = [...CASE_MEMBERS, ...Object.keys(inputs)];
  for (const name of uses.case) {
    const meant = known.includes(name) ? null : nearest(name, CASE_MEMBERS);
    if (meant === null) continue;
    const remedy = `did you mean "\${case.${meant}}"? An input of that name must be declared under inputs`;
    refuse(['submit'], `a template names "case.${name}", which is not declared`, remedy, 'key');
  }
}

function reportMisspeltQuestion(uses: Uses, { refuse, isWhole }: Check): void {
  const misspelt = uses.judge.filter((name) => JUDGE_MEMBERS.every((member) => member !== name));
  for (const name of misspelt) {
    refuse(['submit'], `a template names "judge.${name}"`, suggest(name, JUDGE_MEMBERS), 'key');
  }
  if (misspelt.length > 0 || uses.judge.includes('content') || !isWhole('submit')) return;
  refuse(['submit'], 'a judge must be shown the outputs', 'put ${judge.content} into submit.body', 'key');
}
