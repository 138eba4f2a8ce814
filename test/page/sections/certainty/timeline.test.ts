import { parseHTML } from 'linkedom';
import { describe, expect, it } from 'vitest';
import { textOf } from '../../../../src/markup/markup.ts';
import { variantMarks } from '../../../../src/page/drawing/variant-mark.ts';
import { timelineSection } from '../../../../src/page/sections/certainty/timeline.ts';

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
  it('the timeline draws every take once, delivered or failed, and no warm-up', () => {
    const chart = drawn(scriptedRun(STEADY)).querySelector('.chart');
    expect(dotsIn(chart)).toHaveLength(6);
    expect(chart?.querySelectorAll('circle')).toHaveLength(0);
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

  it('the timeline lets a variant that slows down climb', () => {
    const slower = scriptedRun({
      ...STEADY,
      tell: (_, __, ___, repeat) => ok(500 * repeat),
    });
    const heights = dotsIn(drawn(slower).body).map(([, y]) => y);
    expect(heights).toEqual([...heights].sort((a, b) => b - a));
    expect(new Set(heights).size).toBe(3);
  });
});
