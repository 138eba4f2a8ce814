import { describe, expect, it } from 'vitest';
import { METRICS } from '../../src/analysis/metrics.ts';
import { trendOf } from '../../src/analysis/series.ts';
import { textWidth } from '../../src/kit/text-width.ts';
import type { HistoryLine } from '../../src/record/kept-run.ts';
import { renderHistory } from '../../src/report/terminal-history.ts';
import { nightLine, twoVariants } from '../fixtures/history-lines.ts';

function rendered(lines: readonly HistoryLine[], metrics: readonly string[] | null = null, width = 80): string {
  const trend = trendOf('nightly', lines, { metrics: METRICS, baseFrom: null });
  return renderHistory(trend, { colour: false, width, metrics });
}

describe('the history in a terminal', () => {
  it('a change: is in the strip, beside the last value and the base, and in a sentence', () => {
    const text = rendered(twoVariants(14, 10));
    expect(text).toMatch(/^nightly {2}14 runs from 2026-01-01 to 2026-01-14\nGate: 14 passed\.\n/);
    expect(text).toMatch(/\nText to image: latency\.total\n +last +change +runs +trend\n/);
    expect(text).toMatch(/\nfast +1\.2\d s +1\.\d\dx +14 +[▁▂]{10}[▇█]{4}\n +usual 0\.\d\d–1\.\d\dx\n/);
    expect(text).toMatch(/\nstandard +2\.\d\d s +1\.0\dx|0\.9\dx +14 +[▁▂▃]{14}\n/);
    expect(text).toMatch(
      /\nChanges\nlatency\.total of fast rose to 1\.\d\dx .* with run night-10, the\n11th of 14\.\n/,
    );
    expect(text).toContain('and 1 change of other metrics: --metric NAME shows one,');
  });

  it('a service that stays unchanged: is said to have no change, where there are runs enough to find one', () => {
    expect(rendered(twoVariants(20, Infinity))).toContain('\n\nNo change found.\n');
    expect(rendered(twoVariants(10, Infinity))).toContain('No change found.');
    const few = rendered(twoVariants(7, Infinity));
    expect(few).toContain('\n\nToo few runs to tell (7 of 10).\n');
    expect(few).not.toContain('No change');
  });

  it('a metric that is asked for: is shown alone', () => {
    const text = rendered(twoVariants(14, 10), ['latency.download']);
    expect(text).toContain('Text to image: latency.download');
    expect(text).not.toContain('latency.total\n');
    expect(text).toMatch(/\nlatency\.download of fast rose to /);
  });

  it('few runs: have no column of changes, and the legend says how many it needs', () => {
    const text = rendered(twoVariants(3, Infinity));
    expect(text).toMatch(/\n +last +runs +trend\n/);
    expect(text).toContain('A change against earlier runs needs 10 comparable');
    expect(text).not.toContain('Changes');
  });

  it('a year of runs: stays within 80 columns, and says how many runs a bar holds and where changes are looked for', () => {
    const text = rendered(twoVariants(365, 300));
    expect(Math.max(...text.split('\n').map(textWidth))).toBeLessThanOrEqual(80);
    expect(text.replaceAll('\n', ' ')).toContain('each bar is the mean of up to 13 runs');
    expect(text.replaceAll('\n', ' ')).toContain('Changes are looked for in the last 200 runs.');
    expect(text).toContain('with run night-300');
  });

  it.each([40, 60])('a terminal of %i columns: gets no longer line', (width) => {
    const text = rendered(twoVariants(30, 20), null, width);
    expect(Math.max(...text.split('\n').map(textWidth))).toBeLessThanOrEqual(width);
  });

  it('a history without a series: says so', () => {
    const lines = twoVariants(2, Infinity).map((line) => ({ ...line, complete: false }));
    const text = rendered(lines);
    expect(text).toContain('No complete run has a value that can be followed; a sweep never has one.');
    expect(text).toContain('Left out: 2 incomplete runs (night-1 and night-0).');
  });

  it('names that are hostile: have their control characters spelled out', () => {
    const text = rendered([nightLine(0, { 'a\u001b[31mb': { cellsMs: [1] } }, { run: 'night\u202e' })]);
    expect(text).toContain('a\\u001b[31mb');
    expect(text).not.toContain('\u001b');
  });
});
