import { describe, expect, it } from 'vitest';
import { analyse } from '../../src/analysis/analyse.ts';
import type { FlaggedSummary } from '../../src/analysis/analysis.ts';
import { METRICS } from '../../src/analysis/metrics.ts';
import { unfitVariants } from '../../src/analysis/warnings/late-stamps.ts';
import type { Sample } from '../../src/record/sample.ts';
import { createRandom } from '../../src/statistics/random.ts';
import type { OpenLoad } from '../../src/suite/suite.ts';
import { buildFailure, buildOk } from '../fixtures/sample-builder.ts';
import { buildStoredRun, type RunParts } from '../fixtures/stored-run-builder.ts';
import { lateRun, openRun, sweepRun } from '../fixtures/told-load.ts';
import { wordedWarnings } from '../fixtures/worded-warnings.ts';

const OPEN: OpenLoad = {
  mode: 'open',
  order: 'sequential',
  concurrency: 8,
  arrivals: 'constant',
  stages: [{ ratePerSecond: 10, forMs: null }],
  warmup: 1,
  onThrottle: 'wait',
  shuffle: 1,
};
const WARM = buildOk(100, 'warm', { trial: { phase: 'warmup' } });

/** `count` takes of 100 ms one after the other, each seed its own picture; `change` makes one what it is. */
function takes(
  count: number,
  change: (at: number) => Parameters<typeof buildOk>[2] & { totalMs?: number } = () => ({}),
) {
  return Array.from({ length: count }, (_, at): Sample => {
    const { totalMs = 100, ...parts } = change(at);
    const trial = { seed: (at % 2) + 1, repeat: at + 1 };
    return buildOk(totalMs, `picture ${at % 2}`, { startedMs: at * 1000, trial, ...parts });
  });
}

const analysed = (parts: RunParts) =>
  analyse(buildStoredRun({ seeds: [1, 2], ...parts, samples: [WARM, ...parts.samples] }), METRICS).analysis;
const warn = (parts: RunParts) => wordedWarnings(analysed(parts));
const whats = (parts: RunParts) => warn(parts).map(({ what }) => what);

describe('a machine that could not keep up', () => {
  const late = (share: number, totalMs = 300) =>
    takes(100, (at) => ((37 * at) % 100 < share * 100 ? { flags: ['harness_lag'], totalMs } : {}));
  const unfit = (samples: readonly Sample[]) => warn({ samples }).filter((warning) => warning.unfit === true);

  it('is said before everything else, with the remedy', () => {
    const [first, ...others] = warn({ variants: [{ plannedTrials: 200 }], samples: late(0.2) });
    expect(first).toMatchObject({
      unfit: true,
      what: 'this machine could not keep up with the run: 20 of 100 samples of standard (20.0 %) were stamped late',
      remedy: expect.stringContaining('leave the machine to the run'),
    });
    expect(others[0]?.what).toContain('incomplete');
    expect(others.filter(({ unfit: red, what }) => red === true || what.includes('harness_lag'))).toEqual([]);
  });

  it('tells how late its event loop was, where that was watched', () => {
    expect(wordedWarnings(analyse(lateRun(), METRICS).analysis)[0]?.cause).toContain('up to 310 ms, p99 48.0 ms');
  });

  it('is not said of late samples that are not significantly above 5 %: they are counted, with their blocks', () => {
    expect(warn({ samples: late(0.06) })).toMatchObject([
      { what: '6 samples of standard carry the flag harness_lag, in 6 blocks' },
    ]);
    const first = takes(15, (at) => (at === 3 ? { flags: ['harness_lag'] } : {}));
    expect(unfit(first)).toEqual([]);
  });

  it('never says not to use latencies whose medians agree with and without the late samples', () => {
    const [agreeing] = unfit(late(0.2, 100));
    expect(agreeing?.remedy).toContain('agree: read no small difference');
    expect(agreeing?.remedy).not.toContain('do not use');
    const [bent] = unfit(takes(100, (at) => (at < 70 ? { flags: ['harness_lag'], totalMs: 300 + at } : {})));
    expect(bent?.remedy).toContain('do not use these latencies');
  });

  it('is unfit for a median that is another without the late samples, however few they are for a test', () => {
    const few = takes(14, (at) => (at < 8 ? { flags: ['harness_lag'], totalMs: 300 + at } : {}));
    expect(unfit(few)).toHaveLength(1);
  });

  it('is found by all variants together, and names the worst where they are many', () => {
    const many = Array.from({ length: 40 }, (_, variant) =>
      takes(10, (at) => (at < 2 ? { flags: ['harness_lag'] } : {})).map((sample) => ({
        ...sample,
        trial: { ...sample.trial, variant: `v${variant}` },
      })),
    ).flat();
    expect(unfit(many)[0]?.what).toBe(
      'this machine could not keep up with the run: samples of 40 of 40 variants, worst v0 (2 of 10), were stamped late',
    );
  });

  it.each([
    [0.03, 0, 0.02],
    [0.05, 0, 0.02],
    [0.25, 0.95, 1],
  ])('whose true share of late samples is %s ends in red in %s to %s of first runs', (share, least, most) => {
    const random = createRandom(5);
    let red = 0;
    const RUNS = 200;
    for (let run = 0; run < RUNS; run += 1) {
      // A first run: 11 variants of 15 samples.
      const flagged: FlaggedSummary[] = [];
      const names = Array.from({ length: 11 }, (_, at) => `v${at}`);
      const samples = names.flatMap((variant) =>
        Array.from({ length: 15 }, () => ({ sample: { trial: { variant } } })),
      );
      for (const variant of names) {
        let lag = 0;
        for (let take = 0; take < 15; take += 1) if (random.uniform() < share) lag += 1;
        const median = { valueMs: 100, lowMs: 99, highMs: 101, n: 15 };
        if (lag > 0) {
          flagged.push({
            variant,
            step: null,
            flags: { harness_lag: lag },
            samples: lag,
            ofSamples: 15,
            blocks: lag,
            ofBlocks: 15,
            withFlagged: median,
            withoutFlagged: median,
            agree: true,
          });
        }
      }
      const variants = names.map((name) => ({ name }));
      if (unfitVariants({ flagged, variants, trials: samples }).length > 0) red += 1;
    }
    expect(red / RUNS).toBeGreaterThanOrEqual(least);
    expect(red / RUNS).toBeLessThanOrEqual(most);
  });
});

