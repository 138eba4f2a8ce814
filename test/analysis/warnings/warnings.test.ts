import { describe, expect, it } from 'vitest';
import { analyse } from '../../../src/analysis/analyse.ts';
import { METRICS } from '../../../src/analysis/metrics.ts';
import type { Warning } from '../../../src/analysis/warnings.ts';
import type { Sample } from '../../../src/record/journal.ts';
import { askedWarnings } from '../../fixtures/asked-warnings.ts';
import {
  buildCalibration,
  buildFailure,
  buildOk,
  buildStoredRun,
  digestOf,
  type RunParts,
} from '../../fixtures/stored-run-builder.ts';

const warn = (parts: RunParts) => analyse(buildStoredRun(parts), METRICS).analysis.warnings;
const warned = (code: Warning['code'], parts: RunParts) => askedWarnings(warn(parts), code);

/** `count` ok takes of a variant, over blocks 1 to `count`, each seed its own image. */
function ok(count: number, variant = 'standard'): Sample[] {
  return Array.from({ length: count }, (_, at) =>
    buildOk(100, `image ${at % 2}`, { startedMs: at * 1000, trial: { variant, seed: (at % 2) + 1, repeat: at + 1 } }),
  );
}

const SEEDS = [1, 2];
const WARM = buildOk(100, 'warm', { trial: { phase: 'warmup' } });

