import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Analysis, Measure } from '../../src/analysis/analysis.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { onlyRun, retake, serveReference } from '../fixtures/retake-process.ts';

/* What a run says of a service that departs from an honest one, against the service's own account of what it did. */

const SUITE = `suite: 1
name: departures
variants:
  fast-lcm: { target: reference/text-to-image, const: { model: fast-lcm } }
prompts: [A red fox, A lighthouse]
seeds: [1, 2]
repeats: 5
load: { warmup: 0 } # one at a time: which of the service's calls depart is the same each time
reports: [json, csv, html]
`;

interface Told {
  readonly analysis: Analysis;
  readonly stdout: string;
  readonly of: (metric: string, statistic: string) => Measure;
  /** How often each rule of the service fired. */
  readonly fired: Readonly<Record<string, number>>;
}

async function runAgainst(rule: string): Promise<Told> {
  const service = await serveReference([rule]);
  const folder = freshFolder();
  writeFileSync(join(folder, 'suite.yaml'), SUITE);
  const { code, stdout, stderr } = await retake(['run', 'suite.yaml'], folder, service.env);
  const { behaviours } = await service.stats();
  await service.close();
  expect(stderr).not.toMatch(/defect/);
  expect(code).toBe(0);
  const analysis: Analysis = JSON.parse(readFileSync(join(onlyRun(join(folder, 'results')), 'analysis.json'), 'utf8'));
  const of = (metric: string, statistic: string): Measure => {
    const found = analysis.measures.find(
      (each) => each.metric === metric && each.statistic === statistic && each.prompt === null,
    );
    if (found === undefined) throw new Error(`no ${metric} ${statistic}`);
    return found;
  };
  return { analysis, stdout, of, fired: behaviours };
}

describe('what a run says of', () => {
  it('a run whose metadata differ says that every pixel is the same, with the bound', async () => {
    const { analysis, stdout, of } = await runAgainst('{ metadata_noise: }');
    expect(of('determinism.byte', 'departure').value).toBe(16 / 20);
    expect(of('determinism.pixel', 'departure')).toMatchObject({
      value: 0,
      n: 16,
      method: 'clopper_pearson_upper',
      // 1 - 0.05^(1/16)
      ciHigh: expect.closeTo(0.17075, 4),
    });
    expect(analysis.cells.map(({ byte, level, layer }) => [byte, level, layer])).toEqual(
      Array(4).fill(['differs', 'pixel', 'metadata']),
    );
    expect(stdout).toMatch(/^ fast-lcm\b[\s\S]*? 4\/4 pixels/m);
  });

  it('a run with two output groups shows two images for each seed, with their shares', async () => {
    const { analysis, of, fired } = await runAgainst('{ name: other, when: { every: 2 }, mismatch: }');
    expect(fired.other).toBe(10);
    for (const { outputGroups, level } of analysis.cells) {
      expect(level).toBe('different');
      expect(outputGroups.reduce((sum, { takes }) => sum + takes, 0)).toBe(5);
    }
    expect(of('determinism.pixel', 'unstable').value).toBe(1);
    expect(of('determinism.similar', 'departure').value).toBeGreaterThan(0.2);
  });

  it('a run with few departures says how many there were, and no bound', async () => {
    const { of, fired } = await runAgainst('{ name: other, when: { probability: 0.15 }, mismatch: }');
    const departed = fired.other ?? 0;
    expect(departed).toBeGreaterThan(0);
    expect(of('determinism.pixel', 'departure')).toMatchObject({ value: departed / 20, ciHigh: null });
  });

  it('a run with one bit changed says nearly the same, no more and no less', async () => {
    const { analysis, stdout, of } = await runAgainst('{ when: { every: 5 }, one_bit: }');
    expect(of('determinism.pixel', 'departure').value).toBe(4 / 20);
    expect(of('determinism.near', 'departure')).toMatchObject({ value: 0, ciLow: 0 });
    const farthest = analysis.cells.flatMap((cell) => cell.farthest?.samples?.maxDifference ?? []);
    expect(new Set(farthest)).toEqual(new Set([1 / 255]));
    expect(stdout).toMatch(/4\/4 near/);
  });

  it('a run with blank images suspects moderation, in block_rate and in no latency', async () => {
    const { analysis, of, fired } = await runAgainst(
      '{ name: black, when: { prompt: fox, every: 2 }, moderation: { answer: blank } }',
    );
    const blank = fired.black ?? 0;
    expect(blank).toBe(5);
    expect(of('block_rate', 'rate')).toMatchObject({ value: 5 / 20, n: 20 });
    expect(of('error_rate', 'rate').value).toBe(0);
    expect(of('latency.total', 'p50').n).toBe(15);
    expect(of('determinism.pixel', 'departure').value).toBe(0);
    expect(analysis.warnings).toContainEqual({
      code: 'blank_outputs',
      variant: 'fast-lcm',
      outputs: 5,
      prompts: 1,
      media: 'image',
    });
  });
});
