import { expect, it } from 'vitest';
import { dataUrl } from '../../src/markup/document.ts';
import { sheetOf } from '../../src/page/shown-outputs.ts';
import type { ReportSource } from '../../src/report/reporter.ts';
import { changedSince, failedOn, likened } from '../fixtures/likened-run.ts';
import { pageOf } from '../fixtures/rendered-page.ts';
import { sketched } from '../fixtures/report-source.ts';
import { ORDINARY, scriptedRun } from '../fixtures/scripted-run.ts';

/** The prompt and seed of the strip, then its variants. */
async function firstShown(source: ReportSource) {
  const { document } = await pageOf(source);
  const strip = document.querySelector<HTMLElement>('.strip');
  const variants = [...(strip?.querySelectorAll<HTMLElement>('figure') ?? [])].map(({ dataset }) => dataset.variant);
  return { document, shown: [strip?.dataset.prompt, strip?.dataset.seed, ...variants] };
}

it('a report shows first the most changed outputs', async () => {
  expect((await firstShown(await likened())).shown).toEqual(['market', '2', 'standard', 'fast', 'fast-lcm']);
});

it('a run that failed shows first the variant and the prompt that it failed on', async () => {
  const first = async (metric: string) => (await firstShown(await failedOn(metric, 'fast-lcm', 'lighthouse'))).shown;
  expect(await first('latency.total')).toEqual(['lighthouse', '1', 'standard', 'fast-lcm', 'fast']);
  // No output changed, or none is known to have.
  expect(await first('stability.pixel')).toEqual(['market', '2', 'standard', 'fast-lcm', 'fast']);
});

it('an output that changed since the stored baseline is shown first, behind what is stored', async () => {
  const source = await changedSince();
  const { document, shown } = await firstShown(source);
  expect(shown.slice(0, 3)).toEqual(['lighthouse', '2', 'fast']);
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
