import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Analysis } from '../../src/analysis/analysis.ts';
import type { Run } from '../../src/record/run.ts';
import type { ServiceStats } from '../../src/service/jobs/request-log.ts';
import { bytesBelow, sentByTrial, shardsOf, startCoordinator, startWorker } from '../fixtures/fleet-processes.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { type NatsServer, NO_NATS_SERVER, startNatsServer } from '../fixtures/nats-server.ts';
import { startTcpProxy, type TcpProxy } from '../fixtures/proxies.ts';
import { type Ended, journalOf, KEY, retakeHere, type ServedService, serveHere } from '../fixtures/retake-process.ts';

/* Workers and a coordinator over a real NATS server, against a real service; each a process in the long form. */

const CONCURRENCY = 3;
const NAMES = ['a', 'b'];
const SUITE = `suite: 1
name: fleet
variants:
  usual: { target: reference/text-to-image, const: { model: fast-lcm }, baseline: true }
  again: { target: reference/text-to-image, const: { model: fast-lcm } }
prompts:
  - { id: fox, text: A red fox running through fresh snow }
  - { id: lighthouse, text: A lighthouse in a storm }
seeds: [1, 2, 3]
repeats: 2
load: { concurrency: ${CONCURRENCY} }
limits: { requests: 60 }
reports: [csv, json]
`;
/** Of the measured takes, and of the warm-ups of each worker. */
const REQUESTS = 24 + 2 * NAMES.length;
const ROUTE = 'POST /v2/image/generations';

if (NO_NATS_SERVER !== null) console.warn(`skipped: ${NO_NATS_SERVER}`);

const withSuite = (): string => {
  const folder = freshFolder();
  writeFileSync(join(folder, 'suite.yaml'), SUITE);
  return folder;
};
const runOf = (folder: string): Run => JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8'));
const analysisOf = (folder: string): Analysis => JSON.parse(readFileSync(join(folder, 'analysis.json'), 'utf8'));

