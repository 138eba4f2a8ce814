import { expect, it } from 'vitest';
import { dataUrl } from '../../src/markup/document.ts';
import { outputsShownFirst, sheetOf } from '../../src/page/shown-outputs.ts';
import { changedSince, failedOn, likened } from '../fixtures/likened-run.ts';
import { pageOf } from '../fixtures/rendered-page.ts';
import { sketched } from '../fixtures/report-source.ts';
import { ORDINARY, scriptedRun } from '../fixtures/scripted-run.ts';

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

it('a run that failed shows first the variant and the prompt that it failed on', async () => {
  const first = async (metric: string) => {
    const shown = outputsShownFirst(await failedOn(metric, 'fast-lcm', 'lighthouse'));
    return [shown?.prompt, ...(shown?.outputs.map(({ variant }) => variant) ?? [])];
  };
  expect(await first('latency.total')).toEqual(['lighthouse', 'standard', 'fast-lcm', 'fast']);
  // No output changed, or none is known to have.
  expect(await first('stability.pixel')).toEqual(['market', 'standard', 'fast-lcm', 'fast']);
});

it('an output that changed since the stored baseline is shown first, behind what is stored', async () => {
  const source = await changedSince();
  const shown = outputsShownFirst(source);
  expect(shown).toMatchObject({ prompt: 'lighthouse', seed: 2, outputs: [{ variant: 'fast' }, {}, {}] });
  const [{ outputs } = { outputs: null }] = source.stability[0]?.changed ?? [];
  expect([shown?.outputs[0]?.stored, shown?.outputs[0]?.sha256]).toEqual(outputs);
  const { document } = await pageOf(source);
  const words = (selector: string) => [...document.querySelectorAll(selector)].map(({ textContent }) => textContent);
  expect(words('.strip figure:first-child .trio small')).toEqual([
    'stored, night-1',
    'now: changed',
    expect.stringMatching(/^difference/),
  ]);
  expect(words('.row-links .ssim').slice(0, 2)).toEqual(['changed', '0.30']);
  expect(document.querySelector('#images article')?.getAttribute('data-prompt')).toBe('lighthouse');
  const gone = await pageOf({ ...source, keptFact: () => null });
  expect(gone.document.querySelector('.strip .trio')?.textContent).toContain('not kept: the media of night-1 are gone');
});

it('large copies go to the kinds of a report in turn while there is room', () => {
  const copy = new Uint8Array(300_000);
  const source = { ...sketched(scriptedRun(ORDINARY)), copy: () => copy };
  const { images } = sheetOf(source);
  const url = dataUrl('image/webp', copy);
  const copiesOf = (kind: string) => {
    const names = source.analysis.variants.filter((variant) => variant.kind === kind).map(({ name }) => name);
    const digests = source.analysis.cells.filter(({ variant }) => names.includes(variant));
    const shown = digests.flatMap(({ outputGroups }) => outputGroups.map(({ sha256 }) => images.inSheet(sha256)));
    return shown.filter((media) => media?.image === url).length;
  };
  const [text, anime] = [copiesOf('text-to-image'), copiesOf('anime-image')];
  expect([text > 0, anime > 0, Math.abs(text - anime) <= 3], `${text} and ${anime}`).toEqual([true, true, true]);
});
