import { describe, expect, test } from 'vitest';
import { type Field, RefusedRequest } from '../../../src/service/forms/form.ts';
import type { ImageRoute } from '../../../src/service/forms/generation.ts';
import { LONGEST_PROMPT, readGeneration } from '../../../src/service/forms/video-form.ts';

function read(parts: Readonly<Record<string, string>>, route: ImageRoute = 'image') {
  return readGeneration(
    Object.entries(parts).map(([name, value]): Field => ({ name, value })),
    route,
  );
}

test('only the prompt is needed; the rest has defaults, and is taken unchanged', () => {
  const plain = { prompt: ' a fox ', style: 'realistic', ratio: '1:1', model: 'standard', seed: null };
  expect(read({ prompt: ' a fox ' })).toEqual(plain);
  expect(read({ prompt: ' a fox ' }, 'anime')).toEqual({ ...plain, style: 'anime' });
  const asked = { prompt: 'x', style: 'anime', model: 'fast-lcm' };
  const all = read({ ...asked, aspect_ratio: '9:16', seed: '4294967295' });
  expect(all).toEqual({ ...asked, ratio: '9:16', seed: 4294967295 });
  // Characters, not code units.
  expect(read({ prompt: '🦊'.repeat(LONGEST_PROMPT) }).prompt).toContain('🦊');
});

describe('what is refused', () => {
  test.each<[Readonly<Record<string, string>>, number, string, string]>([
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
    expect(refusalOf(() => read(parts))).toMatchObject({ status, code, message: expect.stringContaining(part) });
  });

  test('a form with another style on the anime route is refused', () => {
    expect(refusalOf(() => read({ prompt: 'x', style: 'realistic' }, 'anime'))).toMatchObject({
      code: 'invalid_style',
    });
  });

  function refusalOf(act: () => unknown): unknown {
    try {
      return act();
    } catch (error) {
      return error instanceof RefusedRequest ? error.refusal : error;
    }
  }
});
