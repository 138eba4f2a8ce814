import { describe, expect, it } from 'vitest';
import { analyse } from '../../../src/analysis/analyse.ts';
import { METRICS } from '../../../src/analysis/metrics.ts';
import type { Sample } from '../../../src/record/journal.ts';
import type { StoredRun } from '../../../src/record/kept-run.ts';
import { measureIn, rowOf } from '../../fixtures/measure-query.ts';
import { buildProbe, cacheProbe, probedRun } from '../../fixtures/probe-samples.ts';
import { buildFailure, buildOk, buildStoredRun } from '../../fixtures/stored-run-builder.ts';

/** Two seeds, three takes each; repeats take a tenth of the time. */
function measured(variant: string, firstMs: number, repeatMs: number, startsAt = 0): readonly Sample[] {
  return [1, 2, 3].flatMap((repeat) =>
    [1, 2].map((seed) =>
      buildOk(repeat === 1 ? firstMs : repeatMs, `${variant} ${seed}`, {
        trial: { variant, seed, repeat },
        startedMs: startsAt + 1000 * repeat + seed,
      }),
    ),
  );
}

const later = { startedMs: 1e5 };
const cached = cacheProbe({ totalMs: (repeat) => (repeat ? 20 : 200), ...later });

const warnings = (record: StoredRun) => analyse(record, METRICS).analysis.warnings;