describe('warnings', () => {
  it('the list of warnings is empty for a sound run of 59 takes', () => {
    expect(warn({ seeds: SEEDS, samples: [WARM, ...ok(59)] })).toEqual([]);
  });

  it('the list of warnings says why a run is incomplete, first of all', () => {
    const started = { event: 'segment', state: 'started', segment: 1, originAt: '2026-11-20T15:45:00.000Z' } as const;
    const stop = { reason: 'requests', limit: 5 } as const;
    const seen = { orphans: 0, loopDelay: null };
    const ended = { event: 'segment', state: 'ended', segment: 1, atMs: 1, stop, ...seen } as const;
    const parts = { variants: [{ plannedTrials: 100 }], seeds: SEEDS, samples: [WARM, ...ok(60)] };
    expect(warn({ ...parts, segments: [{ started, ended }] })[0]).toMatchObject({
      code: 'incomplete',
      missing: 40,
      planned: 100,
      missingProbes: 0,
      stop,
      abandoned: [],
      shards: null,
    });
    expect(warn({ ...parts, segments: [{ started, ended: null }] })[0]).toMatchObject({ stop: null });
  });

  it('the list of warnings names the variants that the machine could not measure, with the reason', () => {
    const reason = { code: 'no_video_encoder', encoder: 'libx264' } as const;
    const leftOut = ['video', 'video-fast'].map((variant) => ({
      variant,
      twinOf: null,
      kind: 'text-to-video' as const,
      reason: { ...reason },
      optional: false,
    }));
    expect(warned('variants_left_out', { seeds: SEEDS, samples: [WARM, ...ok(59)], leftOut })).toEqual([
      { code: 'variants_left_out', variants: ['video', 'video-fast'], reason },
    ]);
  });

  it('the list of warnings repeats what calibration found against the machine', () => {
    const record = buildStoredRun({ seeds: SEEDS, samples: [WARM, ...ok(59)] });
    const reason = { code: 'saves_power', by: { code: 'battery' } } as const;
    const run = { ...record.run, calibration: buildCalibration({ unfit: [reason] }) };
    expect(askedWarnings(analyse({ ...record, run }, METRICS).analysis.warnings, 'unfit_machine')).toEqual([
      { code: 'unfit_machine', shards: null, reason },
    ]);
  });

  it('the list of warnings warns of failures above 5 %, with the most frequent', () => {
    const failed = [1, 2, 3].map((at) =>
      buildFailure('error', { code: 'E7', httpStatus: 500, startedMs: 1e6 + at, trial: { repeat: 100 + at } }),
    );
    expect(warned('many_failures', { seeds: SEEDS, samples: [WARM, ...ok(59), ...failed] })).toEqual([]);
    const more = [...failed, buildFailure('timed_out', { startedMs: 2e6, trial: { repeat: 200 } })];
    expect(warned('many_failures', { seeds: SEEDS, samples: [WARM, ...ok(59), ...more] })).toMatchObject([
      {
        code: 'many_failures',
        variant: 'standard',
        failed: 4,
        takes: 63,
        mostOften: { outcome: 'error', errorCode: 'E7', httpStatus: 500, count: 3, message: 'it was error' },
      },
    ]);
  });

  it('the list of warnings warns when one variant brings nothing where another does', () => {
    const samples = [WARM, ...ok(80), ...ok(60, 'fast')];
    expect(warned('missing_pairs', { seeds: SEEDS, samples })).toEqual([
      {
        code: 'missing_pairs',
        variant: 'fast',
        baseline: 'standard',
        pairs: 80,
        variantMissing: 20,
        baselineMissing: 0,
      },
    ]);
  });

  it('the list of warnings compares a variant with its twin too, and no twin with anything else', () => {
    const variants = [
      { name: 'standard', baseline: true },
      { name: 'fast' },
      { name: 'fast@baseline', twinOf: 'fast' },
      { name: 'standard@baseline', twinOf: 'standard' },
    ];
    const samples = [WARM, ...ok(80), ...ok(80, 'fast'), ...ok(60, 'fast@baseline'), ...ok(80, 'standard@baseline')];
    expect(warned('missing_pairs', { seeds: SEEDS, samples, variants })).toEqual([
      {
        code: 'missing_pairs',
        variant: 'fast',
        baseline: 'fast@baseline',
        pairs: 80,
        variantMissing: 0,
        baselineMissing: 20,
      },
    ]);
  });

  it('the list of warnings names outputs that do not decode', () => {
    const samples = [WARM, ...ok(60), buildOk(100, 'torn', { startedMs: 1e6, trial: { repeat: 99 } })];
    const { facts } = buildStoredRun({ samples });
    const torn = {
      fact: 'output',
      sha256: digestOf('torn'),
      bytes: 4,
      mime: 'image/png',
      decodes: false,
      reason: { code: 'not_decodable', detail: 'the file ends early' },
    } as const;
    expect(warned('undecodable_outputs', { seeds: SEEDS, samples, facts: [...facts, torn] })).toMatchObject([
      { code: 'undecodable_outputs', variants: ['standard'], outputs: 1, reason: torn.reason },
    ]);
  });

  it('the list of warnings says what was not examined', () => {
    expect(warned('not_decoded', { seeds: SEEDS, samples: [WARM, ...ok(59)], facts: [] })).toEqual([
      { code: 'not_decoded', variants: ['standard'], outputs: 59, media: 'image', reason: null },
    ]);
  });

  it('the list of warnings says why video was not decoded', () => {
    const samples = [WARM, ...ok(60)];
    const { facts } = buildStoredRun({ samples });
    const reason = { code: 'package_missing', package: 'node-av', needed: 'video' } as const;
    const blind = facts.flatMap((fact) => {
      if (fact.fact !== 'output') return [];
      const about = { fact: 'output', sha256: fact.sha256, bytes: fact.bytes, mime: 'video/mp4' } as const;
      return [{ ...about, decodes: null, reason } as const];
    });
    expect(warned('not_decoded', { seeds: SEEDS, samples, facts: blind })).toEqual([
      { code: 'not_decoded', variants: ['standard'], outputs: 60, media: 'video', reason },
    ]);
  });

  it('the list of warnings says why pairs of outputs were not compared, and leaves out pairs of no take', () => {
    const samples = [WARM, ...ok(60)];
    const { facts } = buildStoredRun({ samples });
    const [a = '', b = ''] = [digestOf('image 0'), digestOf('image 1')].sort();
    const pair = { fact: 'pair', compared: false, reason: { code: 'decoder_died' } } as const;
    const other = { ...pair, a: digestOf('x'), b: digestOf('y'), reason: { code: 'media_missing' } } as const;
    expect(warn({ seeds: SEEDS, samples, facts: [...facts, { ...pair, a, b }, other] })).toContainEqual({
      code: 'not_compared',
      variants: ['standard'],
      pairs: 1,
      reason: { code: 'decoder_died' },
    });
    expect(JSON.stringify(warn({ seeds: SEEDS, samples, facts: [...facts, other] }))).not.toContain('not_compared');
  });

  it('the list of warnings says that a rate limit was met', () => {
    const throttled = buildOk(100, 'image 0', {
      attempts: 3,
      throttleWaitMs: 2500,
      startedMs: 1e6,
      trial: { repeat: 99 },
    });
    expect(warned('rate_limited', { seeds: SEEDS, samples: [WARM, ...ok(59), throttled] })).toMatchObject([
      { code: 'rate_limited', variants: ['standard'], trials: 1, waitedMs: 2500 },
    ]);
  });

  it('the list of warnings names the orders that bend a comparison, where there is something to compare', () => {
    const two = { seeds: SEEDS, samples: [WARM, ...ok(59), ...ok(59, 'fast')] };
    expect(warned('contended', { ...two, load: { order: 'mixed' } })).toEqual([{ code: 'contended' }]);
    expect(warned('drift_confounded', { ...two, load: { order: 'sequential' } })).toEqual([
      { code: 'drift_confounded', mode: 'closed' },
    ]);
    expect(
      warned('drift_confounded', { seeds: SEEDS, samples: [WARM, ...ok(59)], load: { order: 'sequential' } }),
    ).toEqual([]);
  });

  it('the list of warnings suspects a seed that changes nothing', () => {
    const samples = Array.from({ length: 60 }, (_, at) =>
      buildOk(100, 'always', { startedMs: at, trial: { seed: (at % 2) + 1, repeat: at + 1 } }),
    );
    expect(warned('same_for_all_seeds', { seeds: SEEDS, samples: [WARM, ...samples] })).toEqual([
      { code: 'same_for_all_seeds', unfit: 'comparison', variants: ['standard'], prompts: 1, ofPrompts: 1 },
    ]);
  });

  it('the list of warnings says when nothing was warm', () => {
    expect(warned('not_warmed_up', { seeds: SEEDS, samples: ok(59), load: { warmup: 0 } })).toEqual([
      { code: 'not_warmed_up' },
    ]);
    const broken = buildFailure('error', { trial: { phase: 'warmup' } });
    expect(warned('warmup_failed', { seeds: SEEDS, samples: [broken, ...ok(59)] })).toEqual([
      { code: 'warmup_failed', variants: ['standard'] },
    ]);
  });

  it('the list of warnings counts flagged samples', () => {
    const late = buildOk(100, 'image 0', { flags: ['harness_lag'], startedMs: 1e6, trial: { repeat: 99 } });
    expect(warned('flagged_samples', { seeds: SEEDS, samples: [WARM, ...ok(59), late] })).toEqual([
      { code: 'flagged_samples', flag: 'harness_lag', variants: ['standard'], samples: 1, blocks: 1 },
    ]);
  });

  it('the list of warnings says what a statement on determinism still needs, and takes few takes for no fault', () => {
    expect(warned('single_takes', { seeds: SEEDS, repeats: 1, samples: [WARM, ...ok(36)] })).toEqual([
      { code: 'single_takes' },
    ]);
  });

  it('the list of warnings reports defects of our own', () => {
    const defect = buildFailure('defect', { startedMs: 1e6, trial: { repeat: 99 } });
    expect(warned('defects', { seeds: SEEDS, samples: [WARM, ...ok(59), defect] })).toEqual([
      { code: 'defects', trials: 1 },
    ]);
  });
});
