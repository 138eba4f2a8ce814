import type { z } from 'zod';
import { type Checked, type Diagnostic, distinctDiagnostics, type Fault } from './diagnostic.ts';
import { type Document, diagnoseAt, type Path, valueAt } from './document.ts';
import { exampleRemedy } from './example.ts';
import { article, describeIssue, knownKeysOf, reportedFault, shown, split } from './issue.ts';
import { isObject, type Json } from './json.ts';
import { nearest, suggest } from './nearest.ts';
import { withValue } from './set.ts';
import { oneOf } from './wording.ts';

interface CheckFinding extends Fault {
  readonly path: Path;
  readonly at: 'key' | 'value';
  /** A missing key; not reported if another key looks like its misspelling. */
  readonly missing?: boolean;
  /** Of an unknown key, the known one that it resembles. */
  readonly meant?: Path | null;
  readonly wrongType?: boolean;
}

/** Keyed by the unknown keys, which copies of an issue share: zod shows a schema only when it asks for a message. */
type KnownKeys = WeakMap<readonly string[], readonly string[]>;

/**
 * Checks a document against a schema; gives the schema's output, or all errors at their places. A value that fits no
 * branch of a union gets the errors of the nearest one. Messages of a schema are `cause; remedy`, without the name of
 * the value: `must be a status; write 429 or 4xx`.
 */
export function checkDocument<T>(document: Document, schema: z.ZodType<T>): Checked<T> {
  const known: KnownKeys = new WeakMap();
  const result = schema.safeParse(document.value, {
    // Compiling a schema takes longer than checking most documents.
    jitless: true,
    error: (issue) => {
      if (issue.code === 'unrecognized_keys') known.set(issue.keys, knownKeysOf(issue.inst));
      return describeIssue(issue);
    },
  });
  if (result.success) return { ok: true, value: result.data };
  const findings = result.error.issues.flatMap((issue) => explain(issue, [], document, known));
  const meant = new Set(findings.flatMap((finding) => (finding.meant ? JSON.stringify(finding.meant) : [])));
  const diagnostics = findings
    .filter(({ missing, path }) => missing !== true || !meant.has(JSON.stringify(path)))
    .map((finding) => place(document, finding, schema));
  // Branches of nested unions can give the same error twice.
  return { ok: false, diagnostics: distinctDiagnostics(diagnostics) };
}

export interface StandIn {
  readonly at: Path;
  readonly value: Json;
}

interface Left<T> {
  readonly document: Document;
  readonly value: T;
  /** What was left out without a stand-in. */
  readonly without: readonly Path[];
}

/**
 * What is left of a document without its errors; null if that does not fit the schema either. `standIn`: for a value
 * that cannot be left out, such as an item of a list; null: it goes, or what is around it.
 */
export function leftOf<T>(
  document: Document,
  schema: z.ZodType<T>,
  standIn: (path: Path) => StandIn | null = () => null,
): Left<T> | null {
  let { value } = document;
  const gone: Path[] = [];
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const result = schema.safeParse(value, { jitless: true });
    if (result.success) return { document: { ...document, value }, value: result.data, without: gone };
    for (const issue of result.error.issues) {
      const path = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step));
      const instead = reportedFault(issue)?.instead;
      const keys = issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...path, key]) : [path];
      if (instead !== undefined) value = withValue(value, path, instead);
      else for (const path of keys) value = without(value, path, standIn);
      if (instead === undefined) gone.push(...keys);
    }
  }
  return null;
}

/** A value that is left out may be needed by what is around it, which then goes too. */
const MOST_ROUNDS = 5;

function without(value: Json, path: Path, standIn: (path: Path) => StandIn | null): Json {
  const other = standIn(path);
  const [last, around] = [path.at(-1), valueAt(value, path.slice(0, -1))];
  if (last === undefined || around === undefined) return value;
  if (other !== null) return withValue(value, other.at, other.value);
  if (!isObject(around) || !Object.hasOwn(around, last)) return without(value, path.slice(0, -1), standIn);
  const { [last]: _, ...kept } = around;
  return withValue(value, path.slice(0, -1), kept);
}

/** With an example for a wrong type. A value from the environment is placed in the file: a variable is always text. */
function place(document: Document, finding: CheckFinding, schema: z.ZodType): Diagnostic {
  const { path, at, cause, wrongType = false } = finding;
  if (!wrongType || document.filledAt(path) === null) {
    const example = wrongType ? exampleRemedy(schema, path, valueAt(document.value, path)) : null;
    return diagnoseAt(document, path, { cause, remedy: example ?? finding.remedy }, at);
  }
  const fault = { cause: `${cause}: an environment variable is always text`, remedy: 'write the value itself' };
  return { place: document.placeOf(path, at), ...fault };
}

