import { describe, expect, it } from 'vitest';
import { assess } from '../../src/analysis/assess.ts';
import { metricsOf } from '../../src/analysis/metrics.ts';
import { groupSentence } from '../../src/report/comparison-statement.ts';
import { chance, ORDINARY, scriptedRun } from '../fixtures/scripted-run.ts';
import { buildCalibration } from '../fixtures/stored-run-builder.ts';

/**
 * `fast` against `standard` by total latency, where fast always takes `more` milliseconds longer and cells vary by 100
 * ms; `hangs`: of one prompt and repeat it times out.
 */
function compared(more: number, floorMs: number | null, hangs = false) {
  const record = scriptedRun({
    ...ORDINARY,
    variants: ORDINARY.variants.slice(0, 2),
    concurrency: 1,
    tell: (variant, prompt, seed, repeat) =>
      hangs && variant === 'fast' && prompt === 'fox' && repeat === 1
        ? { outcome: 'timed_out', totalMs: 20_000, code: 'timeout', message: '', httpStatus: null }
        : { outcome: 'ok', totalMs: 1000 + 100 * chance(prompt, seed) + (variant === 'fast' ? more : 0), output: 0 },
  });
  const calibration = floorMs === null ? null : buildCalibration({ floorMs });
  const { comparisons } = assess({ ...record, run: { ...record.run, calibration } }, metricsOf([]));
  const found = comparisons.find(({ metric, scope }) => metric === 'latency.total' && scope.of === 'blocks');
  if (found === undefined) throw new Error('nothing was compared');
  return { codes: found.notes.map(({ code }) => code), finding: found.finding, sentence: groupSentence([found]) };
}

describe('a comparison and the noise floor', () => {
  it('a significant difference below the noise floor is told, and said to be less than it', () => {
    const { codes, finding, sentence } = compared(5, 10);
    expect(finding).toBe('higher');
    expect(codes).toContain('below_noise_floor');
    expect(sentence).toMatch(
      /^fast takes 1\.00\d+x as long as standard \[.*\], by less than this machine's noise, slower in 12 of 12 pairs$/,
    );
  });

  it('a comparison beyond the noise floor, or without a calibration, is said as it was found', () => {
    for (const floorMs of [1, null]) {
      const { codes, sentence } = compared(5, floorMs);
      expect(codes).not.toContain('below_noise_floor');
      expect(sentence).toMatch(/^fast takes 1\.00\d+x as long as standard/);
    }
  });

  it('a comparison with a take that timed out is not within the noise floor, whatever its estimate', () => {
    expect(compared(5, 10, true).codes).not.toContain('below_noise_floor');
  });

  it('a comparison of medians with intervals that do not overlap is not within the noise floor', () => {
    expect(compared(150, 200).codes).not.toContain('below_noise_floor');
  });
});
