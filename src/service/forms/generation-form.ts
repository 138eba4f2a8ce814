import { type Field, quote } from './form.ts';
import {
  type Generation,
  type ImageRoute,
  LARGEST_SEED,
  MODELS,
  type Model,
  RATIOS,
  type Ratio,
  STYLES,
} from './generation.ts';
import { refuse } from './refusal.ts';

/** `seed` is null if the service is to choose one. */
export type AskedGeneration = Omit<Generation, 'seed'> & { readonly seed: number | null };

export const LONGEST_PROMPT = 2000;

export const PARTS = ['prompt', 'style', 'aspect_ratio', 'seed', 'model'] as const;
type FormParts = ReadonlyMap<string, string>;

/** With defaults. Refuses with 400 what is malformed, and with 422 a prompt that cannot be drawn. */
export function readGeneration(fields: readonly Field[], route: ImageRoute): AskedGeneration {
  const defaults = { style: route === 'anime' ? 'anime' : 'realistic', ratio: '1:1' } as const;
  const asked = readAsked(collectParts(fields, PARTS), defaults, MODELS);
  if (route === 'anime' && asked.style !== 'anime') {
    refuse(400, 'invalid_style', 'this route draws style "anime" only; the image route draws the others');
  }
  return asked;
}

export function collectParts(fields: readonly Field[], known: readonly string[]): FormParts {
  const parts = new Map<string, string>();
  for (const { name, value } of fields) {
    if (!known.includes(name)) {
      refuse(400, 'unknown_part', `part ${quote(name)} is not known; the parts are ${known.join(', ')}`);
    }
    if (parts.has(name)) refuse(400, 'doubled_part', `part "${name}" was sent more than once`);
    parts.set(name, value);
  }
  if (!parts.has('prompt')) refuse(400, 'missing_part', 'part "prompt" is required');
  return parts;
}

/** Reads the parts that images and videos have in common. */
export function readAsked(
  parts: FormParts,
  defaults: Pick<Generation, 'style' | 'ratio'>,
  models: readonly Model[],
): AskedGeneration {
  const prompt = parts.get('prompt') ?? '';
  const asked = {
    prompt,
    style: readChoice(parts, 'style', defaults.style, STYLES),
    ratio: readChoice(parts, 'aspect_ratio', defaults.ratio, Object.keys(RATIOS) as Ratio[]),
    model: readChoice(parts, 'model', 'standard', models),
    seed: readSeed(parts.get('seed')),
  };
  if (prompt.trim() === '') refuse(422, 'prompt_empty', 'the prompt is empty');
  const length = [...prompt].length;
  if (length > LONGEST_PROMPT) {
    refuse(422, 'prompt_too_long', `the prompt has ${length} characters; at most ${LONGEST_PROMPT} are drawn`);
  }
  return asked;
}

export function readChoice<T extends string>(
  parts: FormParts,
  part: string,
  fallback: NoInfer<T>,
  choices: readonly T[],
): T {
  const value = parts.get(part) ?? fallback;
  const found = choices.find((choice) => choice === value);
  if (found !== undefined) return found;
  return refuse(400, `invalid_${part}`, `${part} ${quote(value)} is not known; known are ${choices.join(', ')}`);
}

function readSeed(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (!/^-?\d+$/.test(text)) return refuse(400, 'invalid_seed', `seed ${quote(text)} is not a whole number`);
  const seed = Number(text);
  if (seed >= 0 && seed <= LARGEST_SEED) return seed;
  return refuse(400, 'invalid_seed', `seed ${quote(text)} is not between 0 and ${LARGEST_SEED}`);
}
