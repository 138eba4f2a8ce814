import { describe, expect, it } from 'vitest';
import { analysisDocumentSchema } from '../../src/analysis/analysis.ts';
import { json } from '../../src/report/reporters/json.ts';
import { rendered } from '../contracts/reporter.ts';
import { reported } from '../fixtures/report-source.ts';
import { ATTACKED, ORDINARY, scriptedRun, unsentRun } from '../fixtures/scripted-run.ts';

describe('analysis.json', () => {
  it.each([
    ['an ordinary run', scriptedRun(ORDINARY)],
    ['hostile text', scriptedRun(ATTACKED)],
    ['a run at concurrency 1', scriptedRun({ ...ORDINARY, concurrency: 1 })],
    ['a run that sent nothing', unsentRun(ORDINARY)],
  ])('analysis.json is the analysis with its comparisons, whole, and matches its schema: %s', async (_, record) => {
    const source = reported(record);
    const text = (await rendered(json, source)).get('analysis.json') ?? '';
    expect(JSON.parse(text)).toEqual({ ...source.analysis, comparisons: source.comparisons });
    expect(analysisDocumentSchema.safeParse(JSON.parse(text)).error).toBeUndefined();
  });

  it('analysis.json gives each element of a list a line of its own', async () => {
    const source = reported(scriptedRun(ORDINARY));
    const lines = ((await rendered(json, source)).get('analysis.json') ?? '').split('\n');
    expect(
      lines.filter((line) =>
        line.startsWith('    {"variant":"standard","kind":"text-to-image","prompt":"fox","seed":1'),
      ),
    ).toHaveLength(1);
    expect(lines.length).toBeGreaterThan(source.analysis.measures.length + source.analysis.cells.length);
  });
});
