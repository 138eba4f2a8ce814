import { describe, expect, it } from 'vitest';
import { analyse } from '../../../src/analysis/analyse.ts';
import { METRICS } from '../../../src/analysis/metrics.ts';
import type { FlaggedSummary } from '../../../src/analysis/summaries.ts';
import type { Warning } from '../../../src/analysis/warning.ts';
import { lateVariants } from '../../../src/analysis/warnings/overload.ts';
import type { Sample } from '../../../src/record/journal.ts';
import { createRandom } from '../../../src/statistics/random.ts';
import type { OpenLoad } from '../../../src/suite/load.ts';
import { askedWarnings, foundIn } from '../../fixtures/asked-warnings.ts';
import { lateRun, openRun, sweepRun } from '../../fixtures/scripted-load.ts';
import { buildFailure, buildOk, buildStoredRun, type RunParts } from '../../fixtures/stored-run-builder.ts';

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

/** `count` takes of 100 ms one after the other, each seed its own image; `change` makes one what it is. */
function takes(
  count: number,
  change: (at: number) => Parameters<typeof buildOk>[2] & { totalMs?: number } = () => ({}),
) {
  return Array.from({ length: count }, (_, at): Sample => {
    const { totalMs = 100, ...parts } = change(at);
    const trial = { seed: (at % 2) + 1, repeat: at + 1 };
    return buildOk(totalMs, `image ${at % 2}`, { startedMs: at * 1000, trial, ...parts });
  });
}

const analysed = (parts: RunParts) =>
  analyse(buildStoredRun({ seeds: [1, 2], ...parts, samples: [WARM, ...parts.samples] }), METRICS).analysis;
const warn = (parts: RunParts) => analysed(parts).warnings.map(foundIn);
const warned = (code: Warning['code'], parts: RunParts) => askedWarnings(analysed(parts).warnings, code);

describe('a machine that could not keep up', () => {
  const late = (share: number, totalMs = 300) =>
    takes(100, (at) => ((37 * at) % 100 < share * 100 ? { flags: ['harness_lag'], totalMs } : {}));
  const lateOf = (samples: readonly Sample[]) =>
    analysed({ samples })
      .warnings.filter(({ code }) => code === 'too_many_late_stamps')
      .map(foundIn);
  const unfit = (samples: readonly Sample[]) =>
    analysed({ samples })
      .warnings.filter((warning) => warning.unfit !== undefined)
      .map(foundIn);

  it('the warning of late stamps comes before everything else', () => {
    const [first, ...others] = warn({ variants: [{ plannedTrials: 200 }], samples: late(0.7) });
    expect(first).toMatchObject({
      unfit: 'latencies',
      code: 'too_many_late_stamps',
      variants: ['standard'],
      late: [70],
      samples: [100],
    });
    expect(others[0]).toMatchObject({ code: 'incomplete' });
    const red = expect.objectContaining({ unfit: expect.anything() });
    for (const other of [red, expect.objectContaining({ code: 'flagged_samples' })])
      expect(others).not.toContainEqual(other);
  });

  it('the warning of late stamps says how late its event loop was, where that was watched', () => {
    expect(analyse(lateRun(), METRICS).analysis.warnings[0]?.cause).toContain('up to 310 ms, p99 48.0 ms');
  });

  it('the warning of late stamps is absent where they are not significantly above 5 %: they are counted, with their blocks', () => {
    expect(warned('flagged_samples', { samples: late(0.06) })).toMatchObject([
      { code: 'flagged_samples', flag: 'harness_lag', variants: ['standard'], samples: 6, blocks: 6 },
    ]);
    const first = takes(15, (at) => (at === 3 ? { flags: ['harness_lag'] } : {}));
    expect(unfit(first)).toEqual([]);
  });

  it('the warning of late stamps knows whether the medians with and without the late samples agree, or that an interval is missing', () => {
    const [agreeing] = lateOf(late(0.2, 100));
    expect(agreeing).toMatchObject({ variants: ['standard'], agree: [true] });
    expect(agreeing).not.toHaveProperty('unfit');
    const [dependent] = unfit(takes(100, (at) => (at < 70 ? { flags: ['harness_lag'], totalMs: 300 + at } : {})));
    expect(dependent).toMatchObject({ variants: ['standard'], agree: [null] });
  });

  it('the warning of late stamps holds for a median that differs without them, even when they are too few for a test', () => {
    const few = takes(14, (at) => (at < 8 ? { flags: ['harness_lag'], totalMs: 300 + at } : {}));
    expect(unfit(few)).toMatchObject([{ variants: ['standard'], late: [8], samples: [14] }]);
  });

  it('the warning of late stamps counts all variants together', () => {
    const many = Array.from({ length: 40 }, (_, variant) =>
      takes(10, (at) => (at < 2 ? { flags: ['harness_lag'] } : {})).map((sample) => ({
        ...sample,
        trial: { ...sample.trial, variant: `v${variant}` },
      })),
    ).flat();
    expect(lateOf(many)).toEqual([
      expect.objectContaining({ variants: Array.from({ length: 40 }, (_, at) => `v${at}`) }),
    ]);
  });

  it.each([
    [0.03, 0, 0.02],
    [0.05, 0, 0.02],
    [0.25, 0.95, 1],
  ])('the warning of late stamps, at a true share of %s, is given in %s to %s of first runs', (share, least, most) => {
    const random = createRandom(5);
    let given = 0;
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
      if (lateVariants({ flagged, variants, trials: samples }).length > 0) given += 1;
    }
    expect(given / RUNS).toBeGreaterThanOrEqual(least);
    expect(given / RUNS).toBeLessThanOrEqual(most);
  });
});

