import { type Checked, type Diagnostic, type Refuse, refused } from './diagnostic.ts';
import { type Document, type Path, parseDocument, valueAt } from './document.ts';
import { isList, isObject, isShallow, type Json, MOST_LEVELS } from './json.ts';
import { TOO_DEEP } from './tree.ts';

/**
 * Applies `--set key.key=value` before the document is checked: `load.concurrency=8`, `seeds=[1,2]`, `prompts.0.text=A
 * fox`. The value is YAML. Creates missing parents, may add one item to a list, and replaces a value that is in place
 * of a parent. `gate.+=` adds an item, or the items of a list. Existing keys may contain dots. Diagnostics about such a
 * value name the option.
 */
export function applyOverrides(document: Document, overrides: readonly string[]): Checked<Document> {
  const diagnostics: Diagnostic[] = [];
  let result = document;
  for (const override of overrides) {
    const applied = applyOverride(result, override);
    if (applied.ok) result = applied.value;
    else diagnostics.push(...applied.diagnostics);
  }
  return diagnostics.length === 0 ? { ok: true, value: result } : { ok: false, diagnostics };
}

function applyOverride(document: Document, override: string): Checked<Document> {
  const option = `--set ${override}`;
  const refuse: Refuse<Checked<Document>> = (cause, remedy) => refused(`${option}: ${cause}`, remedy);
  const equals = override.indexOf('=');
  if (equals < 1) return refuse('must be a key and a value', 'write --set load.concurrency=8');
  const parsed = parseDocument('--set', override.slice(equals + 1));
  if (!parsed.ok) {
    const [first] = parsed.diagnostics;
    return refuse(first?.cause ?? 'the value is not YAML', first?.remedy ?? 'put it in quotes');
  }

  const segments = override.slice(0, equals).split('.');
  if (segments.length > MOST_LEVELS) return refuse(TOO_DEEP.cause, TOO_DEEP.remedy);
  if (segments.some((segment) => segment === '' || segment === '__proto__')) {
    return refuse('the key has an empty or forbidden part', 'write the keys with one dot between them');
  }
  const adds = segments.at(-1) === '+';
  const path = resolve(document.value, adds ? segments.slice(0, -1) : segments);
  const before = adds ? (valueAt(document.value, path) ?? []) : [];
  if (!isList(before)) return refuse('there is no list to add to', 'leave out .+ to replace the value');
  const given = parsed.value.value;
  const value = replaced(document.value, path, adds ? before.concat(given) : given);
  if (value !== null && !isShallow(value.root)) return refuse(TOO_DEEP.cause, TOO_DEEP.remedy);
  if (value === null) return refuse('no such place in a list', 'write an index from 0 up to the length of the list');

  const made = firstMissing(document.value, path);
  const isKept = (asked: Path) => before.length > 0 && !(Number(asked[path.length]) >= before.length);
  const setBy = (asked: Path) =>
    made.every((step, index) => asked[index] === step) && !isKept(asked) ? option : document.setBy(asked);
  return { ok: true, value: { ...document, value: value.root, setBy } };
}

/** In a mapping the longest existing key, in a list an index. */
function resolve(root: Json, segments: readonly string[]): Path {
  const path: (string | number)[] = [];
  let rest = [...segments];
  while (rest.length > 0) {
    const here = valueAt(root, path);
    let length = 1;
    if (isObject(here)) {
      for (let taken = rest.length; taken > 1 && length === 1; taken -= 1) {
        if (Object.hasOwn(here, rest.slice(0, taken).join('.'))) length = taken;
      }
    }
    const key = rest.slice(0, length).join('.');
    path.push(isList(here) && /^(0|[1-9]\d*)$/.test(key) ? Number(key) : key);
    rest = rest.slice(length);
  }
  return path;
}

/** The root with another value at a path whose parents exist. */
export function withValue(root: Json, path: Path, leaf: Json): Json {
  return replaced(root, path, leaf)?.root ?? root;
}

/** Shares all other values; null if the path needs a place that a list does not have. */
function replaced(value: Json | undefined, path: Path, leaf: Json): { readonly root: Json } | null {
  const [step, ...rest] = path;
  if (step === undefined) return { root: leaf };
  if (isList(value)) {
    if (typeof step !== 'number' || step > value.length) return null;
    const item = replaced(value[step], rest, leaf);
    return item && { root: value.toSpliced(step, 1, item.root) };
  }
  const mapping = isObject(value) ? value : {};
  const item = replaced(Object.hasOwn(mapping, step) ? mapping[step] : undefined, rest, leaf);
  return item && { root: { ...mapping, [step]: item.root } };
}

/** The shortest missing beginning of `path`; all of it if it exists. */
function firstMissing(root: Json, path: Path): Path {
  for (let length = 1; length < path.length; length += 1) {
    const start = path.slice(0, length);
    const here = valueAt(root, start);
    if (!isObject(here) && !isList(here)) return start;
  }
  return path;
}
