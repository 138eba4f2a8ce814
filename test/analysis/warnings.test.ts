import { describe, expect, it } from 'vitest';
import { analyse } from '../../src/analysis/analyse.ts';
import { METRICS } from '../../src/analysis/metrics.ts';
import type { Sample } from '../../src/record/sample.ts';
import { buildCalibration } from '../fixtures/calibration-builder.ts';
import { buildFailure, buildOk, digestOf } from '../fixtures/sample-builder.ts';
import { buildStoredRun, type RunParts } from '../fixtures/stored-run-builder.ts';
import { wordedWarnings } from '../fixtures/worded-warnings.ts';

const warn = (parts: RunParts) => wordedWarnings(analyse(buildStoredRun(parts), METRICS).analysis);
const whats = (parts: RunParts) => warn(parts).map(({ what }) => what);

/** `count` ok takes of a variant, over blocks 1 to `count`, each seed its own picture. */
function ok(count: number, variant = 'standard'): Sample[] {
  return Array.from({ length: count }, (_, at) =>
    buildOk(100, `picture ${at % 2}`, { startedMs: at * 1000, trial: { variant, seed: (at % 2) + 1, repeat: at + 1 } }),
  );
}

const SEEDS = [1, 2];
const WARM = buildOk(100, 'warm', { trial: { phase: 'warmup' } });

