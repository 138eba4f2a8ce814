import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it, onTestFinished, test } from 'vitest';
import type { Analysis } from '../../src/analysis/analysis.ts';
import type { Measure } from '../../src/analysis/summaries.ts';
import type { Sample } from '../../src/record/journal.ts';
import { readTable } from '../fixtures/csv-reader.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { type Ended, journalOf, onlyRun, retakeHere, serveHere } from '../fixtures/retake-process.ts';
import { serve } from '../targets/loopback.ts';

/* Probes from suite to report, against services that are honest and services that are not. */

/** What a run found of one of its variants. */
interface Probed {
  readonly samples: readonly Sample[];
  /** What its service was sent. */
  readonly requests: number;
  readonly warned: readonly string[];
  readonly measure: (metric: string, statistic: string) => Measure | undefined;
  readonly finding: (question: string) => Analysis['probes'][number] | undefined;
  /** The code of a finding. */
  readonly found: (question: string) => string | undefined;
}

interface ProbedRun {
  readonly ended: Ended;
  readonly of: (variant: string) => Probed;
  readonly analysis: Analysis;
  readonly folder: string;
  readonly run: string;
}

/** A variant: the rules of its service, which is its alone, and its target. */
interface Variant {
  readonly rules: readonly string[];
  readonly target?: string;
}

