import { describe, expect, it } from 'vitest';
import { analyse } from '../../src/analysis/analyse.ts';
import { whyIncomplete } from '../../src/analysis/incomplete.ts';
import { METRICS } from '../../src/analysis/metrics.ts';
import type { StoredRun } from '../../src/record/kept-run.ts';
import { measureIn, measuresIn } from '../fixtures/measure-query.ts';
import { openRun } from '../fixtures/scripted-load.ts';
import { ORDINARY, scriptedRun } from '../fixtures/scripted-run.ts';
import { buildOk, buildStoredRun } from '../fixtures/stored-run-builder.ts';
import { mergedFrom } from '../fixtures/stored-suite.ts';

/* A run that was merged from shards: several processes, each with a clock of its own, that measured at the same time. */

const ordinary = scriptedRun(ORDINARY);
const analysed = (record: StoredRun) => analyse(record, METRICS).analysis;

describe('a merged run', () => {
  it('the numbers of a merged run are those of the run that was not split, but for throughput and what depends on the order', () => {
    const merged = mergedFrom(ordinary, 3);
    for (const metric of ['latency.total', 'error_rate', 'determinism.pixel', 'cost.per_output']) {
      const values = (record: StoredRun) => measuresIn(record, metric).map(({ value, n }) => [value, n]);
      expect(values(merged)).toEqual(values(ordinary));
    }
    expect(analysed(merged).cells).toEqual(analysed(ordinary).cells);
  });

  it('the throughput of a merged run is empty in closed and in open load, and not the rate of one shard', () => {
    for (const record of [ordinary, openRun()]) {
      const query = { metric: 'throughput', statistic: 'rate' };
      expect(measuresIn(mergedFrom(record, 3), 'throughput').map(({ statistic, value }) => [statistic, value])).toEqual(
        record.run.variants.map(() => ['rate', null]),
      );
      expect(measureIn(mergedFrom(record, 3), query)).toMatchObject({ note: 'sharded' });
      expect(measureIn(mergedFrom(record, 1), query).note).not.toContain('sharded');
    }
  });

  it('the duration of a merged run is that of its longest shard', () => {
    const samples = [1, 2, 3].map((at) => buildOk(1000 * at, `${at}`, { startedMs: 0, trial: { prompt: `p${at}` } }));
    const record = buildStoredRun({ prompts: ['p1', 'p2', 'p3'], samples });
    const { run } = analysed(mergedFrom(record, 3));
    expect(run.durationMs).toBe(3000);
    expect(run.shards?.merged.map(({ durationMs }) => durationMs)).toEqual([1000, 2000, 3000]);
  });

  it('a merged run is incomplete for the shards that are missing, were killed or were stopped', () => {
    const interrupted = { reason: 'interrupted' } as const;
    const record = mergedFrom(ordinary, 4, {
      missing: [2],
      stops: [{ reason: 'finished' }, { reason: 'finished' }, null, interrupted],
    });
    const analysis = analysed(record);
    expect(analysis.run).toMatchObject({ complete: false, stop: null, shards: { of: 4, missing: [2] } });
    expect(whyIncomplete(analysis).shards).toEqual({
      of: 4,
      missing: [2],
      stopped: [
        { index: 3, stop: null },
        { index: 4, stop: interrupted },
      ],
    });
    expect(analysed(mergedFrom(ordinary, 4)).run).toMatchObject({ complete: true, stop: { reason: 'finished' } });
  });

  it('samples of a merged run are in the order of the plan, though each shard began with its own first slice', () => {
    const { samples } = analyse(mergedFrom(ordinary, 3), METRICS);
    const slices = samples.map(({ sample }) => sample.slice);
    expect(slices).toEqual([...slices].sort((a, b) => a - b));
    expect(new Set(samples.map(({ sample }) => sample.segment)).size).toBe(3);
  });
});
