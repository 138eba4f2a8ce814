import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Run } from '../../src/record/run.ts';
import { fleetProcesses, startCoordinator, startWorker } from '../fixtures/fleet-processes.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { NO_NATS_SERVER, startNatsServer } from '../fixtures/nats-server.ts';
import { startTcpProxy } from '../fixtures/proxies.ts';
import { journalOf, retakeHere, serveHere } from '../fixtures/retake-process.ts';

/*
 * Two places that measure the same suite, slice by slice in turn: a run for each, and a comparison of both. The name of
 * the service leads each over a way of its own.
 */

const SUITE = `suite: 1
name: places
variants:
  usual: { target: reference/text-to-image, const: { model: fast-lcm }, baseline: true }
  again: { target: reference/text-to-image, const: { model: fast-lcm } }
prompts: [A red fox]
seeds: { first: 1, count: 4 }
repeats: 2
load: { concurrency: 2, warmup: 1 }
reports: [html, json]
`;
const ROUTE = 'POST /v2/image/generations';
const PRELOAD = new URL('../fixtures/names-of-services.mjs', import.meta.url).href;

/** All of 127.0.0.0/8 is this machine on Linux only. */
const PLACES = [
  { vantage: 'eu', address: '127.0.0.2', delayMs: 5 },
  { vantage: 'us', address: '127.0.0.3', delayMs: 80 },
];
const WHY_NOT = NO_NATS_SERVER ?? (process.platform === 'linux' ? null : 'needs 127.0.0.2, which Linux has');

describe.skipIf(WHY_NOT !== null)(`a fleet of vantages${WHY_NOT ? ` (${WHY_NOT})` : ''}`, () => {
  it('--by-vantage gives a run for each vantage, never both in flight, and compares bytes and latencies', async () => {
    const nats = await startNatsServer();
    onTestFinished(nats.stop);
    const service = await serveHere(['{ latency: { constant: 20ms } }', '{ cached: {} }']);
    onTestFinished(() => service.close());
    let port = 0;
    for (const { address, delayMs } of PLACES) {
      const way = await startTcpProxy(Number(new URL(service.url).port), { from: address, listenOn: port, delayMs });
      onTestFinished(way.close);
      port = way.port;
    }
    const folder = freshFolder();
    writeFileSync(join(folder, 'suite.yaml'), SUITE);
    // The first request of an image takes longer at the service: here no vantage sends it.
    expect(
      (await retakeHere(['run', 'suite.yaml', '--out', 'before', '--set', 'repeats=1'], folder, service.env)).code,
    ).toBe(0);
    const { started = 0 } = (await service.stats()).routes[ROUTE] ?? {};
    const env = { ...service.env, RETAKE_BASE_URL: `http://images.localhost:${port}` };
    const names = PLACES.map(({ vantage }) => `${vantage}-1`);
    const fleet = fleetProcesses({ folder, suite: 'places', run: 'r', url: nats.url, workers: names, env });
    const more = ['--run', 'r', '--quiet', '--by-vantage', '--leave-media'];
    const run = startCoordinator(nats.url, folder, env.RETAKE_BASE_URL, names.length, more);
    const workers = PLACES.map(({ vantage, address }) =>
      fleet.work(`${vantage}-1`, ['--vantage', vantage, '--quiet'], {
        ...env,
        NODE_OPTIONS: `--import=${PRELOAD}`,
        RETAKE_TEST_ADDRESS: address,
      }),
    );
    const ended = await Promise.all(workers.map((worker) => worker.ended));
    expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual([
      [0, ''],
      [0, ''],
    ]);
    const own = await run.ended;
    expect(own.code).toBe(0);

    const runs = ['eu', 'us'].map((vantage) => join('results', 'places', `r-${vantage}`));
    const vantages = runs.map((run): Run => JSON.parse(readFileSync(join(folder, run, 'run.json'), 'utf8')).vantage);
    expect(vantages).toEqual(['eu', 'us']);
    const journals = runs.map((run) => journalOf(join(folder, run)));
    const trials = journals.map(({ intents }) => intents.map(({ trial }) => trial.id).toSorted());
    expect(trials[0]).toEqual(trials[1]);
    expect(trials[0]).toHaveLength(18);
    for (const { samples } of journals) expect(samples.map(({ outcome }) => outcome)).toEqual(samples.map(() => 'ok'));

    const stats = await service.stats();
    expect(stats.routes[ROUTE]?.started).toBe(started + 36);
    expect(stats.routes[ROUTE]?.mostInFlight).toBeLessThanOrEqual(2);

    const printed = /retake (compare \S+ \S+)/.exec(own.stderr)?.[1] ?? '';
    expect(printed.split(' ').slice(1)).toEqual(runs);
    const compared = await retakeHere(printed.split(' '), folder);
    expect(compared.code).toBe(0);
    expect(compared.stdout).toMatch(/ earlier, from eu +later, from us +ratio /);
    for (const variant of ['usual', 'again']) {
      // Ways of 10 and 160 ms there and back, and 20 ms at the service.
      const [, ratio = '0'] = new RegExp(`^${variant} +p50 .* ([\\d.]+)x `, 'm').exec(compared.stdout) ?? [];
      expect(Number(ratio), compared.stdout).toBeGreaterThan(2);
      expect(compared.stdout).toMatch(new RegExp(`^${variant} +bytes +4 of 4 same `, 'm'));
    }
    expect(existsSync(join(folder, 'results', 'places', 'r'))).toBe(false);

    // Media stay with the workers, and the page shows their thumbnails.
    for (const run of runs) {
      expect(existsSync(join(folder, run, 'media'))).toBe(false);
      expect(readFileSync(join(folder, run, 'report.html'), 'utf8')).toContain('data:image/webp');
    }
  });
});