describe('flagged samples', () => {
  it('flagged samples are compared with the rest where they make another median', () => {
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
    expect(analysis.warnings.find(({ code }) => code === 'flags_disagree')).toMatchObject({
      variants: ['standard'],
      facts: { step: null, withFlaggedMs: flagged[0]?.withFlagged.valueMs, withoutFlaggedMs: 100 },
    });
  });

  it('flagged samples are not said to agree or disagree where one side has no interval', () => {
    const samples = takes(100, (at) => (at < 96 ? { flags: ['orphans'], totalMs: 200 } : {}));
    expect(analysed({ samples }).flagged).toMatchObject([{ withoutFlagged: { n: 4, lowMs: null }, agree: null }]);
  });

  it('flagged samples whose start was slowed have a warning, and a median without them: fewer ran beside them', () => {
    const samples = takes(20, (at) => (at < 5 ? { flags: ['slowed'], totalMs: 20 } : {}));
    expect(analysed({ samples }).flagged).toMatchObject([{ flags: { slowed: 5 }, samples: 5, ofSamples: 20 }]);
    expect(warn({ samples })).toContainEqual({
      code: 'flagged_samples',
      flag: 'slowed',
      variants: ['standard'],
      samples: 5,
      blocks: 5,
    });
  });

  it('flagged samples are absent in a calm run', () => {
    expect(analysed({ samples: takes(60) }).flagged).toEqual([]);
  });
});

describe('orphans', () => {
  it('orphans are counted with the samples that ran beside them', () => {
    const { segments } = buildStoredRun({ samples: [] });
    const ended = segments.map(({ started, ended: end }) => ({
      started,
      ended: end === null ? null : { ...end, orphans: 2 },
    }));
    const samples = takes(100, (at) => (at < 3 ? { flags: ['orphans'] } : {}));
    expect(warned('abandoned_requests', { samples, segments: ended })).toEqual([
      {
        code: 'abandoned_requests',
        requests: 2,
        samples: 3,
        variants: ['standard'],
        interrupted: false,
        withoutCancel: [],
      },
    ]);
  });

  it('the orphans warning names the variants whose jobs are polled and cannot be cancelled, and whether the run was interrupted', () => {
    const { segments } = buildStoredRun({ samples: [] });
    const ended = segments.map(({ started, ended: end }) => ({
      started,
      ended: end === null ? null : { ...end, orphans: 1 },
    }));
    const found = (cancelsJobs: boolean | null, code = 'timed_out') => {
      const lost = buildFailure(code === 'cancelled' ? 'cancelled' : 'timed_out', { code });
      const parts = { samples: [lost, ...takes(100)], segments: ended, variants: [{ cancelsJobs }] };
      return analysed(parts).warnings.find((warning) => warning.code === 'abandoned_requests')?.facts;
    };
    expect(found(false)).toMatchObject({ interrupted: false, withoutCancel: ['standard'] });
    expect(found(true)).toMatchObject({ interrupted: false, withoutCancel: [] });
    expect(found(null)).toMatchObject({ interrupted: false, withoutCancel: [] });
    expect(found(false, 'cancelled')).toMatchObject({ interrupted: true, withoutCancel: ['standard'] });
  });
});

