import { parseHTML } from 'linkedom';
import { describe, expect, it } from 'vitest';
import { html } from '../../src/page/html.ts';
import type { ReportSource } from '../../src/report/reporter.ts';
import { csv } from '../../src/report/reporters/csv.ts';
import { renderTerminal } from '../../src/report/terminal.ts';
import { rendered } from '../contracts/reporter.ts';
import { readTable } from '../fixtures/csv-reader.ts';
import { cachedRun, honestRun, probedRun } from '../fixtures/probe-samples.ts';
import { reported } from '../fixtures/report-source.ts';
import { buildOk } from '../fixtures/stored-run-builder.ts';

const honest = reported(honestRun());
const caught = reported(cachedRun());
const plain = reported(
  probedRun({ samples: [1, 2].map((repeat) => buildOk(200, 'fox', { trial: { repeat } })) }, { kinds: [] }),
);

const page = async (source: ReportSource) =>
  parseHTML((await rendered(html, source)).get('report.html') ?? '').document;
describe('probes in reports', () => {
  it('probes in reports are not there where none was asked for', async () => {
    const document = await page(plain);
    expect(document.querySelector('#probes')).toBeNull();
    expect(document.querySelector('.under a[href="#probes"]')).toBeNull();
    expect(renderTerminal(plain, { colour: false, width: 100, hasPage: true })).not.toContain('Probes');
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
    const rows = readTable((await rendered(csv, honest)).get('samples.csv') ?? '');
    const free = rows.find((row) => row.probe_role === 'omitted');
    expect(free).toMatchObject({ phase: 'probe', probe: 'true', probe_kind: 'seed', seed: '', probe_pair: '' });
    expect(rows.find((row) => row.probe_role === 'repeat')).toMatchObject({ probe_kind: 'cache', probe_pair: '1' });
    expect(rows.find((row) => row.phase === 'trial')).toMatchObject({ probe: 'false', probe_kind: '', cached: '' });
  });
});
