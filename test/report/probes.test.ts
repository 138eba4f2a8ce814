import { parseHTML } from 'linkedom';
import { describe, expect, it } from 'vitest';
import { html } from '../../src/page/html.ts';
import type { Reporter, ReportSource } from '../../src/report/reporter.ts';
import { csv } from '../../src/report/reporters/csv.ts';
import { renderTerminal } from '../../src/report/terminal.ts';
import { readTable } from '../fixtures/csv-reader.ts';
import { buildProbe, cachedRun, cacheProbe, probedRun } from '../fixtures/probe-samples.ts';
import { reported } from '../fixtures/report-source.ts';
import { buildOk } from '../fixtures/stored-run-builder.ts';

const take = (repeat: number, content = 'fox') => buildOk(200, content, { trial: { repeat } });
const other = (content: string) =>
  buildProbe({ kind: 'seed', role: 'other', base: 1 }, content, { trial: { seed: 9 } });
const omitted = (repeat: number, content: string) =>
  buildProbe({ kind: 'seed', role: 'omitted', base: 1 }, content, { trial: { seed: null, repeat } });

const honest = reported(
  probedRun(
    {
      samples: [
        take(1),
        take(2),
        other('cat'),
        omitted(1, 'x'),
        omitted(2, 'y'),
        ...cacheProbe({ totalMs: () => 200 }),
      ],
    },
    { kinds: ['seed', 'cache'], nonce: 42 },
  ),
);
const caught = reported(cachedRun());
const plain = reported(probedRun({ samples: [take(1), take(2)] }, { kinds: [] }));

async function text(reporter: Reporter, source: ReportSource, name: string): Promise<string> {
  const file = [...reporter.render(source)].find((each) => each.name === name);
  if (file === undefined) throw new Error(`no ${name}`);
  let written = '';
  for await (const piece of file.content) written += piece;
  return written;
}

const page = async (source: ReportSource) => parseHTML(await text(html, source, 'report.html')).document;
const cellsOf = (document: Document) =>
  [...document.querySelectorAll('#probes tbody td')].map((cell) => cell.textContent ?? '');

describe('probes in reports', () => {
  it('probes in reports stand in a section of the page, with word and evidence', async () => {
    const document = await page(honest);
    expect(cellsOf(document)).toEqual([
      'seed exactlowest level among 2 takes of a seed: byte; at most 95.0 % of further takes would differ (one-sided 95 % bound, n = 1); 1 of 1 other seed gave another image',
      'without a seed random2 takes without a seed',
      expect.stringMatching(
        /^no sign of a cache10 of 10 repeats byte-identical; 1.00 times as fast as fresh requests; p = 1 .*; a cache that makes every repeat 1.2 times as fast would be found in 80 of 100 runs$/,
      ),
    ]);
    expect(document.querySelector('.under a[href="#probes"]')).not.toBeNull();
    expect(document.querySelector('#method')?.textContent).toContain('seeds of the cache probe drawn from 42');
  });

  it('probes in reports mark what bends numbers, there and in the warnings', async () => {
    const document = await page(caught);
    const bad = [...document.querySelectorAll('#probes .state.bad')].map((state) => state.textContent);
    expect(bad).toEqual(['seed ignored, one image for all seeds', 'repeats come from a cache']);
    expect(document.querySelector('#warnings')?.textContent).toContain('standard: repeats come from a cache');
    expect(document.querySelector('#same-output')?.textContent).toContain('not testable: repeats come from a cache');
    expect(document.querySelector('#latency')?.textContent).toContain('only first takes are shown');
  });

  it('probes in reports are not there where none was asked for', async () => {
    const document = await page(plain);
    expect(document.querySelector('#probes')).toBeNull();
    expect(document.querySelector('.under a[href="#probes"]')).toBeNull();
    expect(renderTerminal(plain, { colour: false, width: 100, hasPage: true })).not.toContain('Probes');
  });

  it('probes in reports stand in the terminal', () => {
    const lines = renderTerminal(caught, { colour: false, width: 200, hasPage: true });
    expect(lines).toContain('! standard: seed ignored, one image for all seeds');
    expect(lines).toContain(
      '! standard: repeats come from a cache (10 of 10 repeats byte-identical; 10.0 times as fast',
    );
    expect(lines.match(/ignored/g)).toHaveLength(1);
    expect(lines).toContain('Probes: without a seed not testable.');
  });

  it('probes in reports share a line in the terminal where variants have the same answer', () => {
    const { analysis } = caught;
    const probes = ['standard', 'fast', 'lcm'].flatMap((variant) =>
      analysis.probes.slice(0, 1).map((found) => ({ ...found, variant })),
    );
    const source = { ...caught, analysis: { ...analysis, warnings: [], probes } };
    const text = renderTerminal(source, { colour: false, width: 200, hasPage: true });
    expect(text).toContain('! standard, fast and lcm: seed ignored, one image for all seeds');
    expect(text.match(/seed ignored, one image for all seeds/g)).toHaveLength(1);
  });

  it('probes in reports are rows of samples.csv that say what they are', async () => {
    const rows = readTable(await text(csv, honest, 'samples.csv'));
    const free = rows.find((row) => row.probe_role === 'omitted');
    expect(free).toMatchObject({ phase: 'probe', probe: 'true', probe_kind: 'seed', seed: '', probe_pair: '' });
    expect(rows.find((row) => row.probe_role === 'repeat')).toMatchObject({ probe_kind: 'cache', probe_pair: '1' });
    expect(rows.find((row) => row.phase === 'trial')).toMatchObject({ probe: 'false', probe_kind: '', cached: '' });
  });
});
