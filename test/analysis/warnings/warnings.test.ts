import { describe, expect, it } from 'vitest';
import { analyse } from '../../../src/analysis/analyse.ts';
import { METRICS } from '../../../src/analysis/metrics.ts';
import type { Warning } from '../../../src/analysis/warning.ts';
import type { Sample } from '../../../src/record/journal.ts';
import { askedWarnings, foundIn } from '../../fixtures/asked-warnings.ts';
import {
  buildCalibration,
  buildFailure,
  buildOk,
  buildStoredRun,
  digestOf,
  type RunParts,
} from '../../fixtures/stored-run-builder.ts';

const analysed = (parts: RunParts) => analyse(buildStoredRun(parts), METRICS).analysis.warnings;
const warn = (parts: RunParts) => analysed(parts).map(foundIn);
const warned = (code: Warning['code'], parts: RunParts) => askedWarnings(analysed(parts), code);

/** `count` ok takes of a variant, over blocks 1 to `count`, each seed its own image. */
function ok(count: number, variant = 'standard'): Sample[] {
  return Array.from({ length: count }, (_, at) =>
    buildOk(100, `image ${at % 2}`, { startedMs: at * 1000, trial: { variant, seed: (at % 2) + 1, repeat: at + 1 } }),
  );
}

const SEEDS = [1, 2];
const WARM = buildOk(100, 'warm', { trial: { phase: 'warmup' } });

/* That what a record holds reaches the rules; what they make of it is in the tests beside this one. */

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
    });
    const causes = [ended, null].map((end) => analysed({ ...parts, segments: [{ started, ended: end }] })[0]?.cause);
    expect(causes).toEqual(['the limit of 5 requests was reached', expect.stringContaining('killed')]);
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
      { code: 'unfit_machine', variants: [], shards: [], reason },
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
        variants: ['standard'],
        failed: 4,
        takes: 63,
        outcome: 'error',
        errorCode: 'E7',
        httpStatus: 500,
      },
    ]);
  });

  it('the list of warnings says what was not examined', () => {
    expect(warned('not_decoded', { seeds: SEEDS, samples: [WARM, ...ok(59)], facts: [] })).toEqual([
      { code: 'not_decoded', variants: ['standard'], outputs: 59, media: 'image', reason: null },
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
      { code: 'not_warmed_up', variants: [] },
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
});
