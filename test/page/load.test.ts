import { describe, expect, it } from 'vitest';
import type { StoredRun } from '../../src/record/kept-run.ts';
import { linesIn } from '../fixtures/drawn-marks.ts';
import { pageOf } from '../fixtures/rendered-page.ts';
import { reported } from '../fixtures/report-source.ts';
import { openRun, STEPS, sweepOfFour, sweepRun } from '../fixtures/scripted-load.ts';
import { FILMED, ORDINARY, ok, scriptedRun, type Telling } from '../fixtures/scripted-run.ts';
import { buildOk, buildStoredRun } from '../fixtures/stored-run-builder.ts';

const read = (record: StoredRun) => pageOf(reported(record));

describe('report.html of a sweep', () => {
  it('report.html of a sweep draws latency and throughput of all variants in one chart', async () => {
    const { document, words } = await read(sweepRun());
    const charts = [...document.querySelectorAll('#sweep .chart')];
    expect(charts).toHaveLength(1);
    expect(words('#sweep .legend li')).toEqual(['standard', 'fast']);
    const [chart] = charts;
    // A median at each step; of throughput one number up to two in flight, beyond it bounds alone.
    const fills = [...(chart?.querySelectorAll('circle, path') ?? [])].map(
      (mark) => mark.getAttribute('fill') ?? mark.parentElement?.getAttribute('fill') ?? '',
    );
    expect(fills.filter((fill) => /^var\(--variant-\d\)$/.test(fill))).toHaveLength(2 * (STEPS.length + 2));
    expect(chart?.getAttribute('aria-label')).toContain('the numbers are in the table below');
  });

  it('report.html of a sweep says how many outputs are made at each load where replies bring several', async () => {
    const heads = async (record: StoredRun) => (await read(record)).words('#sweep .steps th[scope=col]');
    expect(await heads(sweepRun())).not.toContain('Makes');
    expect(await heads(sweepOfFour())).toContain('Makes');
    const { words } = await read(sweepOfFour());
    expect(words('#sweep .steps td').filter((text) => text.includes('outputs / s'))).toEqual(
      expect.arrayContaining(['10.0 outputs / s']),
    );
  });
});

describe('report.html of open load', () => {
  it('report.html of open load shows on the timeline what was dropped', async () => {
    const { document } = await read(openRun());
    const chart = document.querySelector('#timeline .chart');
    expect(linesIn(chart, 'path[stroke="var(--warn)"]')).toHaveLength(19);
    expect(chart?.textContent).toContain('19 dropped');
  });
});

describe('the unit of a latency', () => {
  it('the unit of a latency is the same in every part of a page, of videos and images, and of p50 and p95', async () => {
    const short: Telling = {
      ...ORDINARY,
      concurrency: 1,
      tell: (variant, _, seed, repeat) => {
        const isSlow = seed === 3 && repeat === 3;
        return ok(isSlow ? 1400 : variant.includes('fast') ? 25.1 + seed / 100 : 60);
      },
    };
    const source = reported(scriptedRun(short));
    const { words } = await pageOf(source);
    const said = [
      ...words('.board .latency-cell'),
      ...words('#latency .chart p > span').filter((text) => text.startsWith('p50')),
    ].filter((text) => /\d/.test(text));
    expect(said.length).toBeGreaterThan(15);
    for (const text of said) expect(text).toMatch(/ ms/);
    for (const text of said) expect(text).not.toMatch(/\d s\b/);
  });
});

describe('the timings of a call', () => {
  it('the timings of a call are stacked in their order, the median latency beside them', async () => {
    const { document, words } = await read(scriptedRun(FILMED));
    expect(words('#timings .legend li')).toEqual(['submit', 'queue', 'run', 'detect', 'download']);
    const chart = document.querySelector('#timings .chart');
    expect(chart?.querySelectorAll('path[d$=Z][fill^="var(--phase"]')).toHaveLength(2 * 5);
    expect(chart?.textContent).toContain(
      'submit 96.0 ms   queue 640 ms   run 1.82 s   detect 256 ms   download 384 ms',
    );
  });
});

describe('the latency of every take', () => {
  it('the latency of every take says that its scale is logarithmic where it is, and nothing of it where it is not', async () => {
    const takes = (last: number) => [100, 110, last].map((ms, at) => buildOk(ms, 'fox', { trial: { repeat: at + 1 } }));
    const near = await read(buildStoredRun({ samples: takes(120) }));
    const far = await read(buildStoredRun({ samples: takes(5000) }));
    expect(near.text('#latency')).not.toMatch(/log scale|logarithmic/i);
    expect(far.text('#latency .note')).toContain('Log scale: ');
  });
});
