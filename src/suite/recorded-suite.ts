import type { CheckedInPart } from '../kit/diagnostic.ts';
import type { Document } from '../kit/document.ts';
import type { Json, JsonObject } from '../kit/json.ts';
import { draftInline, type PromptDraft, resolveCases } from './declare/prompts.ts';
import { keptDocument } from './declare-judges.ts';
import type { PromptEntry, SuiteFile } from './format/schema.ts';
import type { CaseMedia } from './input-media.ts';
import type { Kind } from './kind.ts';
import { declareSuite, type LoadOptions, type SuiteCases } from './load-suite.ts';
import type { Expectation, InputImage, Suite } from './suite.ts';

/** A prompt as a record keeps it: what its files held, and digests of its images. */
export interface KeptPrompt {
  readonly id: string;
  readonly text: string;
  readonly tags: readonly string[];
  readonly kinds: readonly Kind[];
  readonly media: readonly (Pick<InputImage, 'sha256' | 'mime' | 'width' | 'height'> & {
    readonly role: 'image' | 'mask';
  })[];
  readonly inputs: JsonObject;
  readonly expect?: Expectation;
}

/**
 * The suite of a record, from the document that it keeps. Reads no file: prompts of files are those of the record, and
 * images have no bytes. A prompt that stands in the document is taken from there.
 */
export function declareRecorded(
  declared: Json,
  prompts: readonly KeptPrompt[],
  env: LoadOptions['env'],
): Promise<CheckedInPart<Suite>> {
  return declareSuite(keptDocument('run.json', declared), env, async (document, file) => ({
    refused: [],
    cases: keptCases(document, file, prompts),
  }));
}

function keptCases(
  document: Document,
  { prompts: entries, inputs }: SuiteFile,
  kept: readonly KeptPrompt[],
): CheckedInPart<SuiteCases> {
  const drafts: PromptDraft[] = [];
  for (const [index, entry] of entries.entries()) {
    if (isInline(entry)) {
      const draft = draftInline(document, index, entry);
      drafts.push({ ...draft, id: draft.id ?? kept[drafts.length]?.id ?? null });
      continue;
    }
    const end = endOfFile(entries.slice(index + 1), kept, drafts.length);
    drafts.push(...kept.slice(drafts.length, end).map((prompt) => draftOf(document, prompt)));
  }
  const media = new Map(drafts.map((draft, at) => [draft, mediaOf(kept[at])] as const));
  const cases = resolveCases(drafts, media, inputs);
  return cases.ok ? { ok: true, value: { cases: cases.value, files: [] } } : cases;
}

function isInline(entry: PromptEntry): entry is Exclude<PromptEntry, { readonly from: string }> {
  return typeof entry === 'string' || !('from' in entry);
}

/** Where the prompts of a file end: the record does not say. Those of files that follow each other are taken as one. */
function endOfFile(after: readonly PromptEntry[], kept: readonly KeptPrompt[], from: number): number {
  const [next] = after;
  if (after.every(isInline) || next === undefined) return kept.length - after.length;
  if (!isInline(next)) return from;
  const text = typeof next === 'string' ? next : next.text;
  return Math.max(
    from,
    kept.findIndex((prompt, at) => at >= from && prompt.text === text),
  );
}

function draftOf(document: Document, { id, text, tags, kinds, media, inputs, expect }: KeptPrompt): PromptDraft {
  const named = { id, text, tags: [...tags], kinds: [...kinds], inputs };
  const images = media.flatMap(({ role, sha256 }) => (role === 'image' ? [sha256] : []));
  return { ...draftInline(document, 0, named), images, expect: expect ?? null };
}

function mediaOf(prompt: KeptPrompt | undefined): CaseMedia {
  const none = new Uint8Array();
  const media = (prompt?.media ?? []).map((medium) => ({
    ...medium,
    fileName: medium.sha256,
    alpha: false,
    bytes: none,
  }));
  const mask = media.find(({ role }) => role === 'mask');
  return {
    images: media.filter(({ role }) => role === 'image'),
    mask: mask === undefined ? null : { ...mask, forms: { white: none, black: none, transparent: none } },
  };
}
