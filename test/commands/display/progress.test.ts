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
    const [, trouble, standard, fast] = progress.block(1000, { width: 200, lines: 20 });
    expect(trouble).toMatch(/^1 failure \(50\.0 %\), rate-limited 1 time/);
    expect(standard).toMatch(/^ {2}standard +2 \/ 4 +p50 250 ms +1 failure/);
    expect(fast).toMatch(/^ {2}fast +0 \/ 4$/);
    for (const line of progress.block(1000, { width: 30, lines: 20 })) expect(line.length).toBeLessThanOrEqual(30);
  });

  it('the progress display of more variants than lines shows the busiest ones, in their order, and counts the others', () => {
    const many = new Map(Array.from({ length: 40 }, (_, at) => [`m-${at}`, 2] as const));
    const progress = createProgress(
      many,
      createSpend(() => 'no_price', null, []),
    );
    const trialOf = (variant: string, repeat = 1) => ({ variant, repeat });
    for (const [name] of many) {
      progress.observe({ event: 'started', trial: buildTrial(trialOf(name)) });
      progress.observe({ event: 'ended', sample: buildOk(100, 'image', { trial: trialOf(name) }) });
    }
    progress.observe({ event: 'started', trial: buildTrial(trialOf('m-3', 2)) });
    progress.observe({ event: 'started', trial: buildTrial(trialOf('m-1', 2)) });
    progress.observe({ event: 'ended', sample: buildOk(100, 'image', { trial: trialOf('m-1', 2) }) });
    const lines = progress.block(1000, { width: 80, lines: 6 });
    expect(lines).toHaveLength(6);
    expect(lines.slice(1)).toEqual([
      '  m-3   1 / 2  p50 100 ms  1 in flight',
      '  m-37  1 / 2  p50 100 ms',
      '  m-38  1 / 2  p50 100 ms',
      '  m-39  1 / 2  p50 100 ms',
      '  36 more: 1 done, 35 not yet',
    ]);
  });
});
