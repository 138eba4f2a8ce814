import { parseHTML } from 'linkedom';
import { describe, expect, it } from 'vitest';
import { textOf } from '../../../../src/markup/markup.ts';
import { variantMarks } from '../../../../src/page/drawing/variant-mark.ts';
import { driftPoints, type Stretch } from '../../../../src/page/sections/certainty/stretches.ts';
import { timelineSection } from '../../../../src/page/sections/certainty/timeline.ts';
import type { Sample } from '../../../../src/record/journal.ts';
import { reported } from '../../../fixtures/report-source.ts';
import { ORDINARY, scriptedRun, type Telling } from '../../../fixtures/scripted-run.ts';

const STEADY: Telling = {
  ...ORDINARY,
  variants: ORDINARY.variants.slice(0, 1),
  prompts: ORDINARY.prompts.slice(0, 1),
  concurrency: 1,
  tell: (_, __, seed) =>
    seed === 2
      ? { outcome: 'error', totalMs: 300, code: 'http_500', message: '', httpStatus: 500 }
      : { outcome: 'ok', totalMs: 1000, output: 0 },
};

/** The same sample on the clock of a process that started five seconds later. */
function ofAnotherProcess(sample: Sample): Sample {
  const marks = Object.fromEntries(Object.entries(sample.marks).map(([name, ms]) => [name, ms - 5000]));
  return { ...sample, segment: 2, marks: { ...sample.marks, ...marks } } as Sample;
}

function steady(): Parameters<typeof timelineSection> {
  const { analysis, samples } = reported(scriptedRun(STEADY));
  return [analysis, samples, variantMarks(analysis.variants)];
}

function numbers(record: ReturnType<typeof scriptedRun>, selector: string, attribute: string): readonly number[] {
  const { analysis, samples } = reported(record);
  const { document } = parseHTML(textOf(timelineSection(analysis, samples, variantMarks(analysis.variants))));
  return [...document.querySelectorAll(`.wide ${selector}`)].map((node) => Number(node.getAttribute(attribute)));
}

describe('the timeline', () => {
  it('the timeline joins no takes by a line that lie far apart in time', () => {
    const take = (startMs: number): Stretch => ({
      row: 0,
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
    const points = driftPoints([...pass(0), ...pass(20_000), ...pass(21_320)]);
    const lines = [...new Set(points.map(({ line }) => line))];
    expect(lines.map((line) => points.filter((point) => point.line === line).length)).toEqual([4, 16]);
    expect(points.every(({ atMs }) => atMs < 1500 || atMs > 20_000)).toBe(true);
  });

  it('the timeline draws every request once: takes, warm-ups, failures', () => {
    const { analysis, samples } = reported(scriptedRun(STEADY));
    const { document } = parseHTML(textOf(timelineSection(analysis, samples, variantMarks(analysis.variants))));
    const wide = document.querySelector('.wide');
    expect(wide?.querySelectorAll('circle[r="2.2"]')).toHaveLength(6);
    expect(wide?.querySelectorAll('[stroke="var(--muted)"] > circle')).toHaveLength(1);
    expect(wide?.querySelectorAll('[stroke="var(--bad)"] > path')).toHaveLength(6);
    expect(wide?.textContent).toContain('slowest 1.00 s   3 failed');
  });

  it('the timeline places what another process sent by the wall clock, not by that process’s own', () => {
    const whole = scriptedRun(STEADY);
    const resumed = {
      ...whole,
      samples: whole.samples.map((sample, at) => (at < 5 ? sample : ofAnotherProcess(sample))),
    };
    const dots = 'circle[r="2.2"]';
    expect(numbers(resumed, dots, 'cx')).toEqual(numbers(whole, dots, 'cx'));
  });

  it('the timeline marks the times in which starts were slowed, and says why', () => {
    const whole = scriptedRun(STEADY);
    const slowed = {
      ...whole,
      samples: whole.samples.map(
        (sample, at): Sample => ([2, 3, 6].includes(at) ? { ...sample, flags: ['slowed'] } : sample),
      ),
    };
    const bars = '[stroke="var(--warn)"] > path';
    expect(numbers(whole, bars, 'd')).toHaveLength(0);
    expect(numbers(slowed, bars, 'd')).toHaveLength(2);
    const { analysis, samples } = reported(slowed);
    const { document } = parseHTML(textOf(timelineSection(analysis, samples, variantMarks(analysis.variants))));
    expect(document.querySelector('.fold .note')?.textContent).toContain('the service refused requests (rate limit)');
    expect(document.querySelector('.wide')?.textContent).toContain('3 slowed');
    const calm = reported(whole);
    expect(textOf(timelineSection(calm.analysis, calm.samples, variantMarks(calm.analysis.variants)))).not.toContain(
      'rate limit',
    );
  });

  it('the timeline lets a variant that slows down climb', () => {
    const slower = scriptedRun({
      ...STEADY,
      tell: (_, __, ___, repeat) => ({ outcome: 'ok', totalMs: 500 * repeat, output: 0 }),
    });
    const heights = numbers(slower, 'circle[r="2.2"]', 'cy');
    expect(heights).toEqual([...heights].sort((a, b) => b - a));
    expect(new Set(heights).size).toBe(3);
  });

  it('the timeline draws the drift of a variant as the median of nine takes in a row', () => {
    const many = scriptedRun({
      ...STEADY,
      repeats: 9,
      tell: (_, __, seed, repeat) => ({ outcome: 'ok', totalMs: 100 * (seed + repeat), output: 0 }),
    });
    const { analysis, samples } = reported(many);
    const { document } = parseHTML(textOf(timelineSection(analysis, samples, variantMarks(analysis.variants))));
    expect(
      document.querySelectorAll('.wide [stroke-opacity="0.5"] path, .wide path[stroke-opacity="0.5"]'),
    ).toHaveLength(1);
    expect(document.querySelector('.fold .note')?.textContent).toContain('median of nine takes in a row');
    expect(textOf(timelineSection(...steady()))).not.toContain('nine takes');
  });

  it('the timeline marks takes that were timestamped late or sent again', () => {
    const whole = scriptedRun(STEADY);
    const marked = {
      ...whole,
      samples: whole.samples.map((sample): Sample => ({ ...sample, flags: ['harness_lag'], attempts: 2 })),
    };
    expect(numbers(whole, '[r="4.5"]', 'cx')).toHaveLength(0);
    expect(numbers(marked, '[r="4.5"]', 'cx')).toHaveLength(6);
    const { analysis, samples } = reported(marked);
    const page = textOf(timelineSection(analysis, samples, variantMarks(analysis.variants)));
    expect(page).toContain('may have taken a timestamp late');
    expect(page).toContain('sent again after the service refused it');
  });
});
