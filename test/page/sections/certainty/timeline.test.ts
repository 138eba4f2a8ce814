import { parseHTML } from 'linkedom';
import { describe, expect, it } from 'vitest';
import { textOf } from '../../../../src/markup/markup.ts';
import { variantMarks } from '../../../../src/page/drawing/variant-mark.ts';
import { driftLines, type Stretch, timelineSection } from '../../../../src/page/sections/certainty/timeline.ts';

import type { Sample } from '../../../../src/record/journal.ts';
import { dotsIn, linesIn } from '../../../fixtures/drawn-marks.ts';
import { reported } from '../../../fixtures/report-source.ts';
import { failed, ORDINARY, ok, scriptedRun, type Telling } from '../../../fixtures/scripted-run.ts';

const STEADY: Telling = {
  ...ORDINARY,
  variants: ORDINARY.variants.slice(0, 1),
  prompts: ORDINARY.prompts.slice(0, 1),
  concurrency: 1,
  tell: (_, __, seed) => (seed === 2 ? failed('http_500', '', 500) : ok(1000)),
};

/** The same sample on the clock of a process that started five seconds later. */
function ofAnotherProcess(sample: Sample): Sample {
  const marks = Object.fromEntries(Object.entries(sample.marks).map(([name, ms]) => [name, ms - 5000]));
  return { ...sample, segment: 2, marks: { ...sample.marks, ...marks } } as Sample;
}

function drawn(record: ReturnType<typeof scriptedRun>): Document {
  const { analysis, samples } = reported(record);
  const section = textOf(timelineSection(analysis, samples, variantMarks(analysis.variants)));
  return parseHTML(`<!doctype html><html><body>${section}</body></html>`).document;
}

describe('the timeline', () => {
  it('the timeline joins no takes by a line that lie far apart in time', () => {
    const take = (startMs: number): Stretch => ({
      step: 4,
      startMs,
      endMs: startMs + 100,
      totalMs: 100,
      state: 'delivered',
      slowed: false,
      late: false,
      again: false,
    });
    const pass = (fromMs: number) => Array.from({ length: 12 }, (_, at) => take(fromMs + 110 * at));
    const lines = driftLines([...pass(0), ...pass(20_000), ...pass(21_320)]);
    expect(lines.map(({ length }) => length)).toEqual([4, 16]);
    expect(lines.flat().every(({ atMs }) => atMs < 1500 || atMs > 20_000)).toBe(true);
  });

  it('the timeline draws every request once: takes, warm-ups, failures', () => {
    const chart = drawn(scriptedRun(STEADY)).querySelector('.chart');
    expect(dotsIn(chart)).toHaveLength(6);
    expect(chart?.querySelectorAll('circle[stroke="var(--muted)"]')).toHaveLength(1);
    expect(chart?.querySelectorAll('svg[x] > path[stroke="var(--bad)"]')).toHaveLength(3);
    expect(linesIn(chart, '.stretched > [stroke="var(--bad)"]')).toHaveLength(3);
    expect(chart?.textContent).toContain('slowest 1.00 s   3 failed');
  });

  it('the timeline places what another process sent by the wall clock, not by that process’s own', () => {
    const whole = scriptedRun(STEADY);
    const resumed = {
      ...whole,
      samples: whole.samples.map((sample, at) => (at < 5 ? sample : ofAnotherProcess(sample))),
    };
    expect(dotsIn(drawn(resumed).body)).toEqual(dotsIn(drawn(whole).body));
    expect(dotsIn(drawn(whole).body)).toHaveLength(6);
  });

  it('the timeline marks the times in which starts were slowed, and says why', () => {
    const whole = scriptedRun(STEADY);
    const slowed = {
      ...whole,
      samples: whole.samples.map(
        (sample, at): Sample => ([2, 3, 6].includes(at) ? { ...sample, flags: ['slowed'] } : sample),
      ),
    };
    const [page, calm] = [drawn(slowed), drawn(whole)];
    expect(linesIn(calm.body, '[stroke="var(--warn)"]')).toHaveLength(0);
    expect(linesIn(page.body, '[stroke="var(--warn)"]')).toHaveLength(2);
    expect(page.querySelector('.fold .note')?.textContent).toContain('the service refused requests (rate limit)');
    expect(page.querySelector('.chart')?.textContent).toContain('3 slowed');
    expect(calm.body.textContent).not.toContain('rate limit');
  });

  it('the timeline lets a variant that slows down climb', () => {
    const slower = scriptedRun({
      ...STEADY,
      tell: (_, __, ___, repeat) => ok(500 * repeat),
    });
    const heights = dotsIn(drawn(slower).body).map(([, y]) => y);
    expect(heights).toEqual([...heights].sort((a, b) => b - a));
    expect(new Set(heights).size).toBe(3);
  });

  it('the timeline draws the drift of a variant as the median of nine takes in a row', () => {
    const many = scriptedRun({
      ...STEADY,
      repeats: 9,
      tell: (_, __, seed, repeat) => ok(100 * (seed + repeat)),
    });
    const document = drawn(many);
    expect(linesIn(document.body, 'path[stroke-opacity="0.5"]')).toHaveLength(1);
    expect(document.querySelector('.fold .note')?.textContent).toContain('median of nine takes in a row');
    expect(drawn(scriptedRun(STEADY)).body.textContent).not.toContain('nine takes');
  });

  it('the timeline marks takes that were timestamped late or sent again', () => {
    const whole = scriptedRun(STEADY);
    const marked = {
      ...whole,
      samples: whole.samples.map((sample): Sample => ({ ...sample, flags: ['harness_lag'], attempts: 2 })),
    };
    const page = drawn(marked);
    expect(drawn(whole).querySelectorAll('[r="4.5"]')).toHaveLength(0);
    expect(page.querySelectorAll('[r="4.5"]')).toHaveLength(6);
    expect(page.body.textContent).toContain('may have taken a timestamp late');
    expect(page.body.textContent).toContain('sent again after the service refused it');
  });
});
