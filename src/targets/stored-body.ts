import { type Document, type Path, valueAt } from '../kit/document.ts';
import { expandEnvironment } from '../kit/environment.ts';
import { isList, isObject, type Json } from '../kit/json.ts';
import { suggest } from '../kit/nearest.ts';
import type { Check } from './format/check.ts';
import type { ValueTemplate } from './language/template.ts';

/** The steps of an RFC 6901 pointer (`/3/inputs/text`); null if invalid. */
function parsePointer(text: string): readonly string[] | null {
  if (text === '') return [];
  if (!text.startsWith('/') || /~(?![01])/.test(text)) return null;
  return text
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The names of possible steps: keys of an object, indices of a list, else empty. */
function stepsOf(value: Json): readonly string[] {
  if (isList(value)) return value.map((_item, index) => String(index));
  return isObject(value) ? Object.keys(value) : [];
}

/** The path in `submit.body_file`, relative to the target file; null if none. The caller reads it for `parseTarget`. */
export function namedBodyFile(document: Document, env: Readonly<Record<string, string | undefined>>): string | null {
  const expanded = expandEnvironment(document, env);
  const named = expanded.ok ? valueAt(expanded.value.document.value, ['submit', 'body_file']) : undefined;
  return typeof named === 'string' && named !== '' ? named : null;
}

/**
 * A stored document as a body: its texts are no templates; `set` replaces the values at its pointers, which must exist.
 * Where a value of `set` is undefined, the stored one stays.
 */
export function compileStored(
  stored: Json,
  set: Readonly<Record<string, ValueTemplate>>,
  path: Path,
  { refuse }: Check,
): ValueTemplate {
  const places = Object.entries(set).flatMap(([pointer, value]) => {
    const at = [...path, pointer];
    const steps = parsePointer(pointer);
    if (steps === null) {
      refuse(at, `"${pointer}" is not a valid JSON pointer`, 'write /key/0/key, with ~1 for "/" and ~0 for "~"', 'key');
      return [];
    }
    const lost = whereLost(stored, steps);
    if (lost === null) return [{ steps, value, at, pointer }];
    const remedy = suggest(lost.step, lost.known, 'there are');
    refuse(at, `"${pointer}" leads nowhere: there is no "${lost.step}"`, remedy, 'key');
    return [];
  });
  for (const { steps, at, pointer } of places) {
    const outer = places.find((other) => other.steps.length < steps.length && startsWith(steps, other.steps));
    if (outer === undefined) continue;
    refuse(at, `"${pointer}" lies within "${outer.pointer}", which is set too`, 'set one of them', 'key');
  }
  return withSet(stored, places);
}

interface BodyPlace {
  readonly steps: readonly string[];
  readonly value: ValueTemplate;
}

function withSet(stored: Json, places: readonly BodyPlace[]): ValueTemplate {
  const here = places.find(({ steps }) => steps.length === 0);
  if (here !== undefined) return { set: here.value, stored: withSet(stored, []) };
  const below = (step: string): readonly BodyPlace[] =>
    places.flatMap(({ steps: [first, ...steps], value }) => (first === step ? [{ steps, value }] : []));
  if (isList(stored)) return { list: stored.map((item, index) => withSet(item, below(String(index)))) };
  if (isObject(stored))
    return { object: Object.entries(stored).map(([key, item]) => [key, withSet(item, below(key))]) };
  return typeof stored === 'string' ? { template: stored === '' ? [] : [{ text: stored }] } : { literal: stored };
}

/** The first missing step of a pointer, and the names that exist there; null if nothing is missing. */
function whereLost(
  root: Json,
  steps: readonly string[],
): { readonly step: string; readonly known: readonly string[] } | null {
  let here = root;
  for (const step of steps) {
    const known = stepsOf(here);
    if (!known.includes(step)) return { step, known };
    here = valueAt(here, [isList(here) ? Number(step) : step]) ?? null;
  }
  return null;
}

function startsWith(steps: readonly string[], start: readonly string[]): boolean {
  return start.every((step, index) => steps[index] === step);
}
