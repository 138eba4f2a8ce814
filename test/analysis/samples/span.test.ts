import { describe, expect, it } from 'vitest';
import { spanMs } from '../../../src/analysis/samples/sample-times.ts';
import { buildFailure, buildOk } from '../../fixtures/stored-run-builder.ts';

describe('spanMs', () => {
  it('spanMs counts a call that failed without a reply to its end', () => {
    const dropped = buildFailure('error', { startedMs: 100, afterMs: 1500, marks: { startedMs: 100, sentMs: 101 } });
    expect(spanMs([buildOk(100, 'image'), dropped])).toBe(1600);
  });

  it('spanMs counts the wait of a refused request from its first start', () => {
    expect(spanMs([buildOk(100, 'image', { startedMs: 900, throttleWaitMs: 400 })])).toBe(500);
  });

  it('spanMs is 0 for no samples', () => {
    expect(spanMs([])).toBe(0);
  });
});