describe.skipIf(NO_NATS_SERVER !== null)('a run of a fleet', () => {
  let nats: NatsServer;
  let service: ServedService;
  let folder: string;
  let proxy: TcpProxy;
  let stats: ServiceStats;
  let workers: readonly Ended[];
  let coordinator: Ended;
  const merged = () => join(folder, 'results', 'fleet', 'r1');

  beforeAll(async () => {
    nats = await startNatsServer();
    proxy = await startTcpProxy(Number(new URL(nats.url).port));
    service = await serveHere(['{ latency: { constant: 30ms } }', '{ cached: {} }']);
    folder = withSuite();
    const started = NAMES.map((name) => startWorker(name, nats.url, folder, service.url));
    // All that the coordinator says and hears is seen on the way.
    const run = startCoordinator(`nats://127.0.0.1:${proxy.port}`, folder, service.url, NAMES.length, ['--run', 'r1']);
    coordinator = await run.ended;
    workers = await Promise.all(started.map(({ ended }) => ended));
    stats = await service.stats();
  });
  afterAll(async () => {
    await proxy?.close();
    await service?.close();
    await nats?.stop();
  });

  it('a run of a fleet ends with 0 at the coordinator and at each worker, and says who joined', () => {
    expect([coordinator.code, ...workers.map(({ code }) => code)]).toEqual([0, 0, 0]);
    expect(coordinator.stderr).toMatch(/2 of 2 workers: [ab] joined, noise floor/);
    expect(coordinator.stderr).toContain(`${REQUESTS} / ${REQUESTS} requests sent, 6 of 6 groups of takes begun`);
    expect(coordinator.stdout).toContain('merged from 2');
  });

  it('a run of a fleet sends each request once, and never has more in flight than the concurrency', () => {
    const route = stats.routes[ROUTE];
    expect(route?.started).toBe(REQUESTS);
    expect(route?.mostInFlight).toBeLessThanOrEqual(CONCURRENCY);
    const sent = sentByTrial(NAMES.flatMap((name) => shardsOf(folder, name, 'fleet')));
    expect([...sent.values()].filter((times) => times > 1)).toEqual([NAMES.length, NAMES.length]);
    expect(analysisOf(merged()).run).toMatchObject({ complete: true, requestsSent: 24 + 2 });
  });

  it('slices of a fleet do not overlap at the service', () => {
    const slices = new Map<number, { fromMs: number; toMs: number }>();
    const requests = stats.requests
      .filter(({ route }) => route === ROUTE)
      .toSorted((x, y) => x.receivedMs - y.receivedMs);
    expect(requests).toHaveLength(REQUESTS);
    const samples = NAMES.flatMap((name) => shardsOf(folder, name, 'fleet')).flatMap(
      (shard) => journalOf(shard).samples,
    );
    const sliceOf = new Map(samples.map(({ reported, slice }) => [reported.requestId ?? '', slice]));
    for (const { id, receivedMs, finishedMs } of requests) {
      const slice = sliceOf.get(id);
      if (slice === undefined) continue;
      const known = slices.get(slice) ?? { fromMs: receivedMs, toMs: finishedMs };
      slices.set(slice, { fromMs: Math.min(known.fromMs, receivedMs), toMs: Math.max(known.toMs, finishedMs) });
    }
    const inOrder = [...slices].sort(([x], [y]) => x - y).map(([, span]) => span);
    expect(inOrder.length).toBeGreaterThan(5);
    for (const [at, span] of inOrder.entries()) {
      expect(span.fromMs).toBeGreaterThanOrEqual(inOrder[at - 1]?.toMs ?? 0);
    }
  });

  it('a run of a fleet is recorded as merged, with how far its workers kept in step', async () => {
    const { merged: made } = runOf(merged());
    expect(made?.shards.map(({ index, concurrency }) => [index, concurrency])).toEqual([
      [1, 2],
      [2, 1],
    ]);
    expect(made?.together).toMatchObject({
      slices: 6,
      spreadMs: { p50: expect.any(Number), most: expect.any(Number) },
    });
    expect((await retakeHere(['report', merged(), '--format', 'html'], folder)).code).toBe(0);
    const page = readFileSync(join(merged(), 'report.html'), 'utf8');
    expect(page).toContain('the workers of a fleet began 6 groups of takes together');
  });

  it('a run of a fleet gives the reports of its shards merged by hand', async () => {
    const shards = NAMES.flatMap((name) => shardsOf(folder, name, 'fleet'));
    const copied = NAMES.map((_, at) => join(folder, 'results', 'fleet', `r1-${at + 1}of${NAMES.length}`));
    for (const [at, shard] of shards.entries()) {
      for (const file of ['run.json', 'journal.jsonl', 'facts.jsonl']) {
        expect(readFileSync(join(copied[at] ?? '', file)).equals(readFileSync(join(shard, file)))).toBe(true);
      }
    }
    const ended = await retakeHere(['merge', ...shards, '--out', 'by-hand'], folder);
    expect(ended.code).toBe(0);
    const byHand = join(folder, 'by-hand', 'fleet', 'r1');
    for (const file of ['samples.csv', 'measures.csv', 'comparisons.csv', 'journal.jsonl']) {
      expect(readFileSync(join(merged(), file), 'utf8')).toBe(readFileSync(join(byHand, file), 'utf8'));
    }
    // Two processes examine: facts stand in the order in which they were found.
    const factsOf = (run: string) => readFileSync(join(run, 'facts.jsonl'), 'utf8').split('\n').toSorted();
    expect(factsOf(merged())).toEqual(factsOf(byHand));
    const without = ({ warnings, run: { shards: summary, ...run }, ...rest }: Analysis) => {
      const { together, ...shardsOnly } = summary ?? { together: undefined };
      return { ...rest, run, shardsOnly, codes: warnings.map(({ code }) => code) };
    };
    expect(without(analysisOf(merged()))).toEqual(without(analysisOf(byHand)));
  });

  it('the key of the service is in no message and no file of the coordinator', () => {
    const bytes = Buffer.concat([
      proxy.seen(),
      bytesBelow(join(folder, 'results')),
      Buffer.from(coordinator.stdout + coordinator.stderr),
    ]);
    expect(bytes.byteLength).toBeGreaterThan(100_000);
    for (const form of [KEY, Buffer.from(KEY).toString('base64').slice(0, 20), Buffer.from(KEY).toString('hex')]) {
      expect(bytes.includes(form)).toBe(false);
    }
  });
});

