import { formatDiagnostic, type Place } from '../../src/kit/diagnostic.ts';
import { parseDocument } from '../../src/kit/document.ts';
import type { Json } from '../../src/kit/json.ts';
import { DEFAULT_LIMITS } from '../../src/media/level.ts';
import type { Case } from '../../src/suite/suite.ts';
import { parseTarget } from '../../src/targets/parse-target.ts';
import type { Target, Variant } from '../../src/targets/target.ts';

const PLACE: Place = { file: 'suite.yaml', line: 1, column: 1 };

/** What a target file needs at least. */
export const SMALLEST = {
  target: 1,
  id: 'test/images',
  kind: 'text-to-image',
  base_url: 'http://127.0.0.1:9',
  submit: { path: '/generate', encoding: 'json', body: { prompt: '${case.prompt}' } },
  result: { from: 'body' },
} as const;

/** Parses a target document from text; every diagnostic as a printed line. */
export function readTarget(
  text: string,
  env: Readonly<Record<string, string>> = {},
  stored: string | null = null,
): { readonly target: Target } | { readonly wrong: readonly string[] } {
  const document = parseDocument('t.yaml', text);
  if (!document.ok) return { wrong: document.diagnostics.map(formatDiagnostic) };
  const body = stored === null ? null : parseDocument('graph.json', stored);
  if (body !== null && !body.ok) return { wrong: body.diagnostics.map(formatDiagnostic) };
  const target = parseTarget(document.value, env, body?.value ?? null);
  return target.ok ? { target: target.value } : { wrong: target.diagnostics.map(formatDiagnostic) };
}

/** The smallest target with some keys of its own. */
export function targetWith(keys: { readonly [key: string]: Json }): Target {
  const read = readTarget(JSON.stringify({ ...SMALLEST, ...keys }));
  if ('wrong' in read) throw new Error(read.wrong.join('\n'));
  return read.target;
}

export function variantOf(target: Target, keys: Partial<Variant> = {}): Variant {
  const { kind } = target;
  if (kind === 'judge') throw new Error(`${target.id} generates nothing`);
  return {
    name: 'standard',
    kind,
    baseline: true,
    optional: false,
    target,
    constants: target.constants,
    baseUrl: target.baseUrl,
    origins: target.origins,
    price: target.prices[0] ?? null,
    timeoutMs: 10_000,
    seedRange: { min: target.inputs.seed.min, max: target.inputs.seed.max },
    levels: DEFAULT_LIMITS,
    ...keys,
  };
}

export function caseWith(keys: Partial<Case> = {}): Case {
  return {
    id: 'fox',
    text: 'a red fox',
    tags: [],
    kinds: ['text-to-image'],
    images: [],
    mask: null,
    inputs: {},
    inputSources: {},
    place: PLACE,
    ...keys,
  };
}
