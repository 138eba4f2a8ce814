import { expect, test } from 'vitest';
import { analyse } from '../../../src/analysis/analyse.ts';
import { METRICS } from '../../../src/analysis/metrics.ts';
import type { Sample } from '../../../src/record/journal.ts';
import { buildOk, buildStoredRun } from '../../fixtures/stored-run-builder.ts';

/** Jobs of about a second whose last poll that said not yet was sent so long before the one that said done. */
function polled(gapMs: number, polls = 3): Sample[] {
  return Array.from({ length: 12 }, (_, at): Sample => {
    const startedMs = at * 2000;
    const sample = buildOk(1000, 'image', { startedMs, polls, trial: { repeat: at + 1 } });
    if (sample.outcome !== 'ok') throw new Error('buildOk builds what is ok');
    const readyMs = startedMs + 990;
    const marks = { ...sample.marks, acceptedMs: startedMs + 10, lastPendingMs: readyMs - gapMs, readyMs };
    return { ...sample, marks };
  });
}

const analysed = (samples: readonly Sample[]) => analyse(buildStoredRun({ samples }), METRICS).analysis;
const coarse = (samples: readonly Sample[]) => analysed(samples).warnings.filter(({ code }) => code === 'coarse_polls');

test('polls further apart than a tenth of the median latency are warned of', () => {
  expect(coarse(polled(400))).toMatchObject([
    { code: 'coarse_polls', variant: 'standard', step: null, gapMs: 400, medianMs: 1000 },
  ]);
});

test('polls within a tenth of the median latency, and replies without polls, are not warned of', () => {
  expect(coarse(polled(90))).toEqual([]);
  expect(coarse(polled(400, 0))).toEqual([]);
});

test('a polled generation is measured at both of its ends', () => {
  const p50 = (samples: readonly Sample[], name: string) =>
    analysed(samples).measures.find(({ metric, statistic }) => metric === `latency.${name}` && statistic === 'p50');
  expect(p50(polled(400), 'generation_low')?.value).toBe(590);
  expect(p50(polled(400), 'generation')?.value).toBe(990);
  expect(p50(polled(400, 0), 'generation_low')).toBeUndefined();
});
