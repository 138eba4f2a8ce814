import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import type { Analysis } from '../../src/analysis/analysis.ts';
import type { Measure } from '../../src/analysis/summaries.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { onlyRun, retakeHere, serveHere } from '../fixtures/retake-process.ts';

/* What a run says of services that depart from an honest one, against the services' own account of what they did. */

/** Each has a service of its own, whose calls come one at a time: which of them depart is the same each time. */
const DEPARTURES = {
  metadata: '{ metadata_noise: }',
  two_groups: '{ name: other, when: { every: 2 }, mismatch: }',
  few: '{ name: other, when: { probability: 0.15 }, mismatch: }',
  one_bit: '{ when: { every: 5 }, one_bit: }',
  blank: '{ name: black, when: { prompt: fox, every: 2 }, moderation: { answer: blank } }',
} as const;
type Variant = keyof typeof DEPARTURES;

const TAKES = 10;
const suiteOf = (urls: readonly (readonly [string, string])[]) => `suite: 1
name: departures
variants:
${urls.map(([name, url]) => `  ${name}: { target: reference/text-to-image, const: { model: fast-lcm }, base_url: '${url}' }\n`).join('')}prompts: [A red fox, A lighthouse]
seeds: [1]
repeats: 5
load: { warmup: 0 }
reports: [json, csv, html]
`;

let analysis: Analysis;
let stdout: string;
/** How often the rules of each service fired. */
const fired: Partial<Record<Variant, Readonly<Record<string, number>>>> = {};

beforeAll(async () => {
  const names = Object.keys(DEPARTURES) as Variant[];
  const services = await Promise.all(names.map(async (name) => ({ name, ...(await serveHere([DEPARTURES[name]])) })));
  const folder = freshFolder();
  writeFileSync(join(folder, 'suite.yaml'), suiteOf(services.map(({ name, url }) => [name, url])));
  const ended = await retakeHere(['run', 'suite.yaml'], folder, services[0]?.env);
  for (const { name, stats } of services) fired[name] = (await stats()).behaviours;
  await Promise.all(services.map(({ close }) => close()));
  expect(ended).toMatchObject({ code: 0, stderr: expect.not.stringMatching(/defect/) });
  stdout = ended.stdout;
  analysis = JSON.parse(readFileSync(join(onlyRun(join(folder, 'results')), 'analysis.json'), 'utf8'));
});

function measureOf(variant: Variant, metric: string, statistic: string): Measure {
  const found = analysis.measures.find(
    (each) =>
      each.variant === variant && each.metric === metric && each.statistic === statistic && each.prompt === null,
  );
  if (found === undefined) throw new Error(`${variant} has no ${metric} ${statistic}`);
  return found;
}

const cellsOf = (name: Variant) => analysis.cells.filter(({ variant }) => variant === name);

it('a run whose metadata differ says that every pixel is the same, with the bound', () => {
  expect(measureOf('metadata', 'determinism.byte', 'departure').value).toBe(8 / TAKES);
  expect(measureOf('metadata', 'determinism.pixel', 'departure')).toMatchObject({
    value: 0,
    n: 8,
    method: 'clopper_pearson_upper',
    // 1 - 0.05^(1/8)
    ciHigh: expect.closeTo(0.31234, 4),
  });
  expect(cellsOf('metadata').map(({ byte, level, layer }) => [byte, level, layer])).toEqual(
    Array(2).fill(['differs', 'pixel', 'metadata']),
  );
  expect(stdout).toMatch(/^ metadata\b[^\n]* 2\/2 pixels /m);
});

it('a run with two output groups shows two images for each seed, with their shares', () => {
  expect(fired.two_groups?.other).toBe(TAKES / 2);
  for (const { outputGroups, level } of cellsOf('two_groups')) {
    expect(level).toBe('different');
    expect(outputGroups.reduce((sum, { takes }) => sum + takes, 0)).toBe(5);
  }
  expect(measureOf('two_groups', 'determinism.pixel', 'unstable').value).toBe(1);
  expect(measureOf('two_groups', 'determinism.similar', 'departure').value).toBeGreaterThan(0.2);
});

it('a run with few departures says how many there were, and no bound', () => {
  const departed = fired.few?.other ?? 0;
  expect(departed).toBeGreaterThan(0);
  expect(measureOf('few', 'determinism.pixel', 'departure')).toMatchObject({ value: departed / TAKES, ciHigh: null });
});

it('a run with one bit changed says nearly the same, no more and no less', () => {
  expect(measureOf('one_bit', 'determinism.pixel', 'departure').value).toBe(2 / TAKES);
  expect(measureOf('one_bit', 'determinism.near', 'departure')).toMatchObject({ value: 0, ciLow: 0 });
  const farthest = cellsOf('one_bit').flatMap((cell) => cell.farthest?.samples?.maxDifference ?? []);
  expect(new Set(farthest)).toEqual(new Set([1 / 255]));
  expect(stdout).toMatch(/^ one_bit\b[^\n]* 2\/2 near /m);
});

it('a run with blank images suspects moderation, in block_rate and in no latency', () => {
  expect(fired.blank?.black).toBe(2);
  expect(measureOf('blank', 'block_rate', 'rate')).toMatchObject({ value: 2 / TAKES, n: TAKES });
  expect(measureOf('blank', 'error_rate', 'rate').value).toBe(0);
  expect(measureOf('blank', 'latency.total', 'p50').n).toBe(TAKES - 2);
  expect(measureOf('blank', 'determinism.pixel', 'departure').value).toBe(0);
  expect(analysis.warnings).toContainEqual({
    code: 'blank_outputs',
    variant: 'blank',
    outputs: 2,
    prompts: 1,
    media: 'image',
  });
});