describe('probes in the analysis', () => {
  it('samples of probes are in no other number', () => {
    const trials = measured('standard', 100, 100);
    const extra = [
      buildProbe({ kind: 'seed', role: 'other', base: 1 }, 'other', { ...later, trial: { seed: 9 }, totalMs: 9000 }),
      buildProbe({ kind: 'load', role: 'concurrent' }, 'concurrent', { ...later, totalMs: 9000 }),
    ];
    const [plain, probed] = [[], extra].map(
      (more) => analyse(probedRun({ seeds: [1, 2], samples: [...trials, ...more] }), METRICS).analysis,
    );
    const without = (name: string) => !/^(seed|cache|load)\./.test(name);
    expect(probed?.measures.filter(({ metric }) => without(metric))).toEqual(
      plain?.measures.filter(({ metric }) => without(metric)),
    );
    expect(probed?.cells).toEqual(plain?.cells);
    expect(probed?.variants).toEqual(plain?.variants);
    expect(probed?.flagged).toEqual(plain?.flagged);
  });

  it('a cache limits latency to first takes for every variant of the kind, and determinism is not testable', () => {
    const record = probedRun({
      seeds: [1, 2],
      samples: [...measured('standard', 200, 20), ...measured('fast', 100, 90, 10), ...cached],
    });
    const { analysis, samples } = analyse(record, METRICS);
    const timed = samples.filter((each) => each.timed).map(({ sample: { trial } }) => trial);
    expect(timed.map(({ variant, seed, repeat }) => [variant, seed, repeat])).toEqual(
      ['standard', 'fast'].flatMap((variant) => [1, 2].map((seed) => [variant, seed, 1])),
    );
    const find = (variant: string, metric: string, statistic: string) =>
      analysis.measures
        .map(rowOf)
        .find(
          (each) =>
            each.variant === variant && each.metric === metric && each.statistic === statistic && each.prompt === null,
        );
    expect(find('standard', 'latency.total', 'p50')).toMatchObject({ value: 200, n: 2 });
    expect(find('fast', 'latency.total', 'p50')).toMatchObject({ value: 100, n: 2 });
    expect(find('fast', 'latency.total', 'p50')?.note).toMatch(/;first_takes$/);
    expect(find('standard', 'determinism.byte', 'share')).toMatchObject({
      value: null,
      n: 0,
      ciLow: null,
      note: 'not_testable;cached',
    });
    expect(find('fast', 'determinism.byte', 'share')?.value).toBe(1);
    expect(find('standard', 'throughput', 'rate')?.note).toBe('cached_repeats');
    expect(find('standard', 'cache.effect', 'ratio')?.value).toBeCloseTo(10, 6);
    expect(find('standard', 'cache.effect', 'ratio')?.note).toMatch(/^cached;pairs=10;equal=10;p=/);
    expect(warnings(record)).toContainEqual(
      expect.objectContaining({ code: 'served_from_cache', variant: 'standard' }),
    );
  });

  it('an ignored seed is reported once', () => {
    const same = (seed: number, repeat: number) => buildOk(100, 'one', { trial: { seed, repeat } });
    const record = probedRun(
      {
        seeds: [1, 2],
        samples: [
          same(1, 1),
          same(1, 2),
          same(2, 1),
          same(2, 2),
          buildProbe({ kind: 'seed', role: 'other', base: 1 }, 'one', { ...later, trial: { seed: 9 } }),
        ],
      },
      { kinds: ['seed'] },
    );
    const told = warnings(record);
    expect(told.filter(({ code }) => code === 'seed_ignored')).toMatchObject([
      { variant: 'standard', seed: { otherSeeds: 2 } },
    ]);
    expect(told.filter(({ code }) => code === 'same_for_all_seeds')).toEqual([]);
    expect(measureIn(record, { metric: 'seed.effect', statistic: 'share' })).toMatchObject({
      value: 0,
      n: 2,
      note: 'ignored;takes=2;within_byte',
    });
  });

  it('a seed probe whose own requests failed says so, with how they did', () => {
    const lost = (role: 'other' | 'omitted', repeat: number) =>
      buildFailure('error', {
        code: 'E9',
        trial: {
          id: `${role} ${repeat}`,
          phase: 'probe',
          seed: role === 'other' ? 9 : null,
          repeat,
          probe: { kind: 'seed', role, base: 1 },
        },
      });
    const record = probedRun(
      {
        samples: [
          ...measured('standard', 100, 100).filter(({ trial }) => trial.seed === 1),
          lost('other', 1),
          lost('omitted', 1),
          lost('omitted', 2),
        ],
      },
      { kinds: ['seed'] },
    );
    expect(analyse(record, METRICS).analysis.probes[0]?.seed).toMatchObject({
      code: 'not_testable',
      takes: 3,
      reason: { code: 'requests_failed', failed: 1, sent: 1, outcome: 'error', error: 'E9' },
      omitted: { code: 'not_testable', reason: { code: 'requests_failed', failed: 2, sent: 2, error: 'E9' } },
    });
    expect(warnings(record).find(({ code }) => code === 'probe_not_testable')).toMatchObject({
      probe: 'seed',
      reason: { code: 'requests_failed', failed: 1, sent: 1, outcome: 'error', error: 'E9' },
    });
  });

  it('missing probes leave the run incomplete', () => {
    const record = probedRun(
      { samples: measured('standard', 100, 100), seeds: [1, 2] },
      { kinds: ['seed'], trials: 3 },
    );
    const { analysis } = analyse(record, METRICS);
    expect(analysis.run).toMatchObject({ complete: false, missingProbes: 3 });
    expect(warnings(record)[0]).toMatchObject({ code: 'incomplete', missing: 0, planned: 6, missingProbes: 3 });
  });

  it('a probe with nothing to test is listed with its reason', () => {
    const skippedProbes = [
      { probe: 'load', variant: 'standard', whole: true, reason: { code: 'concurrency_1' } },
    ] as const;
    const record = probedRun(
      { samples: measured('standard', 100, 100), seeds: [1, 2] },
      { kinds: ['load'], skippedProbes },
    );
    expect(measureIn(record, { metric: 'load.effect', statistic: 'share' })).toMatchObject({
      value: null,
      n: 0,
      note: 'not_testable;concurrency_1',
    });
    expect(warnings(record)).toContainEqual({
      code: 'probe_left_out',
      probe: 'load',
      whole: true,
      variants: ['standard'],
      reason: { code: 'concurrency_1' },
    });
  });

  it('a sample that the service calls cached carries the flag', () => {
    const [first, ...rest] = measured('standard', 100, 100);
    if (first === undefined) throw new Error('none was measured');
    const said = { ...first, reported: { ...first.reported, cached: true } };
    const record = buildStoredRun({ seeds: [1, 2], samples: [said, ...rest] });
    expect(analyse(record, METRICS).samples[0]?.flags).toEqual(['cached']);
    expect(warnings(record)).toContainEqual({
      code: 'flagged_samples',
      flag: 'cached',
      variants: ['standard'],
      samples: 1,
      blocks: 1,
    });
  });

  it('a cache that a probe found is warned of once, whatever the samples say', () => {
    const said = measured('standard', 200, 20).map((sample) => ({
      ...sample,
      reported: { ...sample.reported, cached: true },
    }));
    const codes = warnings(probedRun({ seeds: [1, 2], samples: [...said, ...cached] })).map(({ code }) => code);
    expect(codes).toContain('served_from_cache');
    expect(codes).not.toContain('flagged_samples');
  });
});
