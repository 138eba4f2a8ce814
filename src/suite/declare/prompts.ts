import { createHash } from 'node:crypto';
import {
  type Checked,
  type Diagnostic,
  distinctDiagnostics,
  formatPlace,
  type Place,
  type Source,
} from '../../kit/diagnostic.ts';
import { type Document, diagnoseAt, sourceAt, valueAt } from '../../kit/document.ts';
import { groupBy } from '../../kit/grouping.ts';
import { isList, isObject, type Json, type JsonObject } from '../../kit/json.ts';
import { nearest, suggest } from '../../kit/nearest.ts';
import { inlinePromptSchema, type PromptEntry, promptFileSchema } from '../format/schema.ts';
import type { CaseMedia } from '../input-media.ts';
import { KINDS, type Kind, takesImage } from '../kind.ts';
import type { Case, Expectation, Sources } from '../suite.ts';

/** Leaves room for a number, and fits a column. */
const SLUG_LENGTH = 48;

/**
 * The id of a prompt without one: its slug, with a number if taken. `passedOver`: numbers of rows that a sample did not
 * draw. `slugs`: ids given per slug, so that equal texts are not counted from the first each time.
 */
function freeId(
  text: string,
  passedOver: number,
  taken: ReadonlyMap<string, unknown>,
  slugs: Map<string, number>,
): string {
  const slug = slugOf(text);
  for (let count = (slugs.get(slug) ?? 0) + passedOver + 1; ; count += 1) {
    const id = count === 1 ? slug : `${slug}-${count}`;
    if (taken.has(id)) continue;
    slugs.set(slug, count);
    return id;
  }
}

/**
 * Lower-case Latin letters and digits, words joined by "-" and never cut. Without any, a digest: independent of other
 * prompts.
 */
export function slugOf(text: string): string {
  const words =
    text
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  let length = (words[0] ?? '').length;
  let count = 1;
  for (const word of words.slice(1)) {
    length += 1 + word.length;
    if (length > SLUG_LENGTH) break;
    count += 1;
  }
  const slug = words.slice(0, count).join('-').slice(0, SLUG_LENGTH);
  return slug === '' ? `prompt-${createHash('sha256').update(text).digest('hex').slice(0, 8)}` : slug;
}

/** A prompt as declared, before ids are made and images are read. */
export interface PromptDraft {
  /** Null: made from the text. */
  readonly id: string | null;
  readonly text: string;
  /** The text with its `${env.X}`: an id stands in the record, where values of variables do not. */
  readonly written: string;
  /** As written: relative to `file`. */
  readonly image: string | null;
  /** In place of `image`; null: not given. */
  readonly images: readonly string[] | null;
  readonly mask: string | null;
  readonly tags: readonly string[];
  /** Null: follows from its images and mask. */
  readonly kinds: readonly string[] | null;
  readonly inputs: JsonObject;
  readonly inputSources: Sources;
  readonly expect: Expectation | null;
  /** Rows just before it with the same slug that a sample left out: they keep their numbers. */
  readonly passedOver: number;
  readonly file: string;
  readonly place: Place;
  readonly refuse: (field: PromptField, cause: string, remedy: string) => Diagnostic;
}

export const PROMPT_FIELDS = ['id', 'text', 'image', 'images', 'mask', 'tags', 'kinds'] as const;
export type PromptField = (typeof PROMPT_FIELDS)[number];

export function isPromptField(name: string): name is PromptField {
  return PROMPT_FIELDS.some((field) => field === name);
}

/** Places of inputs. Most prompts have none. */
export function sourcesOf(inputs: JsonObject, sourceOf: (name: string) => Source): Sources {
  return Object.fromEntries(Object.keys(inputs).map((name) => [name, sourceOf(name)]));
}

export function draftInline(
  document: Document,
  index: number,
  entry: Exclude<PromptEntry, { readonly from: string }>,
): PromptDraft {
  const path = ['prompts', index];
  const {
    id = null,
    text,
    image = null,
    images = null,
    mask = null,
    tags,
    kinds = null,
    inputs,
    expect,
  } = typeof entry === 'string' ? { text: entry, tags: [], inputs: {} } : entry;
  return {
    id,
    text,
    written: document.filledAt(typeof entry === 'string' ? path : [...path, 'text'])?.text ?? text,
    image,
    images,
    mask,
    tags,
    kinds,
    inputs,
    inputSources: sourcesOf(inputs, (name) => sourceAt(document, [...path, 'inputs', name])),
    expect: expect === undefined ? null : { values: expect },
    passedOver: 0,
    file: document.file,
    place: document.placeOf(path),
    refuse: (field, cause, remedy) =>
      diagnoseAt(document, typeof entry === 'string' ? path : [...path, field], { cause, remedy }),
  };
}

