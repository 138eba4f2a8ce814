import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Analysis, Measure } from '../../src/analysis/analysis.ts';
import type { Sample } from '../../src/record/model/sample.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { type Ended, journalOf, onlyRun, retake, serveReference } from '../fixtures/retake-process.ts';

/* Probes from suite to report, against services that are honest and services that are not. */

interface Probed {
  readonly ended: Ended;
  readonly analysis: Analysis;
  readonly samples: readonly Sample[];
  readonly requests: number;
  readonly folder: string;
  readonly run: string;
}

const VARIANT = 'quick: { target: reference/text-to-image, const: { model: fast-lcm } }';

/** A run with these probes against a service with these rules. */
async function probed(
  rules: readonly string[],
  keys: readonly string[],
  variant = VARIANT,
  files: Readonly<Record<string, string>> = {},
): Promise<Probed> {
  const service = await serveReference(rules);
  try {
    const folder = freshFolder();
    const suite = ['suite: 1', 'name: probes', 'variants:', `  ${variant}`, ...keys, 'reports: [csv, html, json]', ''];
    writeFileSync(join(folder, 'suite.yaml'), suite.join('\n'));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const ended = await retake(['run', 'suite.yaml'], folder, service.env);
    const { routes } = await service.stats();
    const run = onlyRun(join(folder, 'results'));
    const analysis: Analysis = JSON.parse(readFileSync(join(run, 'analysis.json'), 'utf8'));
    const requests = routes['POST /v2/image/generations']?.started ?? 0;
    return { ended, analysis, samples: journalOf(run).samples, requests, folder, run };
  } finally {
    await service.close();
  }
}

function measure({ analysis }: Probed, metric: string, statistic: string): Measure | undefined {
  return analysis.measures.find(
    (each) => each.metric === metric && each.statistic === statistic && each.prompt === null && each.step === null,
  );
}

const words = (run: Probed, metric: string) =>
  run.analysis.measures.find((each) => each.metric === metric)?.notes[0]?.code;
const warned = ({ analysis }: Probed) => analysis.warnings.map(({ code }) => code);

describe('probes', () => {
  it('probes find nothing wrong with an honest service', async () => {
    const run = await probed(
      [],
      [
        'prompts: [A red fox]',
        'seeds: [1, 2]',
        'repeats: 2',
        'load: { concurrency: 2 }',
        'probes: [load, seed, cache]',
      ],
    );
    expect(run.ended.stderr).not.toMatch(/defect/);
    expect(run.ended.code).toBe(0);
    // 4 takes and a warm-up; 3 of the seed probe, 21 of the cache probe, 3 for each of 2 cells.
    expect(run.requests).toBe(4 + 1 + 3 + 21 + 6);
    expect(run.samples.map(({ trial: { phase } }) => phase).filter((phase) => phase === 'probe')).toHaveLength(30);
    expect(words(run, 'seed.effect')).toBe('exact');
    expect(words(run, 'seed.omitted')).toBe('random');
    expect(words(run, 'cache.effect')).toBe('no_sign');
    expect(words(run, 'load.effect')).toBe('no_sign');
    expect(measure(run, 'latency.total', 'p50')?.n).toBe(4);
    expect(measure(run, 'error_rate', 'rate')?.n).toBe(4);
    expect(measure(run, 'determinism.byte', 'share')?.value).toBe(1);
    expect(warned(run).filter((code) => /seed|cache|batch|probe/.test(code))).toEqual([]);
    expect(run.ended.stdout).toContain('quick, seed: exact');
    expect(readFileSync(join(run.run, 'report.html'), 'utf8')).toContain('<section id="probes"');

    const again = await retake(['report', run.run], run.folder);
    expect(again.code).toBe(0);
    expect(JSON.parse(readFileSync(join(run.run, 'analysis.json'), 'utf8'))).toEqual(run.analysis);
  }, 120_000);

  it('probes find a cache, and take latency of first takes alone', async () => {
    const keys = ['prompts: [A red fox]', 'seeds: [1, 2, 3]', 'repeats: 3', 'probes: [cache, seed]'];
    const [silent, telling] = [
      await probed(['{ cached: {} }'], keys),
      await probed(['{ cached: { header: x-cache } }'], keys),
    ];
    for (const run of [silent, telling]) {
      expect(words(run, 'cache.effect')).toBe('cached');
      expect(measure(run, 'latency.total', 'p50')?.n).toBe(3);
      expect(measure(run, 'determinism.byte', 'departure')).toMatchObject({
        value: null,
        notes: [{ code: 'not_testable' }, { code: 'cached' }],
      });
      expect(words(run, 'seed.effect')).toBe('not_testable');
      expect(warned(run)).toContain('served_from_cache');
      expect(run.ended.stdout).toContain('quick, cache: cached');
    }
    expect(silent.analysis.probes[0]?.cache).toMatchObject({ by: ['timing'], equal: 10, saidOfRepeats: 0 });
    expect(telling.analysis.probes[0]?.cache).toMatchObject({ saidOfRepeats: 10, saidOfFresh: 0 });
    expect(telling.analysis.probes[0]?.cache?.by).toContain('said');
    // The first takes were measured before anything had filled the cache.
    const first = silent.samples.filter(({ trial }) => trial.phase === 'trial' && trial.repeat === 1);
    expect(first.every(({ reported }) => reported.serverMs !== null)).toBe(true);
  }, 120_000);

  it('probes find a seed that is not honoured, and one that is never sent', async () => {
    const keys = ['prompts: [A red fox]', 'seeds: [1]', 'repeats: 3', 'probes: [seed]'];
    const ignored = await probed(['{ seed_ignored: {} }'], keys);
    expect(words(ignored, 'seed.effect')).toBe('unstable');
    expect(warned(ignored)).toContain('seed_unstable');

    const preset = readFileSync(new URL('../../suites/targets/reference/text-to-image.yaml', import.meta.url), 'utf8');
    const constant = preset
      .replace('seed: ${case.seed | str}', 'seed: "7"')
      .replace('  encoding: multipart', '  encoding: multipart\n  headers: { x-wanted-seed: "${case.seed | str}" }');
    const target = { 'target.yaml': constant };
    const one = await probed([], keys, 'quick: { target: ./target.yaml, const: { model: fast-lcm } }', target);
    expect(words(one, 'seed.effect')).toBe('ignored');
    expect(warned(one)).toContain('seed_ignored');
  }, 120_000);

  it('probes find a constant seed where none is sent', async () => {
    const run = await probed(
      ['{ seed_omitted: { seed: 42 } }'],
      ['prompts: [A red fox]', 'seeds: [1]', 'repeats: 2', 'probes: [seed]'],
    );
    expect(words(run, 'seed.effect')).toBe('exact');
    expect(words(run, 'seed.omitted')).toBe('constant');
    expect(warned(run)).toContain('omitted_seed_constant');
    const omitted = run.samples.filter(({ trial }) => trial.seed === null);
    expect(omitted.map(({ reported }) => reported.seedEcho)).toEqual(['42', '42']);
  }, 120_000);

  it('probes find that concurrency changes the output', async () => {
    const run = await probed(
      ['{ batch_dependent: {} }'],
      [
        'prompts: [A red fox]',
        'seeds: { first: 1, count: 10 }',
        'repeats: 1',
        'load: { concurrency: 4 }',
        'probes: [load]',
      ],
    );
    expect(words(run, 'load.effect')).toBe('batch_dependent');
    expect(measure(run, 'load.effect', 'share')?.n).toBe(10);
    expect(warned(run)).toContain('batch_dependent');
    const took = (role: string) => run.samples.filter(({ trial }) => trial.probe?.role === role);
    const mostBeside = (samples: readonly Sample[]) =>
      Math.max(
        ...samples.map(
          ({ marks, endedMs }) =>
            samples.filter((other) => (other.marks.startedMs ?? 0) < endedMs && other.endedMs > (marks.startedMs ?? 0))
              .length,
        ),
      );
    expect(mostBeside(took('alone'))).toBe(1);
    expect(mostBeside(took('concurrent'))).toBeGreaterThan(1);
  }, 120_000);

  it('probes are not misled by metadata that is never the same', async () => {
    const run = await probed(
      ['{ metadata_noise: {} }'],
      [
        'prompts: [A red fox]',
        'seeds: [1, 2]',
        'repeats: 2',
        'load: { concurrency: 2 }',
        'probes: [seed, load, cache]',
      ],
    );
    expect(words(run, 'seed.effect')).toBe('exact');
    expect(words(run, 'load.effect')).toBe('no_sign');
    expect(measure(run, 'load.effect', 'share')).toMatchObject({ value: 0, n: 2 });
    expect(words(run, 'cache.effect')).toBe('no_sign');
  }, 120_000);
});