describe('open load of a fleet', () => {
  /* Open load over several workers: counts only; times are those of the bench. */

  const SUITE = `suite: 1
name: open
variants: { fast-lcm: { target: reference/text-to-image, const: { model: fast-lcm } } }
prompts: [A red fox]
seeds: { first: 1, count: 24 }
repeats: 1
load: { mode: open, rate: 40/s, arrivals: poisson, concurrency: 40, warmup: 0 }
reports: [json]
`;
  const WORKERS = ['w1', 'w2', 'w3'];
  const ROUTE = 'POST /v2/image/generations';

  describe.skipIf(NO_NATS_SERVER !== null)(
    `open load over a fleet${NO_NATS_SERVER ? ` (${NO_NATS_SERVER})` : ''}`,
    () => {
      it('every arrival of the declared schedule reaches the service once, from the worker whose turn it is', async () => {
        const nats = await startNatsServer();
        onTestFinished(nats.stop);
        const service = await serveHere(['{ cached: {} }']);
        onTestFinished(() => service.close());
        const folder = freshFolder();
        writeFileSync(join(folder, 'suite.yaml'), SUITE);
        const planned = await retakeHere(['plan', 'suite.yaml', '--json'], folder, service.env);
        const schedule = planned.stdout
          .trim()
          .split('\n')
          .filter((line) => line.startsWith('{"slice"'))
          .map((line): { readonly id: string } => JSON.parse(line));
        const workers = WORKERS.map((name) => startWorker(name, nats.url, folder, service.url));
        const run = startCoordinator(nats.url, folder, service.url, WORKERS.length, ['--run', 'r', '--quiet']);
        const ended = await Promise.all([run, ...workers].map((each) => each.ended));
        expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual(ended.map(({ stderr }) => [0, stderr]));
        const { routes, requests } = await service.stats();
        expect(routes[ROUTE]?.started).toBe(24);
        const seeds = requests.flatMap(({ route, seed }) => (route === ROUTE ? [seed] : []));
        expect(seeds.toSorted((a, b) => (a ?? 0) - (b ?? 0))).toEqual(Array.from({ length: 24 }, (_, at) => at + 1));
        for (const [at, name] of WORKERS.entries()) {
          const sent = journalOf(join(folder, name, 'open', `r-${at + 1}of3`)).intents.map(({ trial }) => trial.id);
          const dealt = schedule.flatMap(({ id }, i) => (i % WORKERS.length === at ? [id] : []));
          expect(sent.toSorted()).toEqual(dealt.toSorted());
        }
        const samples = journalOf(join(folder, 'results', 'open', 'r')).samples;
        expect(samples.map(({ outcome }) => outcome)).toEqual(schedule.map(() => 'ok'));
      });
    },
  );
});
