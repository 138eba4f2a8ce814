import { type Diagnostic, distinctDiagnostics, formatPlace } from '../../kit/diagnostic.ts';
import { type Document, diagnoseAt, valueAt } from '../../kit/document.ts';
import { isList, isObject, type Json } from '../../kit/json.ts';
import { nearest } from '../../kit/nearest.ts';
import { inlinePromptSchema, promptFileSchema } from '../format/schema.ts';
import type { Case } from '../suite.ts';

/** Warns of prompts of one kind with the same text and inputs, at the second of each group. */
export function findRepeatedPrompts(cases: readonly Case[]): readonly Diagnostic[] {
  const groups = new Map<string, Case[]>();
  const repeated = repeatedTexts(cases);
  for (const one of cases) {
    if (!repeated.has(one.text)) continue;
    for (const kind of one.kinds) {
      const asked = JSON.stringify([kind, one.text, one.image?.sha256 ?? null, sorted(one.inputs)]);
      const group = groups.get(asked);
      if (group === undefined) groups.set(asked, [one]);
      else group.push(one);
    }
  }
  const warnings = [...groups.values()].flatMap((group): Diagnostic[] => {
    const [first, second, ...others] = group;
    if (first === undefined || second === undefined) return [];
    const more = others.length === 0 ? '' : ` and ${others.length} more`;
    const cause = `the prompt "${second.id}"${more} ${others.length === 0 ? 'is' : 'are'} the same as "${first.id}" at ${formatPlace(first.place)}, which then counts ${group.length} times`;
    return [{ place: second.place, cause, remedy: 'keep one of them; for more takes of a prompt raise repeats' }];
  });
  // The same prompts may repeat in several kinds.
  return distinctDiagnostics(warnings);
}

/** Texts of several cases: only these need further comparison. */
function repeatedTexts(cases: readonly Case[]): ReadonlySet<string> {
  const met = new Set<string>();
  const repeated = new Set<string>();
  for (const { text } of cases) {
    if (met.has(text)) repeated.add(text);
    met.add(text);
  }
  return repeated;
}

function sorted(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return Object.fromEntries(entries.map(([key, item]) => [key, sorted(item)]));
}

/** Reports prompts that YAML reads as a mapping because of a colon: `- Poster: a cat`. */
export function findMappedPrompts(document: Document): readonly Diagnostic[] {
  const known = [...Object.keys(inlinePromptSchema.shape), ...Object.keys(promptFileSchema.shape)];
  return promptsOf(document).flatMap((entry, index) => {
    const [[key, value] = ['', null], ...others] = isObject(entry) ? Object.entries(entry) : [];
    const isText = typeof value === 'string' || typeof value === 'number';
    if (!isText || others.length > 0 || known.includes(key) || nearest(key, known) !== null) return [];
    const cause = `the prompt is not a text: YAML reads "${key}:" as a key`;
    return [
      diagnoseAt(document, ['prompts', index], { cause, remedy: `quote the text: ${quoted(`${key}: ${value}`)}` }),
    ];
  });
}

/** Warns of prompts whose end is a comment in YAML: `- hashtag #love`. A space behind "#" is taken for intended. */
export function findCutPrompts(document: Document): readonly Diagnostic[] {
  return promptsOf(document).flatMap((entry, index) => {
    const path = isObject(entry) ? ['prompts', index, 'text'] : ['prompts', index];
    const text = valueAt(document.value, path);
    const comment = document.commentAt(path);
    if (typeof text !== 'string' || comment === null || !/^\S/.test(comment)) return [];
    const cause = `the prompt ends before "#${comment}", which YAML reads as a comment`;
    return [diagnoseAt(document, path, { cause, remedy: `quote the text: ${quoted(`${text} #${comment}`)}` })];
  });
}

function promptsOf({ value }: Document) {
  const prompts = valueAt(value, ['prompts']);
  return prompts !== undefined && isList(prompts) ? prompts : [];
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
