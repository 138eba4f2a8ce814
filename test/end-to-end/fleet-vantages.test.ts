import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Run } from '../../src/record/model/run.ts';
import { startFleet } from '../fixtures/fleet-processes.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { NO_NATS_SERVER, startNatsServer } from '../fixtures/nats-server.ts';
import { retakeHere, serveHere } from '../fixtures/retake-here.ts';
import { journalOf } from '../fixtures/retake-process.ts';

/* Two places that measure the same suite, slice by slice in turn: a run for each, and a comparison of both. */

const SUITE = `suite: 1
name: places
variants:
  usual: { target: reference/text-to-image, const: { model: fast-lcm }, baseline: true }
  again: { target: reference/text-to-image, const: { model: fast-lcm } }
prompts: [A red fox]
seeds: [1, 2, 3, 4]
repeats: 2
load: { concurrency: 2, warmup: 1 }
reports: [json]
`;
const ROUTE = 'POST /v2/image/generations';

describe.skipIf(NO_NATS_SERVER !== null)(`a fleet of vantages${NO_NATS_SERVER ? ` (${NO_NATS_SERVER})` : ''}`, () => {
  it('--by-vantage gives a run for each vantage, never both in flight, and prints a comparison that works', async () => {
    const nats = await startNatsServer();
    onTestFinished(nats.stop);
    const service = await serveHere(['{ latency: { constant: 20ms } }', '{ cached: {} }']);
    onTestFinished(() => service.close());
    const folder = freshFolder();
    writeFileSync(join(folder, 'suite.yaml'), SUITE);
    const { env } = service;
    const workers = ['eu', 'us'].map((vantage) => ({ name: `${vantage}-1`, vantage, env }));
    const [own, ended] = await startFleet(nats.url, workers, folder, env, ['--by-vantage']).ended;
    expect([...ended].map(([name, { code, stderr }]) => [name, code, stderr])).toEqual([
      ['eu-1', 0, ''],
      ['us-1', 0, ''],
    ]);
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
    expect(stats.routes[ROUTE]?.started).toBe(36);
    expect(stats.routes[ROUTE]?.mostInFlight).toBeLessThanOrEqual(2);

    const printed = /retake (compare \S+ \S+)/.exec(own.stderr)?.[1] ?? '';
    expect(printed.split(' ').slice(1)).toEqual(runs);
    const compared = await retakeHere(printed.split(' '), folder);
    expect(compared.code).toBe(0);
    expect(compared.stdout).toMatch(/Vantage \(where calls were sent from\): us, before eu\n/);
    expect(existsSync(join(folder, 'results', 'places', 'r'))).toBe(false);
  });
});