/** The cases; a prompt's inputs override the suite's. `media`: of drafts whose files could all be read. */
export function resolveCases(
  drafts: readonly PromptDraft[],
  media: ReadonlyMap<PromptDraft, CaseMedia>,
  inputs: JsonObject,
): Checked<readonly Case[]> {
  const diagnostics: Diagnostic[] = [];
  const taken = new Map<string, Place>();
  const slugs = new Map<string, number>();
  for (const { id, place, refuse } of drafts) {
    if (id === null) continue;
    const first = taken.get(id);
    if (!/^[A-Za-z0-9._-]{1,100}$/.test(id)) {
      const remedy = 'write letters (a-z, A-Z), digits, ".", "_" and "-", at most 100';
      diagnostics.push(refuse('id', `the id ${JSON.stringify(id)} is not a valid label`, remedy));
    } else if (first !== undefined) {
      diagnostics.push(
        refuse('id', `the id "${id}" is already used by the prompt at ${formatPlace(first)}`, 'choose another id'),
      );
    } else {
      taken.set(id, place);
    }
  }

  const cases = drafts.map((draft): Case => {
    if (draft.text.trim() === '') diagnostics.push(draft.refuse('text', 'the text is empty', 'write a prompt'));
    const kinds = resolveKinds(draft, diagnostics);
    const id = draft.id ?? freeId(draft.written, draft.passedOver, taken, slugs);
    if (draft.id === null) taken.set(id, draft.place);
    const { text, place, inputSources, expect } = draft;
    const tags = draft.tags.length < 2 ? draft.tags : [...new Set(draft.tags)];
    return {
      id,
      text,
      tags,
      kinds,
      ...(media.get(draft) ?? NO_MEDIA),
      inputs: hasNone(draft.inputs) ? inputs : { ...inputs, ...draft.inputs },
      inputSources,
      ...(expect === null ? {} : { expect }),
      place,
    };
  });
  return diagnostics.length === 0 ? { ok: true, value: cases } : { ok: false, diagnostics };
}

function hasNone(inputs: JsonObject): boolean {
  for (const name in inputs) if (Object.hasOwn(inputs, name)) return false;
  return true;
}

const NO_MEDIA: CaseMedia = { images: [], mask: null };

const WITH_IMAGE = KINDS.filter(takesImage);
const WITHOUT_IMAGE = KINDS.filter((kind) => !takesImage(kind));
const WITH_MORE: readonly Kind[] = ['image-edit'];

function resolveKinds(draft: PromptDraft, diagnostics: Diagnostic[]): readonly Kind[] {
  const { kinds, mask, refuse } = draft;
  const images = imagesOf(draft);
  if (kinds === null) {
    if (images.length === 0 && mask === null) return WITHOUT_IMAGE;
    return images.length > 1 || mask !== null ? WITH_MORE : WITH_IMAGE;
  }
  for (const kind of kinds) {
    if (!KINDS.some((known) => known === kind)) {
      diagnostics.push(
        refuse('kinds', `unknown kind ${JSON.stringify(kind)}`, suggest(kind, KINDS, 'known kinds are')),
      );
    }
  }
  const [needy] =
    images.length === 0 && mask === null ? kinds.filter((kind) => WITH_IMAGE.some((one) => one === kind)) : [];
  if (needy !== undefined) diagnostics.push(refuse('kinds', `${needy} needs an image`, 'give the prompt an image'));
  return KINDS.filter((kind) => kinds.includes(kind));
}

/** The paths of its images, as written. */
export function imagesOf({ image, images }: Pick<PromptDraft, 'image' | 'images'>): readonly string[] {
  return images ?? (image === null ? [] : [image]);
}

/** Warns of prompts of one kind with the same text and inputs, at the second of each group. */
export function findRepeatedPrompts(cases: readonly Case[]): readonly Diagnostic[] {
  const repeated = repeatedTexts(cases);
  const asked = cases
    .filter(({ text }) => repeated.has(text))
    .flatMap((one) => one.kinds.map((kind) => ({ one, kind, inputs: sorted(one.inputs) })));
  const groups = groupBy(asked, ({ one: { text, images, mask }, kind, inputs }) =>
    JSON.stringify([kind, text, images.map(({ sha256 }) => sha256), mask?.sha256 ?? null, inputs]),
  );
  const warnings = [...groups.values()].flatMap((group): Diagnostic[] => {
    const [first, second, ...others] = group.map(({ one }) => one);
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
