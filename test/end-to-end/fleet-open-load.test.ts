import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startCoordinator, startWorker } from '../fixtures/fleet-processes.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { NO_NATS_SERVER, startNatsServer } from '../fixtures/nats-server.ts';
import { journalOf, retakeHere, serveHere } from '../fixtures/retake-process.ts';

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
