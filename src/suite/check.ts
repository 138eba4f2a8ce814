import type { z } from 'zod';
import type { Diagnostic, Loaded } from './diagnostic.ts';
import { type Document, diagnoseAt, type Path, valueAt } from './document.ts';
import { article, describeIssue, KNOWN_KEYS, shown, split } from './issue.ts';
import { nearest, suggest } from './nearest.ts';

/** What is wrong at a path, before it is placed. */
interface Finding {
  readonly path: Path;
  readonly at: 'key' | 'value';
  readonly cause: string;
  readonly remedy: string;
  /** A key that is not there; left out of the diagnostics where another key looks like its misspelling. */
  readonly missing: boolean;
}

/**
 * Checks a document against a schema and gives the schema's output, or every fault at the place it stands at. A value
 * that fits no branch of a union is explained by the branch that it comes nearest to.
 *
 * A schema's own messages read `cause; remedy`, the cause as what follows the name of the value:
 * `must be a duration; write 250ms, 2s, 10m or 1h`.
 */
export function checkDocument<T>(document: Document, schema: z.ZodType<T>): Loaded<T> {
  const result = schema.safeParse(document.value, { error: describeIssue });
  if (result.success) return { ok: true, value: result.data };
  const findings = result.error.issues.flatMap((issue) => explain(issue, [], document));
  const meant = new Set(findings.filter(({ missing }) => !missing).map(({ path, remedy }) => keyOf(path, remedy)));
  const diagnostics = findings
    .filter(({ missing, path }) => !missing || !meant.has(JSON.stringify(path)))
    .map(({ path, at, cause, remedy }) => diagnoseAt(document, path, { cause, remedy }, at));
  return { ok: false, diagnostics: distinct(diagnostics) };
}

function explain(issue: z.core.$ZodIssue, base: Path, document: Document): Finding[] {
  const path = [...base, ...issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step))];
  const missing = path.length > 0 && valueAt(document.value, path) === undefined && issue.code !== 'custom';

  if (issue.code === 'unrecognized_keys') {
    const known = issue.message.slice(KNOWN_KEYS.length).split(',');
    return issue.keys.map((key) => {
      const remedy = suggest(key, known, 'known keys are');
      return { path: [...path, key], at: 'key', cause: `unknown key "${key}"`, remedy, missing: false };
    });
  }
  if (issue.code === 'invalid_key') {
    const { cause, remedy } = split(issue.issues[0]?.message ?? issue.message);
    return [{ path, at: 'key', cause: `the name ${JSON.stringify(path.at(-1))} ${cause}`, remedy, missing: false }];
  }
  if (issue.code === 'invalid_union' && !missing) {
    const branch = bestBranch(issue.errors);
    if (branch !== null) return branch.flatMap((inner) => explain(inner, path, document));
    const expected = issue.errors
      .flat()
      .flatMap((inner) => (inner.code === 'invalid_type' ? [article(inner.expected)] : []));
    if (expected.length > 0) {
      const { remedy } = split(issue.message);
      const given = shown(valueAt(document.value, path));
      const cause = `${nameOf(path)} must be ${oneOf([...new Set(expected)])}, not ${given}`;
      return [{ path, at: 'value', cause, remedy, missing: false }];
    }
  }
  const { cause, remedy } = split(issue.message);
  if (missing) return [{ path, at: 'key', cause: `missing key "${String(path.at(-1))}"`, remedy, missing }];
  return [{ path, at: 'value', cause: `${nameOf(path)} ${cause}`, remedy, missing }];
}

/** The branch of a union with the least wrong; null when the value is of the wrong type for each. */
function bestBranch(branches: readonly z.core.$ZodIssue[][]): readonly z.core.$ZodIssue[] | null {
  let best: { readonly issues: readonly z.core.$ZodIssue[]; readonly weight: number } | null = null;
  for (const issues of branches) {
    if (issues.some(({ code, path }) => path.length === 0 && code === 'invalid_type')) continue;
    const weight = issues.reduce((sum, issue) => sum + weigh(issue), 0);
    if (best === null || weight < best.weight) best = { issues, weight };
  }
  return best?.issues ?? null;
}

/** An unknown key that looks like a known one speaks less against a branch than one that does not. */
function weigh(issue: z.core.$ZodIssue): number {
  if (issue.code !== 'unrecognized_keys') return 2;
  const known = issue.message.slice(KNOWN_KEYS.length).split(',');
  return issue.keys.reduce((sum, key) => sum + (nearest(key, known) === null ? 3 : 2), 0);
}

/** The path of the key that a did-you-mean names, as text. */
function keyOf(path: Path, remedy: string): string {
  const [, key] = /^did you mean "(.*)"\?$/.exec(remedy) ?? [];
  return key === undefined ? '' : JSON.stringify([...path.slice(0, -1), key]);
}

/** How a sentence names the value at a path: `"timeout"`, `item 2 of "seeds"`, `the file`. */
function nameOf(path: Path): string {
  const last = path.at(-1);
  if (last === undefined) return 'the file';
  return typeof last === 'string' ? JSON.stringify(last) : `item ${last + 1} of ${nameOf(path.slice(0, -1))}`;
}

/** `a`, `a or b`, `a, b or c`. */
function oneOf(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`;
}

/** Branches of nested unions can say the same thing twice. */
function distinct(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return [...new Map(diagnostics.map((diagnostic) => [JSON.stringify(diagnostic), diagnostic])).values()];
}
