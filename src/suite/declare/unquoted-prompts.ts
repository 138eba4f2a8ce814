import type { Diagnostic } from '../../kit/diagnostic.ts';
import { type Document, diagnoseAt, valueAt } from '../../kit/document.ts';
import { isList, isObject } from '../../kit/json.ts';
import { nearest } from '../../kit/nearest.ts';
import { inlinePromptSchema, promptFileSchema } from '../format/schema.ts';

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
