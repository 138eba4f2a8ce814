import { describe, expect, it } from 'vitest';
import { analyse } from '../../../src/analysis/analyse.ts';
import { METRICS } from '../../../src/analysis/metrics.ts';
import { textOf } from '../../../src/markup/markup.ts';
import { variantMarks } from '../../../src/page/drawing/variant-mark.ts';
import { methodSection } from '../../../src/page/sections/details/method.ts';
import { numbersSection } from '../../../src/page/sections/side-by-side/side-by-side.ts';
import { indistinctVariants } from '../../../src/report/latency-statement.ts';
import { renderTerminal } from '../../../src/report/terminal.ts';
import { uncompared } from '../../fixtures/report-source.ts';
import { buildCalibration, buildOk, buildStoredRun } from '../../fixtures/stored-run-builder.ts';

/**
 * Variants with the median latency given, each with an interval of 10 ms and takes that do not trend, on a machine with
 * this floor; null where it was not calibrated.
 */
function analysisOf(medians: Readonly<Record<string, number>>, floorMs: number | null) {
  const names = Object.keys(medians);
  const record = buildStoredRun({
    variants: names.map((name) => ({ name })),
    samples: names.flatMap((variant, at) =>
      [-1, 4, -5, 5, -4, 1].map((off, repeat) =>
        buildOk((medians[variant] ?? 0) + off, variant, {
          startedMs: 10_000 * at + 1000 * repeat,
          trial: { variant, repeat: repeat + 1 },
        }),
      ),
    ),
  });
  const calibration = floorMs === null ? null : buildCalibration({ floorMs });
  return analyse({ ...record, run: { ...record.run, calibration } }, METRICS).analysis;
}

function sentencesOf(medians: Readonly<Record<string, number>>, floorMs: number | null): readonly string[] {
  const analysis = analysisOf(medians, floorMs);
  return indistinctVariants(analysis, analysis.variants);
}

describe('variants within the noise floor', () => {
  it('variants within the noise floor are named together, with the floor', () => {
    expect(sentencesOf({ standard: 200, fast: 100, 'fast-lcm': 98 }, 3)).toEqual([
      'The difference between fast-lcm and fast may come from this machine: their medians differ by less than its noise floor of 3.00 ms, and their intervals overlap.',
    ]);
  });

  it('a statement on the noise floor is absent where variants differ by it or more, or where the machine was not calibrated', () => {
    expect(sentencesOf({ standard: 200, fast: 100 }, 100)).toEqual([]);
    expect(sentencesOf({ standard: 200, fast: 200 }, null)).toEqual([]);
    expect(sentencesOf({ standard: 200 }, 1000)).toEqual([]);
  });

  it('a statement on the noise floor is absent where intervals are disjoint: then variants differ, whatever single calls do', () => {
    expect(sentencesOf({ a: 100, b: 150 }, 56)).toEqual([]);
    expect(sentencesOf({ a: 100, b: 109 }, 56)).toHaveLength(1);
  });

  it('variants within the noise floor are grouped so that all of a group are close, not only neighbours', () => {
    const groups = sentencesOf({ a: 100, b: 102, c: 104, d: 200 }, 3).map(
      (sentence) => sentence.split(/between | may/)[1],
    );
    expect(groups).toEqual(['a and b', 'b and c']);
    expect(sentencesOf({ a: 100, b: 101, c: 102, d: 200 }, 3)[0]).toMatch(/between a, b and c may/);
    expect(sentencesOf({ a: 100, b: 101, c: 102 }, 3)).toHaveLength(1);
  });

  it('variants within the noise floor are named on the terminal and on the page, beside their latencies', () => {
    const close = analysisOf({ 'fast\u001b[2J': 100, '<b>lcm</b>': 98 }, 3);
    const words = 'may come from this machine';
    const terminal = renderTerminal(uncompared(close), { colour: false, width: 200, hasPage: true });
    expect(terminal).toContain(words);
    expect(terminal).not.toContain('\u001b');
    const page = textOf(numbersSection(uncompared(close), variantMarks(close.variants)));
    expect(page).toContain(words);
    expect(page).not.toContain('<b>lcm');
    const apart = analysisOf({ fast: 100, lcm: 50 }, 3);
    expect(renderTerminal(uncompared(apart), { colour: false, width: 200, hasPage: true })).not.toContain(words);
    expect(textOf(numbersSection(uncompared(apart), variantMarks(apart.variants)))).not.toContain(words);
  });

  it('a statement on the noise floor is explained by the page, or said not to be measured', () => {
    expect(textOf(methodSection(analysisOf({ fast: 100 }, 3)))).toMatch(
      /Noise floor<\/dt><dd>3\.00 ms: .*in 950 ms before/s,
    );
    expect(textOf(methodSection(analysisOf({ fast: 100 }, null)))).toContain('Noise floor</dt><dd>not measured');
  });
});