describe.skipIf(NO_NATS_SERVER !== null)('a fleet that does not fit', () => {
  let nats: NatsServer;
  let service: ServedService;
  let silent: Server;
  let silenced: Promise<Ended>;
  const silentUrl = () => {
    const address = silent.address();
    return `nats://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  };
  beforeAll(async () => {
    nats = await startNatsServer();
    service = await serveHere();
    silent = createServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    // It takes as long as a server may take to answer, while the others are refused.
    silenced = startCoordinator(silentUrl(), withSuite(), service.url, 2).ended;
  });
  afterAll(async () => {
    silent?.close();
    await service?.close();
    await nats?.stop();
  });

  const refusedRun = async (more: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> => {
    const args = ['run', 'suite.yaml', '--fleet', nats.url, '--workers', '2', ...more];
    const { code, stderr } = await retakeHere(args, withSuite(), { RETAKE_BASE_URL: service.url, ...env });
    expect(code).toBe(2);
    return stderr.replaceAll(/\s+/g, ' ');
  };

  it.each<[string, readonly string[], RegExp]>([
    ['a sweep', ['--set', 'load.concurrency=[2,4]'], /a sweep cannot be split/],
    ['the probe load', ['--set', 'probes=[load]'], /the probe load cannot be split/],
    ['--confirm', ['--confirm'], /--confirm cannot be used with --fleet/],
    ['--until-decided', ['--until-decided'], /--until-decided cannot be used with --fleet/],
    ['--shard', ['--shard', '1/2', '--run', 'x'], /--shard cannot be used with --fleet/],
    ['--label', ['--label', 'x'], /--label cannot be used with --fleet/],
    ['a wrong --vantage', ['--vantage', '../eu'], /is not a valid name of a place/],
    ['too little concurrency', ['--workers', '4'], /load.concurrency is 3, too few for 4 shards/],
    ['no worker', ['--workers', '0'], /--workers takes a whole number from 1; write --workers 2/],
    ['another machine without TLS', ['--fleet', 'nats://192.0.2.1:4222'], /without encryption/],
    ['a password in the URL', ['--fleet', 'nats://u:secret@127.0.0.1:4222'], /contains a user or a password/],
    ['another scheme', ['--fleet', 'http://127.0.0.1:4222'], /is not a valid URL of a NATS server/],
    ['no server', ['--fleet', 'nats://127.0.0.1:9'], /no NATS server answers/],
    ['a file without a key', ['--key', 'suite.yaml'], /does not contain a key/],
    ['a key that is not there', ['--key', 'none.key'], /none\.key/],
    ['the embedded service', [], /base_url is embedded:/],
  ])('a fleet refuses %s before anything is sent', async (what, more, says) => {
    const env = what === 'the embedded service' ? { RETAKE_BASE_URL: 'embedded:' } : {};
    const said = await refusedRun(more, env);
    expect(said).toMatch(says);
    expect(said).not.toContain('secret');
    expect((await service.stats()).routes[ROUTE]).toBeUndefined();
  });

  it('a fleet refuses a worker that differs, and says what; nothing is sent', async () => {
    const folder = withSuite();
    const run = startCoordinator(nats.url, folder, service.url, 2, ['--vantage', 'eu']);
    await run.saysOnError('waits for 2 workers');
    // The first of all; the coordinator has said what it wants.
    const other = await startWorker('c', nats.url, folder, service.url, ['--vantage', 'us']).ended;
    expect([other.code, other.stderr]).toEqual([
      2,
      expect.stringMatching(/this worker has the vantage us, the fleet has eu/),
    ]);
    // Ctrl-C at a worker before the run frees its place and name.
    const early = startWorker('a', nats.url, folder, service.url, ['--vantage', 'eu']);
    await run.saysOnError('1 of 2 workers: a (vantage eu) joined');
    early.kill('SIGINT');
    await run.saysOnError('a left: it was interrupted, before the run began; start it again');
    expect((await early.ended).code).toBe(3);
    const first = startWorker('a', nats.url, folder, service.url, ['--vantage', 'eu']);
    await run.saysOnError('1 of 2 workers: a (vantage eu) joined', 2);
    const worker = async (name: string, more: readonly string[], url = service.url): Promise<string> => {
      const { code, stderr } = await startWorker(name, nats.url, folder, url, more).ended;
      expect(code).toBe(2);
      return stderr;
    };
    const said = await Promise.all([
      worker('b', ['--set', 'repeats=3', '--vantage', 'eu']),
      worker('c', []),
      worker('d', ['--vantage', 'eu'], service.url.replace('127.0.0.1', 'localhost')),
      worker('a', ['--vantage', 'eu']),
      worker('not.a.name', []),
    ]);
    expect(said[0]).toMatch(/the coordinator and this worker have different suites/);
    expect(said[1]).toMatch(/this worker has the vantage none, the fleet has eu/);
    expect(said[2]).toMatch(/different environment variables: RETAKE_BASE_URL/);
    expect(said[3]).toMatch(/the fleet has another worker of this name/);
    expect(said[4]).toMatch(/"not\.a\.name" is not a valid name of a worker/);
    run.kill('SIGINT');
    expect((await run.ended).code).toBe(3);
    expect((await first.ended).code).toBe(2);
    expect((await service.stats()).routes[ROUTE]).toBeUndefined();
  });

  it('a fleet refuses a run whose folder a worker or the coordinator has; nothing is sent', async () => {
    const folder = withSuite();
    mkdirSync(join(folder, 'a', 'fleet', 'r1-1of2'), { recursive: true });
    const started = ['a', 'b'].map((name) => startWorker(name, nats.url, folder, service.url));
    const run = await startCoordinator(nats.url, folder, service.url, 2, ['--run', 'r1']).ended;
    expect(run.code).toBe(2);
    expect(run.stderr).toContain(
      'a has a folder of run r1 already; use another --run: start the coordinator and all workers again',
    );
    expect((await Promise.all(started.map(({ ended }) => ended))).map(({ code }) => code)).toEqual([2, 2]);
    mkdirSync(join(folder, 'results', 'fleet', 'r2-2of2'), { recursive: true });
    const own = await startCoordinator(nats.url, folder, service.url, 2, ['--run', 'r2']).ended;
    expect([own.code, own.stderr]).toEqual([2, expect.stringContaining('run r2 was started before')]);
    expect((await service.stats()).routes[ROUTE]).toBeUndefined();
  });

  it('a server that accepts connections and says nothing is refused', async () => {
    const { code, stderr } = await silenced;
    expect([code, stderr]).toEqual([2, expect.stringContaining(`no NATS server answers at ${silentUrl()}`)]);
  });
});

describe.skipIf(NO_NATS_SERVER !== null)('a fleet that is broken off', () => {
  const open = async (latency: string) => {
    const nats = await startNatsServer();
    const service = await serveHere([`{ latency: { constant: ${latency} } }`, '{ cached: {} }']);
    onTestFinished(async () => {
      await service.close();
      await nats.stop();
    });
    return { nats, service, folder: withSuite() };
  };

  it('Ctrl-C at the coordinator of a fleet drains all workers, and merges what they have', async () => {
    const { nats, service, folder } = await open('100ms');
    const started = ['a', 'b'].map((name) => startWorker(name, nats.url, folder, service.url));
    const run = startCoordinator(nats.url, folder, service.url, 2, ['--run', 'r1', '--json']);
    await run.prints(/"event":"slice","slice":3/);
    run.kill('SIGINT');
    const [ended, ...workers] = await Promise.all([run.ended, ...started.map((each) => each.ended)]);
    expect([ended.code, ...workers.map(({ code }) => code)]).toEqual([3, 3, 3]);
    for (const { stderr } of workers) expect(stderr).toContain('the coordinator of the fleet ended the run');
    const { run: summary } = analysisOf(join(folder, 'results', 'fleet', 'r1'));
    expect(summary.shards?.missing).toEqual([]);
    expect(summary.shards?.merged.map(({ stop }) => stop)).toEqual([
      { reason: 'fleet', code: 'told' },
      { reason: 'fleet', code: 'told' },
    ]);
    const sent = sentByTrial(['a', 'b'].flatMap((name) => shardsOf(folder, name, 'fleet')));
    expect((await service.stats()).routes[ROUTE]?.started).toBe(
      [...sent.values()].reduce((all, each) => all + each, 0),
    );
  });

  // That its shard is resumed and merged, fleet-killed.test.ts holds.
  it('Ctrl-C at a worker of a fleet ends that worker alone', async () => {
    const { nats, service, folder } = await open('100ms');
    const [a, b] = ['a', 'b'].map((name) => startWorker(name, nats.url, folder, service.url));
    const run = startCoordinator(nats.url, folder, service.url, 2, ['--run', 'r1', '--json']);
    await run.prints(/"event":"slice","slice":3/);
    a?.kill('SIGINT');
    const codes = await Promise.all([run, a, b].map(async (each) => (await each?.ended)?.code));
    expect(codes).toEqual([3, 3, 0]);
    const sent = sentByTrial(['a', 'b'].flatMap((name) => shardsOf(folder, name, 'fleet')));
    expect((await service.stats()).routes[ROUTE]?.started).toBe(
      [...sent.values()].reduce((sum, each) => sum + each, 0),
    );
  });
});
