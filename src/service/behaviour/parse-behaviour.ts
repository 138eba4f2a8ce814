import { isCollection, isMap, isScalar, LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import { type BehaviourEffect, type Condition, EFFECTS, type EffectName, WHEN } from './effects.ts';

/** The declared faults of the service: the content of a behaviour file. */
export interface Behaviour {
  readonly seed: number;
  readonly rules: readonly Rule[];
}

export interface Rule {
  readonly name: string;
  readonly when: Condition;
  readonly effect: BehaviourEffect;
}

const EFFECT_NAMES = Object.keys(EFFECTS) as EffectName[];

const ruleSchema = z.strictObject({
  name: z.string().min(1).optional(),
  when: WHEN.default({}),
  ...mapEffects((schema) => schema.optional()),
});
const fileSchema = z.strictObject({
  behaviour: z.literal(1),
  seed: z.int().min(0).max(4294967295).default(1),
  rules: z.array(ruleSchema),
});

/**
 * Each problem is `file:line:column: cause; remedy.`.
 * @param file the name to print
 */
export function parseBehaviour(
  text: string,
  file: string,
): { readonly ok: true; readonly behaviour: Behaviour } | { readonly ok: false; readonly problems: readonly string[] } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const sentence = (offset: number, cause: string) => {
    const { line, col } = lines.linePos(offset);
    return `${file}:${line}:${col}: ${cause}${cause.endsWith('?') ? '' : '.'}`;
  };
  if (document.errors.length > 0) {
    const problems = document.errors.map((error) =>
      sentence(error.pos[0], `${firstLine(error.message)}; correct the YAML`),
    );
    return { ok: false, problems };
  }
  const parsed = fileSchema.safeParse(toValue(document));
  const offsetOf = (path: readonly PropertyKey[], key?: string) => findOffset(document.contents, path, key);
  if (!parsed.success) {
    const problems = parsed.error.issues.flatMap((issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => sentence(offsetOf(issue.path, key), describeUnknown(key, issue.path)))
        : [sentence(offsetOf(issue.path), describe(issue))],
    );
    return { ok: false, problems };
  }
  const rules: Rule[] = [];
  const problems: string[] = [];
  for (const [index, { name, when, ...rest }] of parsed.data.rules.entries()) {
    const kinds = EFFECT_NAMES.filter((kind) => rest[kind] !== undefined);
    const [kind] = kinds;
    if (kind === undefined || kinds.length > 1) {
      const found = kinds.length === 0 ? 'none' : kinds.join(' and ');
      problems.push(
        sentence(offsetOf(['rules', index]), `a rule has one effect, this one has ${found}; write a rule for each`),
      );
      continue;
    }
    const same = rules.filter((rule) => rule.effect.kind === kind).length;
    const unique = name ?? (same === 0 ? kind : `${kind}-${same + 1}`);
    if (rules.some((rule) => rule.name === unique)) {
      problems.push(
        sentence(offsetOf(['rules', index]), `another rule is named "${unique}"; give this one a name of its own`),
      );
    }
    // The schema of this kind checked the settings, which the compiler cannot follow through a computed key.
    rules.push({ name: unique, when, effect: { kind, settings: rest[kind] } as BehaviourEffect });
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, behaviour: { seed: parsed.data.seed, rules } };
}

type Optional = { [N in EffectName]: z.ZodOptional<(typeof EFFECTS)[N]> };

function mapEffects(change: (schema: z.ZodType) => z.ZodType): Optional {
  return Object.fromEntries(EFFECT_NAMES.map((name) => [name, change(EFFECTS[name])])) as unknown as Optional;
}

function toValue(document: ReturnType<typeof parseDocument>): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch {
    return null; // Endless aliases; the schema then refuses null.
  }
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  object: 'keys and values',
  array: 'a list',
  string: 'a text',
  number: 'a number',
  boolean: 'true or false',
};

function describe(issue: z.core.$ZodIssue): string {
  const where = issue.path.length === 0 ? 'the file' : `"${issue.path.join('.')}"`;
  if (issue.code === 'invalid_value')
    return `${where} must be ${issue.values.join(' or ')}; write ${issue.values.length === 1 ? 'it' : 'one of them'}`;
  if (issue.message.includes('; ')) return `${where} ${issue.message}`;
  if (issue.code === 'invalid_type')
    return `${where} is ${issue.path.length === 0 ? 'empty' : 'missing'} or of the wrong type; write ${TYPE_WORDS[issue.expected] ?? issue.expected}`;
  if (issue.code === 'too_small') return `${where} is too small; the least is ${issue.minimum}`;
  if (issue.code === 'too_big') return `${where} is too large; the most is ${issue.maximum}`;
  return `${where} is not valid; ${firstLine(issue.message)}`;
}

function describeUnknown(key: string, path: readonly PropertyKey[]): string {
  const known = keysAt(fileSchema, path);
  const near = known.map((name) => ({ name, far: distance(key, name) })).sort((a, b) => a.far - b.far)[0];
  const remedy =
    near !== undefined && near.far <= Math.max(2, key.length / 3)
      ? `did you mean "${near.name}"?`
      : known.length === 0
        ? 'nothing may be set here'
        : `known are ${known.join(', ')}`;
  return `unknown key "${key}"; ${remedy}`;
}

function keysAt(schema: unknown, path: readonly PropertyKey[]): readonly string[] {
  const inner = unwrap(schema);
  const [step, ...rest] = path;
  if (inner instanceof z.ZodArray) return keysAt(inner.element, rest);
  if (!(inner instanceof z.ZodObject)) return [];
  if (step === undefined) return Object.keys(inner.shape);
  return keysAt(inner.shape[String(step)], rest);
}

function unwrap(schema: unknown): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable) {
    return unwrap(schema.unwrap());
  }
  return schema;
}

/** Levenshtein's distance: letters to change, add or drop. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/** The place of the value at a path, or of one of its keys; without one, of what is around it. */
function findOffset(contents: unknown, path: readonly PropertyKey[], key?: string): number {
  let node: unknown = contents;
  let offset = 0;
  for (const step of path) {
    if (!isCollection(node)) break;
    const inner: unknown = node.get(step, true);
    if (isCollection(inner) || isScalar(inner)) {
      node = inner;
      offset = inner.range?.[0] ?? offset;
    } else break;
  }
  if (key !== undefined && isMap(node)) {
    const pair = node.items.find((item) => isScalar(item.key) && item.key.value === key);
    if (pair !== undefined && isScalar(pair.key)) return pair.key.range?.[0] ?? offset;
  }
  return offset;
}

function firstLine(text: string): string {
  return (text.split('\n')[0] ?? '').replace(/[.:;]\s*$/, '').replaceAll(';', ',');
}
