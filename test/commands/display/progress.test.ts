import { describe, expect, it } from 'vitest';
import { createProgress } from '../../../src/commands/display/progress.ts';
import { createSpend } from '../../../src/commands/display/spend.ts';
import { buildFailure, buildOk } from '../../fixtures/sample-builder.ts';
import { buildTrial } from '../../fixtures/trial-builder.ts';

const totals = new Map([
  ['standard', 4],
  ['fast', 4],
]);

describe('progress', () => {
  it('the progress display says how many are done and in flight, how fast, and what is left', () => {
    const progress = createProgress(
      totals,
      createSpend(() => 'no_price', null, []),
    );
    expect(progress.line(0)).toBe('0 / 8, 0 in flight');
    for (const repeat of [1, 2]) {
      progress.observe({ event: 'started', trial: buildTrial({ repeat }) });
      progress.observe({ event: 'ended', sample: buildOk(100, 'image', { trial: { repeat } }) });
    }
    progress.observe({ event: 'started', trial: buildTrial({ repeat: 3 }) });
    expect(progress.line(1000)).toMatch(/^2 \/ 8, 1 in flight, \d+\.\d\d \/ s, about .+ left$/);
  });

  it('the progress display shows failures, refusals and the median so far for each variant, cut to the width', () => {
    const progress = createProgress(
      totals,
      createSpend(() => 'no_price', null, []),
    );
    progress.observe({ event: 'started', trial: buildTrial() });
    const attempt = { attempt: 1, httpStatus: 429, waitMs: 10, atMs: 1 };
    progress.observe({ event: 'refused', trial: buildTrial(), attempt });
    progress.observe({ event: 'ended', sample: buildFailure('error') });
    progress.observe({ event: 'started', trial: buildTrial() });
    progress.observe({ event: 'ended', sample: buildOk(250, 'image') });
    const [summary, standard, fast] = progress.block(1000, 200);
    expect(summary).toMatch(/1 failure \(50\.0 %\), rate-limited 1 time/);
    expect(standard).toMatch(/standard +2 \/ 4 +p50 250 ms +1 failure/);
    expect(fast).toMatch(/fast +0 \/ 4$/);
    for (const line of progress.block(1000, 30)) expect(line.length).toBeLessThan(30);
  });
});
