import { describe, expect, test } from 'vitest';
import type { Field } from '../../../src/service/forms/form.ts';
import { type GenerationRoute, LONGEST_PROMPT, readGeneration } from '../../../src/service/forms/generation-form.ts';

function read(parts: Record<string, string>, route: GenerationRoute = 'image') {
  return readGeneration(
    Object.entries(parts).map(([name, value]): Field => ({ name, value })),
    route,
  );
}

test('only the prompt is needed; the rest has defaults', () => {
  expect(read({ prompt: ' a fox ' })).toEqual({
    ok: true,
    value: { prompt: ' a fox ', style: 'realistic', ratio: '1:1', model: 'standard', seed: null },
  });
  expect(read({ prompt: 'a fox' }, 'anime')).toMatchObject({ value: { style: 'anime' } });
});

test('the parts of a form are all taken unchanged', () => {
  const parts = { prompt: 'x', style: 'anime', aspect_ratio: '9:16', seed: '4294967295', model: 'fast-lcm' };
  expect(read(parts)).toEqual({
    ok: true,
    value: { prompt: 'x', style: 'anime', ratio: '9:16', model: 'fast-lcm', seed: 4294967295 },
  });
});

describe('what is refused', () => {
  test.each([
    [{}, 400, 'missing_part', '"prompt"'],
    [{ prompt: 'x', promt: 'y' }, 400, 'unknown_part', '"promt"'],
    [{ prompt: 'x', seed: 'seven' }, 400, 'invalid_seed', 'not a whole number'],
    [{ prompt: 'x', seed: '' }, 400, 'invalid_seed', 'not a whole number'],
    [{ prompt: 'x', seed: '1.5' }, 400, 'invalid_seed', 'not a whole number'],
    [{ prompt: 'x', seed: '0x10' }, 400, 'invalid_seed', 'not a whole number'],
    [{ prompt: 'x', seed: '-1' }, 400, 'invalid_seed', 'not between 0 and 4294967295'],
    [{ prompt: 'x', seed: '4294967296' }, 400, 'invalid_seed', 'not between 0 and 4294967295'],
    [{ prompt: 'x', seed: '9'.repeat(400) }, 400, 'invalid_seed', 'not between'],
    [{ prompt: 'x', aspect_ratio: '1-1' }, 400, 'invalid_aspect_ratio', '16:9'],
    [{ prompt: 'x', aspect_ratio: '5:1' }, 400, 'invalid_aspect_ratio', '16:9'],
    [{ prompt: 'x', model: 'turbo' }, 400, 'invalid_model', 'fast-lcm'],
    [{ prompt: 'x', style: 'cubist' }, 400, 'invalid_style', 'anime'],
    [{ prompt: '' }, 422, 'prompt_empty', 'empty'],
    [{ prompt: ' \n' }, 422, 'prompt_empty', 'empty'],
    [{ prompt: 'x'.repeat(LONGEST_PROMPT + 1) }, 422, 'prompt_too_long', '2001 characters'],
  ])('a form with %o is refused', (parts, status, code, part) => {
    expect(read(parts as Record<string, string>)).toMatchObject({
      ok: false,
      refusal: { status, code, message: expect.stringContaining(part) },
    });
  });

  test('a form with a part that comes twice is refused', () => {
    const seed = { name: 'seed', value: '1' };
    expect(readGeneration([{ name: 'prompt', value: 'x' }, seed, seed], 'image')).toMatchObject({
      refusal: { status: 400, code: 'doubled_part' },
    });
  });

  test('a form with another style on the anime route is refused', () => {
    expect(read({ prompt: 'x', style: 'realistic' }, 'anime')).toMatchObject({ refusal: { code: 'invalid_style' } });
  });
});

test('a prompt is measured in characters, not in code units', () => {
  expect(read({ prompt: '🦊'.repeat(LONGEST_PROMPT) }).ok).toBe(true);
});
