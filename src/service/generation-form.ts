import { type Field, quote } from './form.ts';
import { type Generation, LARGEST_SEED, MODELS, RATIOS, STYLES } from './generation.ts';
import { type Checked, refuse } from './refusal.ts';

/** The routes that make pictures. */
export const GENERATION_ROUTES = { image: '/v2/image/generations', anime: '/v2/anime/generations' } as const;
export type GenerationRoute = keyof typeof GENERATION_ROUTES;

/** A picture as it was asked for; `seed` is null where the service is to choose one. */
export type AskedGeneration = Omit<Generation, 'seed'> & { readonly seed: number | null };

/** The longest prompt, in characters. */
export const LONGEST_PROMPT = 2000;

const PARTS = ['prompt', 'style', 'aspect_ratio', 'seed', 'model'] as const;
type Part = (typeof PARTS)[number];

/** Checks the parts of a form and fills in the defaults: 400 for what is malformed, 422 for a prompt that cannot be drawn. */
export function readGeneration(fields: readonly Field[], route: GenerationRoute): Checked<AskedGeneration> {
  const parts = new Map<Part, string>();
  for (const { name, value } of fields) {
    const part = PARTS.find((known) => known === name);
    if (part === undefined) {
      return refuse(400, 'unknown_part', `part ${quote(name)} is not known; the parts are ${PARTS.join(', ')}`);
    }
    if (parts.has(part)) return refuse(400, 'doubled_part', `part "${part}" was sent more than once`);
    parts.set(part, value);
  }
  const prompt = parts.get('prompt');
  if (prompt === undefined) return refuse(400, 'missing_part', 'part "prompt" is required');

  const style = readChoice('style', parts.get('style') ?? (route === 'anime' ? 'anime' : 'realistic'), STYLES);
  if (!style.ok) return style;
  if (route === 'anime' && style.value !== 'anime') {
    return refuse(400, 'invalid_style', 'this route draws style "anime" only; the image route draws the others');
  }
  const ratios = Object.keys(RATIOS) as (keyof typeof RATIOS)[];
  const ratio = readChoice('aspect_ratio', parts.get('aspect_ratio') ?? '1:1', ratios);
  if (!ratio.ok) return ratio;
  const model = readChoice('model', parts.get('model') ?? 'standard', MODELS);
  if (!model.ok) return model;
  const seed = readSeed(parts.get('seed'));
  if (!seed.ok) return seed;

  if (prompt.trim() === '') return refuse(422, 'prompt_empty', 'the prompt is empty');
  const length = [...prompt].length;
  if (length > LONGEST_PROMPT) {
    return refuse(422, 'prompt_too_long', `the prompt has ${length} characters; at most ${LONGEST_PROMPT} are drawn`);
  }
  return {
    ok: true,
    value: { prompt, style: style.value, ratio: ratio.value, model: model.value, seed: seed.value },
  };
}

function readChoice<T extends string>(part: Part, value: string, choices: readonly T[]): Checked<T> {
  const found = choices.find((choice) => choice === value);
  if (found !== undefined) return { ok: true, value: found };
  return refuse(400, `invalid_${part}`, `${part} ${quote(value)} is not known; known are ${choices.join(', ')}`);
}

function readSeed(text: string | undefined): Checked<number | null> {
  if (text === undefined) return { ok: true, value: null };
  const seed = /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isNaN(seed)) return refuse(400, 'invalid_seed', `seed ${quote(text)} is not a whole number`);
  if (seed < 0 || seed > LARGEST_SEED) {
    return refuse(400, 'invalid_seed', `seed ${quote(text)} is not between 0 and ${LARGEST_SEED}`);
  }
  return { ok: true, value: seed };
}