/** A run with these probes. */
async function probed(
  variants: Readonly<Record<string, Variant>>,
  keys: readonly string[],
  files: Readonly<Record<string, string>> = {},
  reports = '[json]',
): Promise<ProbedRun> {
  const services = await Promise.all(
    Object.entries(variants).map(async ([name, { rules, target = 'reference/text-to-image' }]) => {
      const service = await serveHere(rules);
      onTestFinished(() => service.close());
      return { name, target, service };
    }),
  );
  const folder = freshFolder();
  const lines = services.map(
    ({ name, target, service: { url } }) =>
      `  ${name}: { target: ${target}, const: { model: fast-lcm }, base_url: '${url}' }`,
  );
  const suite = ['suite: 1', 'name: probes', 'variants:', ...lines, ...keys, `reports: ${reports}`, ''];
  writeFileSync(join(folder, 'suite.yaml'), suite.join('\n'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const ended = await retakeHere(['run', 'suite.yaml'], folder, services[0]?.service.env);
  if (ended.code === 2) throw new Error(ended.stderr);
  const run = onlyRun(join(folder, 'results'));
  const analysis: Analysis = JSON.parse(readFileSync(join(run, 'analysis.json'), 'utf8'));
  const all = journalOf(run).samples;
  const asked = new Map<string, number>();
  for (const { name, service } of services)
    asked.set(name, (await service.stats()).routes['POST /v2/image/generations']?.started ?? 0);
  const of = (variant: string): Probed => {
    const measures = analysis.measures.filter((each) => each.variant === variant);
    const finding = (question: string) =>
      analysis.probes.find((each) => each.variant === variant && each.question === question);
    return {
      samples: all.filter(({ trial }) => trial.variant === variant),
      requests: asked.get(variant) ?? 0,
      warned: analysis.warnings.flatMap(({ code, variants }) => (variants.includes(variant) ? [code] : [])),
      measure: (metric, statistic) =>
        measures.find(
          (each) =>
            each.metric === metric && each.statistic === statistic && each.prompt === null && each.step === null,
        ),
      finding,
      found: (question) => finding(question)?.code,
    };
  };
  return { ended, of, analysis, folder, run };
}

it('probes find nothing wrong with an honest service whose metadata is never the same', async () => {
  const { ended, of, analysis, folder, run } = await probed(
    // So that no noise of a busy machine makes repeats a tenth faster, which the cache probe would take for a cache.
    { honest: { rules: ['{ metadata_noise: {} }', '{ latency: { constant: 250ms } }'] } },
    ['prompts: [A red fox]', 'seeds: [1, 2]', 'repeats: 2', 'load: { concurrency: 2 }', 'probes: [load, seed, cache]'],
    {},
    '[html, json]',
  );
  expect(ended.stderr).not.toMatch(/defect/);
  expect(ended.code).toBe(0);
  const honest = of('honest');
  // 4 takes and a warm-up; 3 of the seed probe, 21 of the cache probe, 3 for each of 2 cells.
  expect(honest.requests).toBe(4 + 1 + 3 + 21 + 6);
  expect(honest.samples.filter(({ trial }) => trial.phase === 'probe')).toHaveLength(30);
  expect(honest.found('seed')).toBe('exact');
  expect(honest.found('no_seed')).toBe('random');
  expect(honest.found('cache')).toBe('no_sign');
  expect(honest.found('load')).toBe('no_sign');
  expect(honest.measure('latency.total', 'p50')?.n).toBe(4);
  expect(honest.measure('error_rate', 'rate')?.n).toBe(4);
  expect(honest.measure('determinism.byte', 'unstable')?.value).toBe(1);
  expect(honest.measure('determinism.pixel', 'unstable')?.value).toBe(0);
  expect(honest.finding('load')?.facts).toMatchObject({ cells: 2, changedConcurrent: 0 });
  expect(analysis.warnings.filter(({ code }) => /seed|cache|batch|probe/.test(code))).toEqual([]);
  expect(ended.stdout).toMatch(/^Probes: seed exact; /m);
  expect(readFileSync(join(run, 'report.html'), 'utf8')).toContain('<section id="probes"');

  const verdict = join(run, 'verdict.json');
  rmSync(verdict);
  const summary = await retakeHere(['report', run, '--format', 'terminal'], folder);
  expect(summary).toMatchObject({ code: 0, stdout: ended.stdout });
  expect(existsSync(verdict)).toBe(false);
  const nowhere = await retakeHere(['report', run, '--format', 'terminal', '--out', 'elsewhere'], folder);
  expect(nowhere).toMatchObject({ code: 2, stderr: expect.stringContaining('--out has nothing to write') });
  const again = await retakeHere(['report', run], folder);
  expect(again.code).toBe(0);
  expect(JSON.parse(readFileSync(join(run, 'analysis.json'), 'utf8'))).toEqual(analysis);
});

it('probes find a cache, and take latency of first takes alone', async () => {
  const { ended, of } = await probed(
    { silent: { rules: ['{ cached: {} }'] }, telling: { rules: ['{ cached: { header: x-cache } }'] } },
    [
      'prompts: [A red fox]',
      'seeds: [1, 2]',
      'repeats: 2',
      'probes: [cache, seed]',
      'gate: [{ metric: determinism.pixel, none: departure, on_inconclusive: pass }]',
    ],
  );
  expect(ended.stdout).toMatch(
    /GATE NOT JUDGED.*NOT JUDGED +determinism\.pixel.*cannot\s+be\s+tested:\s+repeats\s+come\s+from\s+a\s+cache/s,
  );
  const [silent, telling] = [of('silent'), of('telling')];
  for (const { found, measure, warned } of [silent, telling]) {
    expect(found('cache')).toBe('cached');
    expect(measure('latency.total', 'p50')?.n).toBe(2);
    expect(measure('determinism.byte', 'departure')).toMatchObject({
      value: null,
      notes: [{ code: 'not_testable' }, { code: 'cached' }],
    });
    expect(found('seed')).toBe('not_testable');
    expect(warned).toContain('served_from_cache');
  }
  expect(ended.stdout).toContain('silent: repeats come from a cache (');
  expect(ended.stdout).toContain('telling: repeats come from a cache (');
  expect(silent.finding('cache')?.facts).toMatchObject({ by: ['timing'], equal: 10, saidOfRepeats: 0 });
  expect(telling.finding('cache')?.facts).toMatchObject({ saidOfRepeats: 10, saidOfFresh: 0 });
  expect(telling.finding('cache')?.facts.by).toContain('said');
  // The first takes were measured before anything had filled the cache.
  const first = silent.samples.filter(({ trial }) => trial.phase === 'trial' && trial.repeat === 1);
  expect(first.every(({ reported }) => reported.serverMs !== null)).toBe(true);
});

it('probes find a seed that is not honoured, one that is never sent, and a constant seed where none is sent', async () => {
  const preset = readFileSync(new URL('../../suites/targets/reference/text-to-image.yaml', import.meta.url), 'utf8');
  const constant = preset
    .replace('id: reference/text-to-image', 'id: own/constant-seed')
    .replace('seed: ${case.seed | str}', 'seed: "7"')
    .replace('  encoding: multipart', '  encoding: multipart\n  headers: { x-wanted-seed: "${case.seed | str}" }');
  const { of } = await probed(
    {
      ignoring: { rules: ['{ seed_ignored: {} }'] },
      constant: { rules: [], target: './target.yaml' },
      omitting: { rules: ['{ seed_omitted: { seed: 42 } }'] },
    },
    ['prompts: [A red fox]', 'seeds: [1]', 'repeats: 3', 'probes: [seed]'],
    { 'target.yaml': constant },
  );
  expect(of('ignoring').found('seed')).toBe('unstable');
  expect(of('ignoring').warned).toContain('seed_unstable');
  expect(of('constant').found('seed')).toBe('ignored');
  expect(of('constant').warned).toContain('seed_ignored');
  const { found, warned, samples } = of('omitting');
  expect(found('seed')).toBe('exact');
  expect(found('no_seed')).toBe('constant');
  expect(warned).toContain('omitted_seed_constant');
  const omitted = samples.filter(({ trial }) => trial.seed === null);
  expect(omitted.map(({ reported }) => reported.seedEcho)).toEqual(['42', '42']);
});

it('probes find that concurrency changes the output', async () => {
  // The worker is so slow that requests wait for it, also where this machine sends the next one late.
  const { of } = await probed({ batched: { rules: ['{ batch_dependent: {} }', '{ slow_worker: { factor: 3 } }'] } }, [
    'prompts: [A red fox]',
    'seeds: { first: 1, count: 8 }',
    'repeats: 1',
    'load: { concurrency: 4, warmup: 0 }',
    'probes: [load]',
  ]);
  const { found, finding, warned, samples } = of('batched');
  expect(found('load')).toBe('batch_dependent');
  expect(finding('load')?.facts.cells).toBe(8);
  expect(warned).toContain('batch_dependent');
  const took = (role: string) => samples.filter(({ trial }) => trial.probe?.role === role);
  const mostBeside = (beside: readonly Sample[]) =>
    Math.max(
      ...beside.map(
        ({ marks, endedMs }) =>
          beside.filter((other) => (other.marks.startedMs ?? 0) < endedMs && other.endedMs > (marks.startedMs ?? 0))
            .length,
      ),
    );
  expect(mostBeside(took('alone'))).toBe(1);
  expect(mostBeside(took('concurrent'))).toBeGreaterThan(1);
});

/* Plans and checks of suites with probes. */

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

it('plan and validate say where there is nothing to test', async () => {
  const folder = freshFolder();
  writeFileSync(join(folder, 'suite.yaml'), suite('probes: [load]'));
  const words = 'load: nothing to test for standard and fast: load.concurrency is 1, so requests never run together';
  expect((await retakeHere(['plan', 'suite.yaml'], folder)).stdout).toContain(words);
  expect((await retakeHere(['validate', 'suite.yaml'], folder)).stdout).toContain(words);
});

/* A service that draws what it likes, whatever seed it is sent: as a user meets it, without any probe. */

const target = (url: string, seedLine: string) => `target: 1
id: own/images
kind: text-to-image
base_url: ${url}
${seedLine === '' ? '' : 'inputs: { seed: { min: 0, max: 4294967295, claim: exact } }'}
submit: { path: /images, body: { prompt: "\${case.prompt}"${seedLine} } }
result: { from: body, expect: image/* }
meta: { seed: header:x-seed }
`;

const SUITE = `suite: 1
name: own
variants: { standard: { target: ./own.yaml } }
prompts: [A red fox]
seeds: [1, 2]
repeats: 2
load: { warmup: 0 }
`;

/** A plain noise of its own for each call, so that no two are alike. */
async function drawn(call: number): Promise<Buffer> {
  const side = 64;
  const pixels = Buffer.alloc(side * side * 3);
  let state = 12345 + 7919 * call;
  for (let at = 0; at < pixels.length; at += 1) {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    pixels[at] = state >> 16;
  }
  return sharp(pixels, { raw: { width: side, height: side, channels: 3 } })
    .png()
    .toBuffer();
}

async function moodyService() {
  let calls = 0;
  return serve(async (_seen, response) => {
    calls += 1;
    const bytes = await drawn(calls);
    response.writeHead(200, { 'content-type': 'image/png', 'x-seed': '0.37' }).end(bytes);
  });
}

function folderWith(url: string, seedLine: string): string {
  const folder = freshFolder();
  writeFileSync(join(folder, 'own.yaml'), target(url, seedLine));
  writeFileSync(join(folder, 'suite.yaml'), SUITE);
  return folder;
}

describe('a service that ignores the seed', () => {
  test('an ignored seed is reported by run, sample by sample and in words, and by try beside what was asked', async () => {
    const { url } = await moodyService();
    const folder = folderWith(url, ', seed: "${case.seed}"');
    const ran = await retakeHere(['run', 'suite.yaml'], folder);
    expect(ran.code).toBe(0);
    expect(ran.stdout).toMatch(/^ standard .* 0\/2 pixel-identical /m);
    expect(ran.stdout.replaceAll(/\s+/g, ' ')).toContain(
      '! the seed of standard does not fix the image: takes differ in 2 of 2 prompts x seeds',
    );
    const run = onlyRun(join(folder, 'results'));
    // The terminal shows fewer warnings where this machine has too much to do.
    expect(readFileSync(join(run, 'report.html'), 'utf8')).toContain(
      'the service reports another seed than standard sent in 4 of 4 takes, such as 0.37 instead of',
    );
    const rows = readTable(readFileSync(join(run, 'samples.csv'), 'utf8'));
    expect(rows.map(({ seed_echo, flags }) => [seed_echo, flags?.includes('seed_echo')])).toEqual(
      Array.from({ length: 4 }, () => ['0.37', true]),
    );

    const tried = await retakeHere(['try', './own.yaml', '--prompt', 'A fox', '--seed', '5'], folder);
    expect(tried.stdout).toContain('the server reports seed 0.37 (sent: 5)');
  });

  test('an ignored seed is not reported where the target sends none: plan and run say that seeds make the same request', async () => {
    const { url } = await moodyService();
    const folder = folderWith(url, '');
    const planned = await retakeHere(['plan', 'suite.yaml'], folder);
    expect(planned.stdout).toContain('Seeds 1 and 2 make the same request for standard: the target takes no seed');
    const ran = await retakeHere(['run', 'suite.yaml'], folder);
    expect(ran.stdout).toContain('! seeds 1 and 2 make the same request for standard: no seed is sent');
    expect(ran.stdout).not.toMatch(/does not fix|another seed/);
    const tried = await retakeHere(['try', './own.yaml', '--prompt', 'A fox', '--seed', '5'], folder);
    expect(tried.stdout).toContain('no seed (the target takes none)');
    expect(tried.stdout).toContain('the server reports seed 0.37 (sent: none)');
  });
});