describe('flagged samples', () => {
  it('are compared with the rest where they make another median', () => {
    const samples = takes(100, (at) =>
      [1, 4, 7].includes(at % 10) ? {} : { flags: ['orphans'], totalMs: 200 + ((37 * at) % 100) / 100 },
    );
    const analysis = analysed({ samples });
    const { flagged } = analysis;
    expect(flagged).toMatchObject([
      {
        variant: 'standard',
        step: null,
        flags: { orphans: 70 },
        samples: 70,
        ofSamples: 100,
        blocks: 70,
        ofBlocks: 100,
        withoutFlagged: { valueMs: 100, lowMs: 100, highMs: 100, n: 30 },
        agree: false,
      },
    ]);
    expect(wordedWarnings(analysis).map(({ what }) => what)).toContain(
      'p50 of standard is 200 ms with its flagged samples and 100 ms without: they disagree beyond their intervals',
    );
  });

  it('are not said to agree or disagree where one side has no interval', () => {
    const samples = takes(100, (at) => (at < 96 ? { flags: ['orphans'], totalMs: 200 } : {}));
    expect(analysed({ samples }).flagged).toMatchObject([{ withoutFlagged: { n: 4, lowMs: null }, agree: null }]);
  });

  it('are none of a calm run', () => {
    expect(analysed({ samples: takes(60) }).flagged).toEqual([]);
  });
});

describe('orphans', () => {
  it('are counted with the samples that ran beside them', () => {
    const { segments } = buildStoredRun({ samples: [] });
    const ended = segments.map(({ started, ended: end }) => ({
      started,
      ended: end === null ? null : { ...end, orphans: 2 },
    }));
    const samples = takes(100, (at) => (at < 3 ? { flags: ['orphans'] } : {}));
    expect(whats({ samples, segments: ended })).toEqual([
      '2 requests were given up and may have gone on at the service; 3 samples of standard may have run beside them (flag orphans)',
    ]);
  });

  it('can be cancelled where jobs are polled: wait.cancel is a remedy where the target has none', () => {
    const { segments } = buildStoredRun({ samples: [] });
    const ended = segments.map(({ started, ended: end }) => ({
      started,
      ended: end === null ? null : { ...end, orphans: 1 },
    }));
    const remedy = (cancelsJobs: boolean | null, code = 'timed_out') => {
      const lost = buildFailure(code === 'cancelled' ? 'cancelled' : 'timed_out', { code });
      const parts = { samples: [lost, ...takes(100)], segments: ended, variants: [{ cancelsJobs }] };
      return warn(parts).find(({ what }) => what.includes('may have gone on'))?.remedy;
    };
    const raise = 'raise limits.timeout, so that fewer requests are given up';
    const name = 'if the service can cancel a job, declare how in wait.cancel of the target of standard';
    expect(remedy(false)).toBe(`${raise}; ${name}`);
    expect(remedy(true)).toBe(raise);
    expect(remedy(null)).toBe(raise);
    expect(remedy(false, 'cancelled')).toBe(`wait until the service is idle before another run; ${name}`);
  });
});

