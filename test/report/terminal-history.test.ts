import { describe, expect, it } from 'vitest';
import { METRICS } from '../../src/analysis/metrics.ts';
import { trendOf } from '../../src/analysis/series.ts';
import { textWidth } from '../../src/kit/text-width.ts';
import type { HistoryLine } from '../../src/record/kept-run.ts';
import { renderHistory } from '../../src/report/terminal-history.ts';
import { nightLine, twoVariants } from '../fixtures/history-lines.ts';
import { reviewed } from '../fixtures/reviewed.ts';

function rendered(lines: readonly HistoryLine[], metrics: readonly string[] | null = null, width = 80): string {
  const trend = trendOf('nightly', lines, { metrics: METRICS, baseFrom: null });
  return renderHistory(trend, { colour: false, width, metrics });
}

const linesOf = (...given: Parameters<typeof rendered>) => rendered(...given).split('\n');

reviewed('histories', {
  'a change': () => linesOf(twoVariants(14, 10)),
  'a metric that is asked for': () => linesOf(twoVariants(14, 10), ['latency.download']),
  'no change': () => linesOf(twoVariants(20, Infinity)),
  'no change in as few as can show one': () => linesOf(twoVariants(10, Infinity)),
  'too few to show a change': () => linesOf(twoVariants(7, Infinity)),
  'too few for a base': () => linesOf(twoVariants(3, Infinity)),
  'no complete run': () => linesOf(twoVariants(2, Infinity).map((line) => ({ ...line, complete: false }))),
  // A bar holds several runs, and changes are looked for in the last ones.
  'a year': () => linesOf(twoVariants(365, 300)),
});

describe('the history in a terminal', () => {
  it.each([40, 60, 80])('a terminal of %i columns: gets no longer line', (width) => {
    for (const nights of [30, 365])
      expect(Math.max(...linesOf(twoVariants(nights, 20), null, width).map(textWidth))).toBeLessThanOrEqual(width);
  });

  it('names that are hostile: have their control characters spelled out', () => {
    const text = rendered([nightLine(0, { 'a\u001b[31mb': { cellsMs: [1] } }, { run: 'night\u202e' })]);
    expect(text).toContain('a\\u001b[31mb');
    expect(text).not.toContain('\u001b');
  });
});