describe('warnings', () => {
  it('has nothing to say of a sound run of 59 takes', () => {
    expect(warn({ seeds: SEEDS, samples: [WARM, ...ok(59)] })).toEqual([]);
  });

  it('names cause and remedy in each', () => {
    const all = warn({
      variants: [{ plannedTrials: 50 }],
      repeats: 1,
      load: { warmup: 0 },
      samples: [...ok(3), buildFailure('error', { code: 'E1', httpStatus: 500, trial: { repeat: 9 } })],
    });
    expect(all.length).toBeGreaterThan(4);
    for (const { what, cause, remedy } of all) for (const text of [what, cause, remedy]) expect(text).toMatch(/\S/);
  });

  it('says why a run is incomplete, first of all', () => {
    const started = { event: 'segment', state: 'started', segment: 1, originAt: '2026-11-20T15:45:00.000Z' } as const;
    const stop = { reason: 'requests', limit: 5 } as const;
    const ended = { event: 'segment', state: 'ended', segment: 1, atMs: 1, stop } as const;
    const parts = { variants: [{ plannedTrials: 100 }], seeds: SEEDS, samples: [WARM, ...ok(60)] };
    expect(warn({ ...parts, segments: [{ started, ended }] })[0]).toMatchObject({
      what: 'the run is incomplete: 40 of 100 trials were not measured',
      cause: 'the limit of 5 requests was reached',
    });
    expect(warn({ ...parts, segments: [{ started, ended: null }] })[0]?.cause).toContain('killed');
  });

  it('names the variants that the machine could not measure, with the reason', () => {
    const reason = 'the reference service makes no video here: node-av, the package for video, is not installed';
    const leftOut = ['clip', 'clip-fast'].map((variant) => ({ variant, reason, optional: false }));
    expect(warn({ seeds: SEEDS, samples: [WARM, ...ok(59)], leftOut })).toMatchObject([
      { what: '2 variants of the suite left out: clip and clip-fast', cause: reason },
    ]);
  });

  it('repeats what calibration found against the machine', () => {
    const record = buildStoredRun({ seeds: SEEDS, samples: [WARM, ...ok(59)] });
    const unfit = [{ what: 'this machine saves power: it runs on its battery', cause: 'slow', remedy: 'plug it in' }];
    const run = { ...record.run, calibration: buildCalibration({ unfit }) };
    expect(analyse({ ...record, run }, METRICS).analysis.warnings).toEqual([
      { what: 'before the run, this machine saves power: it runs on its battery', cause: 'slow', remedy: 'plug it in' },
    ]);
  });

  it('warns of failures above 5 %, with the most frequent', () => {
    const failed = [1, 2, 3].map((at) =>
      buildFailure('error', { code: 'E7', httpStatus: 500, startedMs: 1e6 + at, trial: { repeat: 100 + at } }),
    );
    expect(warn({ seeds: SEEDS, samples: [WARM, ...ok(59), ...failed] })).toEqual([]);
    const more = [...failed, buildFailure('timed_out', { startedMs: 2e6, trial: { repeat: 200 } })];
    expect(warn({ seeds: SEEDS, samples: [WARM, ...ok(59), ...more] })).toMatchObject([
      {
        what: '4 of 63 takes of standard failed (6.3 %)',
        cause: 'most often error (E7), HTTP 500: 3 times; message: it was error',
      },
    ]);
  });

  it('warns when one variant brings nothing where another does', () => {
    const samples = [WARM, ...ok(80), ...ok(60, 'fast')];
    expect(whats({ seeds: SEEDS, samples })).toEqual(['20 of 80 pairs of fast and standard miss one side']);
  });

  it('names outputs that do not decode', () => {
    const samples = [WARM, ...ok(60), buildOk(100, 'torn', { startedMs: 1e6, trial: { repeat: 99 } })];
    const { facts } = buildStoredRun({ samples });
    const torn = {
      fact: 'output',
      sha256: digestOf('torn'),
      bytes: 4,
      mime: 'image/png',
      decodes: false,
      reason: { code: 'damaged', detail: 'the file ends early' },
    } as const;
    expect(warn({ seeds: SEEDS, samples, facts: [...facts, torn] })).toMatchObject([
      { what: '1 output of standard could not be decoded', cause: 'the file ends early' },
    ]);
  });

  it('says what was not examined', () => {
    expect(whats({ seeds: SEEDS, samples: [WARM, ...ok(59)], facts: [] })).toEqual([
      '59 outputs of standard were not decoded',
    ]);
  });

  it('says why video was not decoded, and how to have it decoded', () => {
    const samples = [WARM, ...ok(60)];
    const { facts } = buildStoredRun({ samples });
    const reason = { code: 'package_missing', package: 'node-av', needed: 'video' } as const;
    const blind = facts.flatMap((fact) => {
      if (fact.fact !== 'output') return [];
      const about = { fact: 'output', sha256: fact.sha256, bytes: fact.bytes, mime: 'video/mp4' } as const;
      return [{ ...about, decodes: null, reason } as const];
    });
    expect(warn({ seeds: SEEDS, samples, facts: blind })).toEqual([
      {
        what: '60 videos of standard were not decoded',
        cause: 'node-av, the package for video, is not installed',
        remedy: expect.stringMatching(/install Retake with its optional dependencies,.* judged by their bytes alone/),
      },
    ]);
  });

  it('says that a rate limit was met', () => {
    const throttled = buildOk(100, 'picture 0', {
      attempts: 3,
      throttleWaitMs: 2500,
      startedMs: 1e6,
      trial: { repeat: 99 },
    });
    expect(warn({ seeds: SEEDS, samples: [WARM, ...ok(59), throttled] })).toMatchObject([
      { what: '1 take of standard met a rate limit', cause: expect.stringContaining('2.5 s were spent waiting') },
    ]);
  });

  it('names the orders that bend a comparison, where there is something to compare', () => {
    const two = { seeds: SEEDS, samples: [WARM, ...ok(59), ...ok(59, 'fast')] };
    expect(whats({ ...two, load: { order: 'mixed' } })).toEqual(['contended: the variants ran beside each other']);
    expect(whats({ ...two, load: { order: 'sequential' } })).toEqual([
      'drift confounded: the variants ran one after the other',
    ]);
    expect(whats({ seeds: SEEDS, samples: [WARM, ...ok(59)], load: { order: 'sequential' } })).toEqual([]);
  });

  it('suspects a seed that changes nothing', () => {
    const samples = Array.from({ length: 60 }, (_, at) =>
      buildOk(100, 'always', { startedMs: at, trial: { seed: (at % 2) + 1, repeat: at + 1 } }),
    );
    expect(whats({ seeds: SEEDS, samples: [WARM, ...samples] })).toEqual([
      'standard gave the same bytes for different seeds (1 prompt)',
    ]);
  });

  it('says when nothing was warm', () => {
    expect(whats({ seeds: SEEDS, samples: ok(59), load: { warmup: 0 } })).toEqual(['nothing was warmed up']);
    const broken = buildFailure('error', { trial: { phase: 'warmup' } });
    expect(whats({ seeds: SEEDS, samples: [broken, ...ok(59)] })).toEqual(['no warm-up of standard delivered']);
  });

  it('counts flagged samples', () => {
    const late = buildOk(100, 'picture 0', { flags: ['harness_lag'], startedMs: 1e6, trial: { repeat: 99 } });
    expect(whats({ seeds: SEEDS, samples: [WARM, ...ok(59), late] })).toEqual([
      '1 sample of standard carries the flag harness_lag, in 1 block',
    ]);
  });

  it('says what a p95 and a statement on determinism still need', () => {
    expect(whats({ seeds: SEEDS, repeats: 1, samples: [WARM, ...ok(36)] })).toEqual([
      'determinism cannot be seen: each prompt and seed was taken once',
      'the p95 latency of standard (n = 36) has no interval',
    ]);
  });

  it('reports defects of our own', () => {
    const defect = buildFailure('defect', { startedMs: 1e6, trial: { repeat: 99 } });
    expect(whats({ seeds: SEEDS, samples: [WARM, ...ok(59), defect] })).toEqual(['1 trial broke inside Retake']);
  });
});