describe('plan and validate', () => {
  const suite = (keys: string) => `suite: 1
name: probes
variants:
  standard: { target: reference/text-to-image, price: { per: request, usd: 0.5 } }
  fast: { target: reference/text-to-image, const: { model: fast }, price: { per: request, usd: 0.5 } }
prompts: [A red fox, A cat]
seeds: [1, 2]
repeats: 1
${keys}
`;

  it('plan and validate count probes and their price, the same each time, and draw no seeds', async () => {
    const folder = freshFolder();
    writeFileSync(join(folder, 'suite.yaml'), suite('load: { concurrency: 2 }\nprobes: [seed, cache, load]'));
    const [one, other] = [await retake(['plan', 'suite.yaml'], folder), await retake(['plan', 'suite.yaml'], folder)];
    expect(one.code).toBe(0);
    expect(one.stdout).toBe(other.stdout);
    expect(one.stdout).toContain('Requests: 82 (8 takes, 2 warm-ups and 72 probes)');
    expect(one.stdout).toContain('Probes, sent after all other requests:');
    expect(one.stdout).toContain('  seed: 6 requests of 2 variants: the first prompt with another seed');
    expect(one.stdout).toContain('  cache: 42 requests of 2 variants: 10 pairs per variant');
    expect(one.stdout).toContain(
      '  load: 24 requests of 2 variants: 3 takes of each prompt and seed: alone, at concurrency 2',
    );
    expect(one.stdout).toContain('Cost: $41.00');
    const lines = await retake(['plan', 'suite.yaml', '--json'], folder);
    const again = await retake(['plan', 'suite.yaml', '--json'], folder);
    expect(lines.stdout).toBe(again.stdout);
    expect(existsSync(join(folder, 'results'))).toBe(false);
  }, 60_000);

  it('plan and validate say where there is nothing to test', async () => {
    const folder = freshFolder();
    writeFileSync(join(folder, 'suite.yaml'), suite('probes: [load]'));
    const words = 'load: nothing to test for standard, fast: load.concurrency is 1, so requests never run together';
    expect((await retake(['plan', 'suite.yaml'], folder)).stdout).toContain(words);
    expect((await retake(['validate', 'suite.yaml'], folder)).stdout).toContain(words);
  }, 60_000);
});
