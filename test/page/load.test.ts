import { describe, expect, it } from 'vitest';
import type { StoredRun } from '../../src/record/kept-run.ts';
import { linesIn } from '../fixtures/drawn-marks.ts';
import { pageOf } from '../fixtures/rendered-page.ts';
import { reported } from '../fixtures/report-source.ts';
import { lateRun, mostlyLateRun, openRun, STEPS, sweepRun } from '../fixtures/scripted-load.ts';
import { FILMED, ORDINARY, ok, scriptedRun, type Telling } from '../fixtures/scripted-run.ts';
import { buildCalibration, buildOk, buildStoredRun } from '../fixtures/stored-run-builder.ts';
import { mergedFrom } from '../fixtures/stored-suite.ts';

const read = (record: StoredRun) => pageOf(reported(record));

const SHORT_STEPS = [1, 2];

describe('report.html of a sweep', () => {
  it('report.html of a sweep has a table of every variant and step, the knee marked, before anything else', async () => {
    const { words, text, document } = await read(sweepRun());
    const rows = words('#sweep tbody tr');
    expect(rows).toHaveLength(2 * STEPS.length);
    expect(rows.filter((row) => row.includes('knee'))).toEqual([
      expect.stringMatching(/^2 knee 0\.394 s\[/),
      expect.stringMatching(/^2 knee 0\.1\d\d s\[/),
    ]);
    expect(words('#sweep tbody th')).toEqual(['standard', 'fast']);
    expect(text('#sweep .statements')).toBe('standard and fast each: knee at concurrency 2');
    expect(text('#sweep')).toContain('Kleinrock 1979');
    const parts = [...document.querySelectorAll('main section[id]')].map(({ id }) => id);
    expect(parts.slice(0, 3)).toEqual(['outcome', 'sweep', 'looks']);
  });

  it('report.html of a sweep draws latency and throughput of all variants in one chart, with the knee in both panels', async () => {
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
    expect(chart?.textContent?.match(/knee/g)).toHaveLength(2);
    expect(chart?.getAttribute('aria-label')).toContain('the numbers are in the table below');
  });

  it('report.html of a sweep has latency at both ends of the sweep in its first table', async () => {
    const { words } = await read(sweepRun());
    expect(words('#looks .board thead th').join('; ')).toBe(
      'Variant; Latency, concurrency 1; Latency, concurrency 8; Knee; Equal repeats; Errors',
    );
    expect(words('#looks .board tbody tr')[0]).toMatch(/^standard.*delivered ?0\.400 s ?\[.* s\] ?1\.56 s/);
    expect((await read(sweepRun(SHORT_STEPS))).words('#looks .board thead th')).not.toContain('Knee');
  });

  it('report.html of a sweep says why there is no knee, and draws none', async () => {
    const { text, document } = await read(sweepRun(SHORT_STEPS));
    expect(text('#sweep .statements')).toContain('no knee: needs 3 steps that deliver');
    expect(document.querySelector('#sweep .chart')?.textContent).not.toContain('knee');
  });

  it('report.html of a sweep puts no latencies of different steps together', async () => {
    const { words, text, document } = await read(sweepRun());
    expect(words('#looks .board thead th')).not.toContain('Latency p50');
    const rows = document.querySelector('#latency .chart')?.textContent ?? '';
    for (const step of STEPS) expect(rows).toContain(`standard, concurrency ${step}`);
    expect(text('#timings .chart')).toContain('fast, concurrency 8');
  });

  it('report.html has no section of a sweep without one', async () => {
    const { document } = await read(scriptedRun(ORDINARY));
    expect(document.querySelector('#sweep')).toBeNull();
  });
});

describe('report.html of open load', () => {
  it('report.html of open load counts latency from the planned send time, and says so', async () => {
    const { text, words } = await read(openRun());
    expect(text('#latency .note')).toContain('from the planned send time (latency.response)');
    expect(text('#numbers .about')).toContain('from the planned send time (latency.response)');
    expect(text('#latency .chart')).toContain('p50 1.20 s [0.425 – 2.04 s]');
    // Nothing is compared, in no sentence and no chart: the variants were sent one after the other.
    expect(words('.strip .much')).toEqual(['1.20 s not compared', expect.stringMatching(/^0\.\d+ s not compared$/)]);
    expect(words('#outcome .headlines li').slice(0, 2)).toEqual([
      'Speed is not compared: the variants were sent one after the other.',
      'standard: 19 takes were dropped.',
    ]);
    expect(text('#comparison')).toContain('no comparison: variants were sent one after the other');
    expect(text('body')).not.toMatch(/as fast as|as long as standard|needs 6/);
    expect(words('#looks .board tbody tr')[0]).toContain('19 dropped, never sent');
    expect(text('#method')).toContain('12 in flight; a start above it is dropped and counted');
  });

  it('report.html of open load shows on the timeline what was dropped and where the rate changes', async () => {
    const { document } = await read(openRun());
    const chart = document.querySelector('#timeline .chart');
    expect(linesIn(chart, 'path[stroke="var(--warn)"]')).toHaveLength(19);
    expect(chart?.textContent).toContain('19 dropped');
    expect(chart?.textContent?.match(/4 \/ s/g)).toHaveLength(2);
    expect(chart?.textContent?.match(/8 \/ s/g)).toHaveLength(2);
  });

  it('report.html of open load does not call a run good whose starts were dropped, and counts them in its first table', async () => {
    const { document, text, words } = await read(openRun());
    expect(document.querySelector('#run .facts .good')).toBeNull();
    expect(text('#run .facts')).toContain('19 starts were dropped');
    expect(words('#looks .board thead th')).toContain('Dropped');
    expect(words('#looks .board tbody tr')[0]).toContain('19 of 160');
  });

  it('report.html of open load has no failures for what was never sent', async () => {
    const { words } = await read(openRun());
    expect(words('#failures')).toEqual([]);
    expect(words('.short a[href="#failures"]')).toEqual([]);
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

describe('report.html of a machine that could not keep up', () => {
  it('report.html of a machine that could not keep up says before anything else, and once, that its latencies are not to be used', async () => {
    const { document, words, text } = await read(mostlyLateRun());
    const first = document.querySelector('#outcome h2')?.nextElementSibling;
    expect(first?.textContent).toContain('this machine could not keep up');
    expect(
      words('.warnings')
        .join(' ')
        .match(/could not keep up/g),
    ).toHaveLength(1);
    expect(text('#method')).toContain('p99 48.0 ms, at most 310 ms');
    expect(text('#method')).toContain('3, which may still have run at the service');
  });

  it('report.html of a machine that could not keep up has nothing in red where p50 is the same without the late takes', async () => {
    const { document, text } = await read(lateRun());
    expect(document.querySelector('.unfit, .void')).toBeNull();
    expect(text('#warnings')).toContain('this machine could not keep up: do not rely on p95 and small differences');
    expect(text('#warnings')).toContain('p50 with and without these takes agree');
  });

  it('report.html of a machine that could not keep up prints the median with and without flagged takes, and how many blocks are flagged', async () => {
    const { words } = await read(lateRun());
    const [row] = words('#flagged ~ .scroll tbody tr');
    expect(row).toMatch(
      /^standard ?timestamped late: 10 ?10 of 60 ?10 of 60 ?400 ms.*n = 60 ?391 ms.*n = 50 ?they agree$/,
    );
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

  it('the timings of a call are those that a target has', async () => {
    const { words, text } = await read(scriptedRun(ORDINARY));
    expect(words('#timings .legend li').slice(0, 2)).toEqual(['submit', 'reply body']);
    expect(text('#timings .note')).toContain('their medians add up only approximately');
  });

  it('the timings of a call draw no download where the reply to the submit held the media', async () => {
    const { text } = await read(scriptedRun(ORDINARY));
    expect(text('#timings .chart')).toContain('reply body');
    expect(text('#timings .chart')).not.toContain('download');
    expect(text('#timings .note')).toContain('the rest is the reply body');
    expect(text('#timings')).not.toContain('all submit');
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

describe('report.html of a run in shards', () => {
  it('the page of a merged run lists each shard with its machine, its part of the concurrency and its noise floor', async () => {
    const calibrations = [0.6, 4.5, 0.9].map((floorMs) => buildCalibration({ floorMs }));
    const { words, text } = await read(mergedFrom(scriptedRun(ORDINARY), 3, { calibrations }));
    expect(text('.run-head')).toContain('Merged from 3 shards');
    const rows = words('#method table.plain tbody tr').filter((row) => row.includes('a processor'));
    expect(rows.map((row) => row.slice(0, 21))).toEqual([
      '12026-11-20 15:45 UTC',
      '22026-11-20 15:45 UTC',
      '32026-11-20 15:45 UTC',
    ]);
    expect(rows[1]).toMatch(/a processor, 2 coreslinux, x64\s?Node 20\.20\.0.*4\.5\d? ms$/);
    expect(text('#method')).toMatch(/\d+ planned, \d+ sent, and 12 warm-ups of other shards/);
    expect(text('#run')).toContain('(longest shard), at most 2 in flight');
    expect(text('#looks')).toContain('no rate: shards have no common clock');
  });

  it('the page of a merged run that lacks a shard says which one, and how many were merged', async () => {
    const { text } = await read(mergedFrom(scriptedRun(ORDINARY), 3, { missing: [2] }));
    expect(text('.run-head')).toContain('Merged from 2 of 3 shards');
    expect(text('#outcome')).toMatch(/have no result.*shard 2 of 3 is missing/);
  });

  it('the page of a shard names its number and its run', async () => {
    const whole = scriptedRun(ORDINARY);
    const { plan, limits } = whole.run;
    const shard = { run: 'r1', index: 2, of: 3, whole: { plan, limits, plannedTrials: {} } };
    const { text, words } = await read({ ...whole, run: { ...whole.run, id: 'r1-2of3', shard } });
    expect(text('.run-head')).toContain('Shard 2 of 3 of run r1');
    expect(words('#method h3')).not.toContain('Shards');
  });
});