describe('open load', () => {
  const due = (at: number, lagMs = 1) => ({ scheduledMs: at * 1000, startedMs: at * 1000 + lagMs });

  it('the warnings of open load are absent where every call began in time and one variant was measured', () => {
    const calm = { load: OPEN, samples: takes(60, (at) => due(at)) };
    for (const code of ['late_starts', 'dropped_starts', 'drift_confounded'] as const)
      expect(warned(code, calm)).toEqual([]);
  });

  it('the warnings of open load say that the offered rate was not reached where starts were dropped', () => {
    const dropped = [1, 2].map((at) =>
      buildFailure('dropped', { scheduledMs: at, startedMs: at, trial: { seed: 1, repeat: 1000 + at } }),
    );
    expect(warned('dropped_starts', { load: OPEN, samples: [...takes(98, (at) => due(at)), ...dropped] })).toEqual([
      { code: 'dropped_starts', variants: ['standard'], dropped: 2, starts: 100 },
    ]);
  });

  it('the warnings of open load say that calls began late above 5 ms, by the largest lag where there are too few for a p99', () => {
    const late = (count: number, lagMs: number) => takes(count, (at) => due(at, at % 10 === 0 ? lagMs : 1));
    const found = { code: 'late_starts', variants: ['standard'], lagMs: 8 };
    expect(warned('late_starts', { load: OPEN, samples: late(100, 5) })).toEqual([]);
    expect(warned('late_starts', { load: OPEN, samples: late(100, 8) })).toEqual([{ ...found, statistic: 'p99' }]);
    expect(warned('late_starts', { load: OPEN, samples: late(60, 8) })).toEqual([{ ...found, statistic: 'max' }]);
  });

  it('the warnings of open load name the drift between variants', () => {
    const { warnings } = analyse(openRun(), METRICS).analysis;
    expect(warnings).toContainEqual(expect.objectContaining({ code: 'drift_confounded' }));
  });
});

describe('a stall under closed load', () => {
  const stalled = (totalMs: number, count = 60, others = 100) =>
    warned('service_stalled', { samples: takes(count, (at) => ({ totalMs: at === 20 ? totalMs : others })) });

  it('the stall warning gives the calls that closed load did not make', () => {
    expect(stalled(2100)).toMatchObject([
      {
        code: 'service_stalled',
        variants: ['standard'],
        step: null,
        takes: 1,
        longestMs: 2100,
        medianMs: 100,
        hiddenCalls: 20,
        calls: 60,
      },
    ]);
  });

  it('the stall warning is absent for one slow take, for milliseconds, and where a p99 would not move', () => {
    expect(stalled(1000)).toEqual([]);
    expect(stalled(290, 60, 20)).toEqual([]);
    expect(stalled(2100, 2100)).toEqual([]);
  });

  it('the stall warning looks at each step of a sweep: the latencies of a larger one are no stalls of a smaller', () => {
    const { warnings } = analyse(sweepRun(), METRICS).analysis;
    expect(warnings.filter(({ code }) => code === 'service_stalled')).toEqual([]);
    const slow = { steps: [1, 64], concurrency: 64 };
    const samples = takes(120, (at) => ({
      totalMs: at < 60 ? 100 : 6400,
      trial: { phase: 'step', step: at < 60 ? 1 : 64, seed: (at % 2) + 1, repeat: at + 1 },
    }));
    expect(warned('service_stalled', { samples, load: slow })).toEqual([]);
  });
});