function explain(issue: z.core.$ZodIssue, base: Path, document: Document, known: KnownKeys): CheckFinding[] {
  const path = [...base, ...issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step))];
  const missing = path.length > 0 && valueAt(document.value, path) === undefined && issue.code !== 'custom';

  const reported = reportedFault(issue);
  if (reported !== null) {
    const { cause, remedy, at = 'value' } = reported;
    return [{ path, at, cause, remedy, missing: false }];
  }
  if (issue.code === 'unrecognized_keys') {
    const candidates = known.get(issue.keys) ?? [];
    return issue.keys.map((key) => {
      const near = nearest(key, candidates);
      const remedy = candidates.length === 0 ? 'remove it' : suggest(key, candidates, 'known keys are');
      const meant = near === null ? null : [...path, near];
      return { path: [...path, key], at: 'key', cause: `unknown key "${key}"`, remedy, meant };
    });
  }
  if (issue.code === 'invalid_key') {
    const { cause, remedy } = split(issue.issues[0]?.message ?? issue.message);
    return [{ path, at: 'key', cause: `the name ${JSON.stringify(path.at(-1))} ${cause}`, remedy }];
  }
  if (issue.code === 'invalid_union' && !missing && split(issue.message).cause === '') {
    const value = valueAt(document.value, path);
    const branch = bestBranch(issue.errors, value, known);
    if (branch !== null) return branch.flatMap((inner) => explain(inner, path, document, known));
    const expected = oneOf([...new Set(issue.errors.flat().flatMap(expectedBy))]);
    const cause = `${nameOf(path)} must be ${expected}, not ${shown(value)}`;
    const remedy = split(issue.message).remedy || `write ${expected}`;
    return [{ path, at: 'value', cause, remedy, wrongType: true }];
  }
  const { cause, remedy } = split(issue.message);
  if (missing) return [{ path, at: 'key', cause: `missing key "${String(path.at(-1))}"`, remedy, missing }];
  const wrongType = issue.code === 'invalid_type';
  return [{ path, at: 'value', cause: `${nameOf(path)} ${cause}`, remedy, wrongType }];
}

type Issues = readonly z.core.$ZodIssue[];

/** The branch with the fewest errors; null if the value has the wrong type for each. */
function bestBranch(branches: readonly Issues[], value: Json | undefined, known: KnownKeys): Issues | null {
  let best: { readonly issues: Issues; readonly weight: number } | null = null;
  for (const issues of branches) {
    if (isWrongType(issues, value)) continue;
    const weight = issues.reduce((sum, issue) => sum + weigh(issue, known), 0);
    if (best === null || weight < best.weight) best = { issues, weight };
  }
  return best?.issues ?? null;
}

function isWrongType(issues: Issues, value: Json | undefined): boolean {
  return issues.some((issue) => {
    if (issue.path.length > 0) return false;
    if (issue.code === 'invalid_union') return issue.errors.every((inner) => isWrongType(inner, value));
    if (issue.code === 'invalid_value') return issue.values.every((known) => typeof known !== typeof value);
    return issue.code === 'invalid_type';
  });
}

function expectedBy(issue: z.core.$ZodIssue): string[] {
  if (issue.path.length > 0) return [];
  if (issue.code === 'invalid_union') return issue.errors.flat().flatMap(expectedBy);
  if (issue.code === 'invalid_value') return issue.values.map(String);
  return issue.code === 'invalid_type' ? [article(issue.expected)] : [];
}

/** An unknown key that resembles a known one counts less. */
function weigh(issue: z.core.$ZodIssue, known: KnownKeys): number {
  if (issue.code !== 'unrecognized_keys') return 2;
  const candidates = known.get(issue.keys) ?? [];
  return issue.keys.reduce((sum, key) => sum + (nearest(key, candidates) === null ? 3 : 2), 0);
}

/** `"timeout"`, `item 2 of "seeds"`; the root is `this`. */
function nameOf(path: Path): string {
  const last = path.at(-1);
  if (last === undefined) return 'this';
  return typeof last === 'string' ? JSON.stringify(last) : `item ${last + 1} of ${nameOf(path.slice(0, -1))}`;
}
