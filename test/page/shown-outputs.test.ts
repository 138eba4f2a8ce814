import { expect, it } from 'vitest';
import { outputsShownFirst } from '../../src/page/shown-outputs.ts';
import { likened } from '../fixtures/likened-run.ts';
import { pageOf } from '../fixtures/rendered-page.ts';

it('what a history remembers of a report is what the report shows first: the most changed outputs', async () => {
  const source = await likened();
  const shown = outputsShownFirst(source);
  expect(shown).toMatchObject({ kind: 'text-to-image', prompt: 'market', seed: 2 });
  expect(shown?.outputs.map(({ variant, baseline }) => [variant, baseline])).toEqual([
    ['standard', true],
    ['fast', false],
    ['fast-lcm', false],
  ]);
  const { document } = await pageOf(source);
  const strip = document.querySelector('.strip');
  const prompts = [strip?.getAttribute('data-prompt'), strip?.getAttribute('data-seed')];
  expect(prompts).toEqual([shown?.prompt, `${shown?.seed}`]);
  const figures = [...(strip?.querySelectorAll('figure') ?? [])].map((each) => each.getAttribute('data-variant'));
  expect(figures).toEqual(shown?.outputs.map(({ variant }) => variant));
  const digests = source.analysis.cells
    .filter(({ prompt, seed }) => prompt === shown?.prompt && seed === shown.seed)
    .map(({ outputGroups }) => outputGroups[0]?.sha256);
  expect(shown?.outputs.map(({ sha256 }) => sha256)).toEqual(digests);
});
