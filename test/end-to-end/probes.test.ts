import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Analysis } from '../../src/analysis/analysis.ts';
import type { Measure } from '../../src/analysis/summaries.ts';
import type { Sample } from '../../src/record/journal.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { type Ended, journalOf, onlyRun, retakeHere, serveHere } from '../fixtures/retake-process.ts';

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

/** A run with these probes. @param variants the rules of the service of each */
async function probed(
  variants: Readonly<Record<string, readonly string[]>>,
  keys: readonly string[],
  reports = '[json]',
): Promise<ProbedRun> {
  const services = await Promise.all(
    Object.entries(variants).map(async ([name, rules]) => {
      const service = await serveHere(rules);
      onTestFinished(() => service.close());
      return { name, service };
    }),
  );
  const folder = freshFolder();
  const lines = services.map(
    ({ name, service: { url } }) =>
      `  ${name}: { target: reference/text-to-image, const: { model: fast-lcm }, base_url: '${url}' }`,
  );
  const suite = ['suite: 1', 'name: probes', 'variants:', ...lines, ...keys, `reports: ${reports}`, ''];
  writeFileSync(join(folder, 'suite.yaml'), suite.join('\n'));
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
    // Long enough that takes beside each other overlap.
    { honest: ['{ metadata_noise: {} }', '{ latency: { constant: 250ms } }'] },
    ['prompts: [A red fox]', 'seeds: [1, 2]', 'repeats: 2', 'load: { concurrency: 2 }', 'probes: [load, seed]'],
    '[html, json]',
  );
  expect(ended.stderr).not.toMatch(/defect/);
  expect(ended.code).toBe(0);
  const honest = of('honest');
  // 4 takes and a warm-up; 3 of the seed probe, 3 for each of 2 cells.
  expect(honest.requests).toBe(4 + 1 + 3 + 6);
  expect(honest.samples.filter(({ trial }) => trial.phase === 'probe')).toHaveLength(9);
  expect(honest.found('seed')).toBe('exact');
  expect(honest.found('no_seed')).toBe('random');
  expect(honest.found('load')).toBe('no_sign');
  expect(honest.measure('latency.total', 'p50')?.n).toBe(4);
  expect(honest.measure('error_rate', 'rate')?.n).toBe(4);
  expect(honest.measure('determinism.byte', 'unstable')?.value).toBe(1);
  expect(honest.measure('determinism.pixel', 'unstable')?.value).toBe(0);
  expect(honest.finding('load')?.facts).toMatchObject({ cells: 2, changedConcurrent: 0 });
  expect(analysis.warnings.filter(({ code }) => /seed|cache|batch|probe/.test(code))).toEqual([]);
  const mostBeside = (role: string) => {
    const beside = honest.samples.filter(({ trial }) => trial.probe?.role === role);
    const begins = ({ marks }: Sample) => marks.startedMs ?? Number.NaN;
    return Math.max(
      ...beside.map(
        (each) => beside.filter((other) => begins(other) < each.endedMs && other.endedMs > begins(each)).length,
      ),
    );
  };
  expect([mostBeside('alone'), mostBeside('concurrent')]).toEqual([1, 2]);
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
  const { ended, of } = await probed({ telling: ['{ cached: { header: x-cache } }'] }, [
    'prompts: [A red fox]',
    'seeds: [1, 2]',
    'repeats: 2',
    'probes: [cache, seed]',
    'gate: [{ metric: determinism.pixel, none: departure, on_inconclusive: pass }]',
  ]);
  expect(ended.stdout).toMatch(
    /GATE NOT JUDGED.*NOT JUDGED +determinism\.pixel.*cannot\s+be\s+tested:\s+repeats\s+come\s+from\s+a\s+cache/s,
  );
  const { found, finding, measure, warned, samples } = of('telling');
  expect(found('cache')).toBe('cached');
  expect(measure('latency.total', 'p50')?.n).toBe(2);
  expect(measure('determinism.byte', 'departure')).toMatchObject({
    value: null,
    notes: [{ code: 'not_testable' }, { code: 'cached' }],
  });
  expect(found('seed')).toBe('not_testable');
  expect(warned).toContain('served_from_cache');
  expect(ended.stdout).toContain('telling: repeats come from a cache (');
  expect(finding('cache')?.facts).toMatchObject({ saidOfRepeats: 10, saidOfFresh: 0 });
  expect(finding('cache')?.facts.by).toContain('said');
  // The first takes were measured before anything had filled the cache.
  const first = samples.filter(({ trial }) => trial.phase === 'trial' && trial.repeat === 1);
  expect(first.every(({ reported }) => reported.serverMs !== null)).toBe(true);
});

it('probes find a seed that is not honoured, and a constant seed where none is sent', async () => {
  const { of } = await probed({ ignoring: ['{ seed_ignored: {} }'], omitting: ['{ seed_omitted: { seed: 42 } }'] }, [
    'prompts: [A red fox]',
    'seeds: [1]',
    'repeats: 2',
    'load: { warmup: 0 }',
    'probes: [seed]',
  ]);
  expect(of('ignoring').found('seed')).toBe('unstable');
  expect(of('ignoring').warned).toContain('seed_unstable');
  const { found, warned, samples } = of('omitting');
  expect(found('seed')).toBe('exact');
  expect(found('no_seed')).toBe('constant');
  expect(warned).toContain('omitted_seed_constant');
  const omitted = samples.filter(({ trial }) => trial.seed === null);
  expect(omitted.map(({ reported }) => reported.seedEcho)).toEqual(['42', '42']);
});
