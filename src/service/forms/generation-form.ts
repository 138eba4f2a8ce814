import type { Style } from '../scene/traits.ts';
import { type Field, quote } from './form.ts';
import { type Generation, LARGEST_SEED, MODELS, type Model, RATIOS, type Ratio, STYLES } from './generation.ts';
import { type CheckedForm, refuse } from './refusal.ts';

export const GENERATION_ROUTES = { image: '/v2/image/generations', anime: '/v2/anime/generations' } as const;
export type GenerationRoute = keyof typeof GENERATION_ROUTES;

/** `seed` is null if the service is to choose one. */
export type AskedGeneration = Omit<Generation, 'seed'> & { readonly seed: number | null };

export const LONGEST_PROMPT = 2000;

const PARTS = ['prompt', 'style', 'aspect_ratio', 'seed', 'model'] as const;
type FormParts = ReadonlyMap<string, string>;

/** With defaults. Refuses with 400 what is malformed, and with 422 a prompt that cannot be drawn. */
export function readGeneration(fields: readonly Field[], route: GenerationRoute): CheckedForm<AskedGeneration> {
  const parts = collectParts(fields, PARTS);
  if (!parts.ok) return parts;
  const style = readChoice('style', parts.value.get('style') ?? (route === 'anime' ? 'anime' : 'realistic'), STYLES);
  if (!style.ok) return style;
  if (route === 'anime' && style.value !== 'anime') {
    return refuse(400, 'invalid_style', 'this route draws style "anime" only; the image route draws the others');
  }
  return readAsked(parts.value, style.value, '1:1', MODELS);
}

export function collectParts(fields: readonly Field[], known: readonly string[]): CheckedForm<FormParts> {
  const parts = new Map<string, string>();
  for (const { name, value } of fields) {
    if (!known.includes(name)) {
      return refuse(400, 'unknown_part', `part ${quote(name)} is not known; the parts are ${known.join(', ')}`);
    }
    if (parts.has(name)) return refuse(400, 'doubled_part', `part "${name}" was sent more than once`);
    parts.set(name, value);
  }
  if (!parts.has('prompt')) return refuse(400, 'missing_part', 'part "prompt" is required');
  return { ok: true, value: parts };
}

export function readAsked(
  parts: FormParts,
  style: Style,
  defaultRatio: Ratio,
  models: readonly Model[],
): CheckedForm<AskedGeneration> {
  const prompt = parts.get('prompt') ?? '';
  const ratios = Object.keys(RATIOS) as Ratio[];
  const ratio = readChoice('aspect_ratio', parts.get('aspect_ratio') ?? defaultRatio, ratios);
  if (!ratio.ok) return ratio;
  const model = readChoice('model', parts.get('model') ?? 'standard', models);
  if (!model.ok) return model;
  const seed = readSeed(parts.get('seed'));
  if (!seed.ok) return seed;

  if (prompt.trim() === '') return refuse(422, 'prompt_empty', 'the prompt is empty');
  const length = [...prompt].length;
  if (length > LONGEST_PROMPT) {
    return refuse(422, 'prompt_too_long', `the prompt has ${length} characters; at most ${LONGEST_PROMPT} are drawn`);
  }
  return { ok: true, value: { prompt, style, ratio: ratio.value, model: model.value, seed: seed.value } };
}

export function readChoice<T extends string>(part: string, value: string, choices: readonly T[]): CheckedForm<T> {
  const found = choices.find((choice) => choice === value);
  if (found !== undefined) return { ok: true, value: found };
  return refuse(400, `invalid_${part}`, `${part} ${quote(value)} is not known; known are ${choices.join(', ')}`);
}

function readSeed(text: string | undefined): CheckedForm<number | null> {
  if (text === undefined) return { ok: true, value: null };
  const seed = /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isNaN(seed)) return refuse(400, 'invalid_seed', `seed ${quote(text)} is not a whole number`);
  if (seed < 0 || seed > LARGEST_SEED) {
    return refuse(400, 'invalid_seed', `seed ${quote(text)} is not between 0 and ${LARGEST_SEED}`);
  }
  return { ok: true, value: seed };
}
