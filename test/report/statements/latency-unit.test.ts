import { expect, test } from 'vitest';
import { renderTerminal } from '../../../src/report/terminal.ts';
import { pageOf } from '../../fixtures/rendered-page.ts';
import { reported } from '../../fixtures/report-source.ts';
import { ORDINARY, scriptedRun } from '../../fixtures/scripted-run.ts';

/** Two kinds: images take from 0.9 to 1.1 s, videos a tenth of that. */
const TWO_KINDS = scriptedRun({
  ...ORDINARY,
  concurrency: 1,
  variants: ORDINARY.variants
    .slice(0, 2)
    .map((variant, at) => ({ ...variant, kind: at === 0 ? 'text-to-image' : 'text-to-video', baseline: true })),
  prompts: ORDINARY.prompts.map((prompt) => ({ ...prompt, kinds: ['text-to-image', 'text-to-video'] })),
  tell: (variant, _, seed, repeat) => ({
    outcome: 'ok',
    totalMs: (variant === 'standard' ? 1 : 0.1) * (900 + 30 * (seed % 3) + 40 * repeat),
    output: 0,
  }),
});

const IN_MS = /\d ms\b/;
const IN_S = /\d s\b/;

test('latencies of a kind have one unit in tables, captions, charts and data of a page', async () => {
  const { document, words } = await pageOf(reported(TWO_KINDS));
  const captions = (variant: string) =>
    words(`figure[data-variant="${variant}"] figcaption`).concat(words('#images td > small'));
  expect(words('figure[data-variant="standard"] .much')).toEqual([expect.stringMatching(/^\d\.\d+ s$/)]);
  expect(words('figure[data-variant="fast"] .much')).toEqual([expect.stringMatching(/^\d+(\.\d)? ms$/)]);
  expect(captions('standard').join(' ')).not.toMatch(/9\d\d ms/);
  for (const place of ['#looks', '#latency', '#timeline']) {
    const text = words(`${place} tbody tr, ${place} .chart`).join('\n');
    expect(text, place).not.toMatch(/\b(9\d\d|1\d\d\d) ms/);
    expect(text, place).not.toMatch(/\b0\.0\d+ s/);
  }
  const data = JSON.parse(document.querySelector('#takes-data')?.textContent ?? '{}');
  expect(data).toMatchObject({ variants: ['standard', 'fast'], units: ['s', 'ms'] });
});

test('latencies of a kind have one unit in the table of a terminal and over its distributions', () => {
  const lines = renderTerminal(reported(TWO_KINDS), { colour: false, width: 100, hasPage: true }).split('\n');
  const kind = (name: string) =>
    lines
      .slice(lines.findIndex((line) => line.startsWith(name)))
      .slice(0, 2)
      .join('\n');
  expect(kind('Text to image')).toMatch(/\d+–1\.\d+ s/);
  expect(kind('Text to image')).not.toMatch(IN_MS);
  expect(kind('Text to video')).toMatch(IN_MS);
  expect(kind('Text to video')).not.toMatch(IN_S);
});