describe('open load', () => {
  const due = (at: number, lagMs = 1) => ({ scheduledMs: at * 1000, startedMs: at * 1000 + lagMs });

  it('has nothing to warn of where every call began in time and one variant was measured', () => {
    expect(whats({ load: OPEN, samples: takes(60, (at) => due(at)) })).toEqual([]);
  });

  it('says that the offered rate was not reached where starts were dropped', () => {
    const dropped = [1, 2].map((at) =>
      buildFailure('dropped', { scheduledMs: at, startedMs: at, trial: { seed: 1, repeat: 1000 + at } }),
    );
    expect(warn({ load: OPEN, samples: [...takes(98, (at) => due(at)), ...dropped] })).toMatchObject([
      {
        what: '2 of 100 starts of standard were dropped (2.0 %): the offered rate was not reached',
        cause: expect.stringContaining('8 calls were in flight already'),
      },
    ]);
  });

  it('says that calls began late above 5 ms, by the largest lag where there are too few for a p99', () => {
    const late = (count: number, lagMs: number) => takes(count, (at) => due(at, at % 10 === 0 ? lagMs : 1));
    expect(whats({ load: OPEN, samples: late(100, 5) })).toEqual([]);
    expect(whats({ load: OPEN, samples: late(100, 8) })).toEqual(['calls of standard began late: start lag p99 8 ms']);
    expect(whats({ load: OPEN, samples: late(60, 8) })).toEqual([
      'calls of standard began late: start lag at most 8 ms',
    ]);
  });

  it('names the drift between variants, and closed paired load as the remedy', () => {
    const warnings = wordedWarnings(analyse(openRun(), METRICS).analysis);
    const drift = warnings.find(({ what }) => what.startsWith('drift confounded'));
    expect(drift?.what).toBe('drift confounded: open load measured the variants one after the other');
    expect(drift?.remedy).toContain('mode: closed with order: paired');
  });
});

describe('a stall under closed load', () => {
  const stalled = (totalMs: number, count = 60, others = 100) =>
    whats({ samples: takes(count, (at) => ({ totalMs: at === 20 ? totalMs : others })) });

  it('is told with what closed load cannot show, and open load as the remedy', () => {
    const [warning, ...others] = warn({ samples: takes(60, (at) => ({ totalMs: at === 20 ? 2100 : 100 })) });
    expect(warning).toMatchObject({
      what: expect.stringMatching(/^standard stood still: 1 take of up to 2\.1 s where half take at most 100 ms; /),
      cause: expect.stringContaining('about 20 calls here beside the 60 made (coordinated omission)'),
      remedy: expect.stringContaining('load.mode: open'),
    });
    expect(others).toEqual([]);
  });

  it('is not seen in a slow take, in milliseconds, or where it would not move a p99', () => {
    expect(stalled(1000)).toEqual([]);
    expect(stalled(290, 60, 20)).toEqual([]);
    expect(stalled(2100, 2100)).toEqual([]);
  });

  it('is looked for at each step of a sweep: the latencies of a larger one are no stalls of a smaller', () => {
    expect(
      wordedWarnings(analyse(sweepRun(), METRICS).analysis).filter(({ what }) => what.includes('stood still')),
    ).toEqual([]);
    const slow = { steps: [1, 64], concurrency: 64 };
    const samples = takes(120, (at) => ({
      totalMs: at < 60 ? 100 : 6400,
      trial: { phase: 'step', step: at < 60 ? 1 : 64, seed: (at % 2) + 1, repeat: at + 1 },
    }));
    expect(whats({ samples, load: slow })).toEqual([]);
  });
});
