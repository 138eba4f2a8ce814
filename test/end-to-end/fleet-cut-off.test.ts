import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { describe, expect, it, type TestContext } from 'vitest';
import { PIECE_BYTES } from '../../src/record/hand-over.ts';
import { createRandom } from '../../src/statistics/random.ts';
import { type FleetProcesses, fleetProcesses, sentByTrial, startCoordinator } from '../fixtures/fleet-processes.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { serveImages, smallImage, writePainter } from '../fixtures/image-server.ts';
import { NO_NATS_SERVER, startNatsServer } from '../fixtures/nats-server.ts';
import { startTcpProxy, type TcpProxy } from '../fixtures/proxies.ts';
import { type Ended, filesBelow, journalOf, retakeHere, type Started } from '../fixtures/retake-process.ts';
import { NIGHTLY } from '../test-options.ts';

/* Processes of a fleet that are cut off from the others, or stopped, with the times of a real run. */

/** Beats of a worker that are not answered for so long end its run. */
const DRAINS_AFTER_MS = 20_000;
/** From looking at the clock to the last request of a schedule; the machine is busy with other processes. */
const SLACK_MS = 1500;
const BREAKS = 5;

const suiteOf = (seeds: number, load: string): string => `suite: 1
name: cut
variants:
  usual: { target: ./painter.yaml }
prompts: [A red fox]
seeds: { first: 1, count: ${seeds} }
repeats: 1
load: ${load}
gate: []
reports: [json]
`;

/** A request, on the clock of this process. */
interface Submit {
  readonly seed: number;
  readonly atMs: number;
}

interface CutFleet {
  readonly fleet: FleetProcesses;
  /** All that the service was asked. */
  readonly submits: readonly Submit[];
  readonly folder: string;
  /** The way of one process to the NATS server. */
  readonly way: TcpProxy;
  /** The flags of the process whose way it is. */
  readonly over: readonly string[];
}

interface Opening {
  readonly suite: string;
  readonly workers: readonly string[];
  readonly latencyMs: number;
  readonly paint?: typeof smallImage;
  /** Of each piece on the way that can be cut. */
  readonly delayMs?: number;
}

/** Of tests that run side by side each has its own end. */
type Ending = Pick<TestContext, 'onTestFinished'>;

async function openFleet(
  { onTestFinished }: Ending,
  { suite, workers, latencyMs, paint = smallImage, delayMs }: Opening,
): Promise<CutFleet> {
  const nats = await startNatsServer();
  const way = await startTcpProxy(Number(new URL(nats.url).port), delayMs === undefined ? {} : { delayMs });
  const submits: Submit[] = [];
  const service = await serveImages(async (body) => {
    const { seed }: { readonly seed: number } = JSON.parse(body);
    submits.push({ seed, atMs: performance.now() });
    await sleep(latencyMs);
    return paint(body);
  });
  onTestFinished(async () => {
    await way.close();
    await service.close();
    await nats.stop();
  });
  const folder = freshFolder();
  writePainter(folder, service.url);
  writeFileSync(join(folder, 'suite.yaml'), suite);
  const fleet = fleetProcesses({ folder, suite: 'cut', run: 'r', url: nats.url, workers });
  return { fleet, submits, folder, way, over: ['--fleet', `nats://127.0.0.1:${way.port}`] };
}

/** Resolves when the journal of a shard has so many intents. Fails where its worker ends before. */
async function untilSent(shard: string, intents: number, { ended }: Started): Promise<void> {
  let end: Ended | null = null;
  void ended.then((ending) => {
    end = ending;
  });
  while (!existsSync(join(shard, 'journal.jsonl')) || journalOf(shard).intents.length < intents) {
    expect(end).toBeNull();
    await sleep(20);
  }
}

/** The slices of the plan that a shard has begun. */
async function slicesOf({ fleet, folder }: CutFleet, worker: string): Promise<readonly number[]> {
  const { stdout } = await retakeHere(['plan', 'suite.yaml', '--json'], folder);
  const lines = stdout.split('\n').filter((line) => line.startsWith('{"slice"'));
  const sliceOf = new Map(
    lines.map((line): [string, number] => {
      const { id, slice }: { readonly id: string; readonly slice: number } = JSON.parse(line);
      return [id, slice];
    }),
  );
  const { intents } = journalOf(fleet.shardOf(worker));
  return [...new Set(intents.map(({ trial }) => sliceOf.get(trial.id) ?? -1))];
}

/** Resumes a shard, merges both, and holds the journals against the service: all is there, each request once. */
async function expectWhole({ fleet, submits, folder }: CutFleet, lost: string, other: string): Promise<void> {
  const resumed = await retakeHere(['run', '--resume', fleet.shardOf(lost), '--yes'], folder);
  expect([resumed.code, resumed.stderr]).toEqual([0, expect.any(String)]);
  const shards = [lost, other].map(fleet.shardOf);
  const merged = await retakeHere(['merge', ...shards, '--out', 'all'], folder);
  expect([merged.code, merged.stderr]).toEqual([0, expect.any(String)]);
  const sent = sentByTrial(shards);
  expect([...sent.values()].filter((times) => times > 1)).toEqual([]);
  expect(submits).toHaveLength(sent.size);
  expect(new Set(submits.map(({ seed }) => seed)).size).toBe(sent.size);
}

const CLOSED: Opening = { suite: suiteOf(60, '{ concurrency: 2, warmup: 0 }'), workers: ['a', 'b'], latencyMs: 300 };

/** About 300 KB of noise. */
async function largeImage(body: string): ReturnType<typeof smallImage> {
  const { uniform } = createRandom(Number(/\d+/.exec(body)?.[0] ?? 0));
  const pixels = Buffer.from(Array.from({ length: 320 * 320 * 3 }, () => Math.floor(256 * uniform())));
  const image = sharp(pixels, { raw: { width: 320, height: 320, channels: 3 } });
  return { type: 'image/png', bytes: await image.png().toBuffer() };
}

const inTheNight = it.runIf(NIGHTLY);
const why = NO_NATS_SERVER === null ? '' : ` (${NO_NATS_SERVER})`;

describe.skipIf(NO_NATS_SERVER !== null).concurrent(`a fleet whose processes are cut off${why}`, () => {
  inTheNight(
    'a worker of an open load that is cut off sends its schedule for 20 s and then nothing; the others send theirs whole',
    async (test) => {
      const [seeds, rate] = [140, 4];
      const load = `{ mode: open, rate: ${rate}/s, arrivals: constant, concurrency: 40, warmup: 0 }`;
      const names = ['a', 'b', 'c', 'd'];
      const { fleet, submits, folder, way, over } = await openFleet(test, {
        suite: suiteOf(seeds, load),
        workers: names,
        latencyMs: 50,
      });
      const work = (name: string) => fleet.work(name, ['--yes', ...(name === 'b' ? over : [])]);
      const [a, b, c, d] = [work('a'), work('b'), work('c'), work('d')];
      const coordinator = fleet.coordinate(['--yes', '--quiet']);
      await untilSent(fleet.shardOf('b'), 2, b);
      const cutMs = performance.now();
      way.pass(false);
      const ended = await Promise.all([coordinator, a, b, c, d].map((each) => each.ended));
      expect(
        ended.map(({ code }) => code),
        ended.map(({ stderr }) => stderr).join('\n\n'),
      ).toEqual([3, 0, 3, 0, 0]);
      expect((await coordinator.ended).stderr).toMatch(
        /lost b: not heard for 30 s; it measures r-2of4, and at its last report had sent \d+ requests?;/,
      );
      const seedsOf = (name: string) => journalOf(fleet.shardOf(name)).intents.map(({ trial }) => trial.seed ?? 0);
      const own = new Set(seedsOf('b'));
      const ofIt = submits.filter(({ seed }) => own.has(seed));
      const lastMs = Math.max(...ofIt.map(({ atMs }) => atMs));
      expect(lastMs - cutMs).toBeLessThan(DRAINS_AFTER_MS + SLACK_MS);
      // One arrival in a second is its part: it went on while it was cut off.
      expect(ofIt.filter(({ atMs }) => atMs > cutMs).length).toBeGreaterThan(10);
      expect(own.size).toBeLessThan(seeds / names.length);
      for (const name of ['a', 'c', 'd']) expect(seedsOf(name)).toHaveLength(seeds / names.length);
      expect(new Set(submits.map(({ seed }) => seed)).size).toBe(submits.length);
      expect(submits).toHaveLength(own.size + (seeds * 3) / 4);
      const analysis = JSON.parse(readFileSync(join(folder, 'coordinator', 'cut', 'r', 'analysis.json'), 'utf8'));
      expect(analysis.run.shards.missing).toEqual([2]);
    },
  );

  inTheNight('a worker that is cut off ends its slice, sends nothing more and stops after 20 s', async (test) => {
    const opened = await openFleet(test, CLOSED);
    const { fleet, way, over } = opened;
    const a = fleet.work('a', ['--yes']);
    const b = fleet.work('b', ['--yes', ...over]);
    const coordinator = fleet.coordinate(['--yes']);
    await untilSent(fleet.shardOf('b'), 4, b);
    way.pass(false);
    const cutMs = performance.now();
    const slices = await slicesOf(opened, 'b');
    const lost = await b.ended;
    expect(performance.now() - cutMs).toBeLessThan(DRAINS_AFTER_MS + 5000 + SLACK_MS);
    expect([lost.code, (await coordinator.ended).code, (await a.ended).code]).toEqual([3, 3, 0]);
    expect(lost.stderr).toContain('the coordinator of the fleet did not answer for 20 s');
    expect((await coordinator.ended).stderr).toContain('lost b: not heard for 30 s');
    expect(await slicesOf(opened, 'b')).toEqual(slices);
    await expectWhole(opened, 'b', 'a');
  });

  inTheNight('a worker that is stopped for 40 s ends its slice when it wakes, and sends nothing more', async (test) => {
    const opened = await openFleet(test, CLOSED);
    const { fleet } = opened;
    const a = fleet.work('a', ['--yes']);
    const b = fleet.work('b', ['--yes']);
    const coordinator = fleet.coordinate(['--yes']);
    await untilSent(fleet.shardOf('b'), 4, b);
    b.kill('SIGSTOP');
    const slices = await slicesOf(opened, 'b');
    await sleep(40_000);
    b.kill('SIGCONT');
    expect([(await coordinator.ended).code, (await a.ended).code, (await b.ended).code]).toEqual([3, 0, 3]);
    expect((await coordinator.ended).stderr).toContain('lost b: not heard for 30 s');
    expect(slices.length).toBeGreaterThan(1);
    expect(await slicesOf(opened, 'b')).toEqual(slices);
    await expectWhole(opened, 'b', 'a');
  });

  inTheNight('a worker that is cut off for 15 s goes on, and the run is whole', async (test) => {
    const { fleet, submits, way, over } = await openFleet(test, CLOSED);
    const a = fleet.work('a', ['--yes']);
    const b = fleet.work('b', ['--yes', ...over]);
    const coordinator = fleet.coordinate(['--yes']);
    await untilSent(fleet.shardOf('b'), 4, b);
    way.pass(false);
    await sleep(15_000);
    way.pass(true);
    const codes = await Promise.all([coordinator, a, b].map(async ({ ended }) => (await ended).code));
    expect(codes).toEqual([0, 0, 0]);
    expect(submits).toHaveLength(60);
    expect(new Set(submits.map(({ seed }) => seed)).size).toBe(60);
  });

  inTheNight('a hand-over that is broken off 5 times is whole, and reads nothing twice but a piece', async (test) => {
    const { fleet, folder, way, over } = await openFleet(test, {
      suite: suiteOf(120, '{ concurrency: 2, warmup: 0 }'),
      workers: ['a', 'b'],
      latencyMs: 5,
      paint: largeImage,
      delayMs: 10,
    });
    const workers = ['a', 'b'].map((name) => fleet.work(name, ['--yes']));
    const coordinator = fleet.coordinate(['--yes', ...over]);
    await coordinator.saysOnError('all workers have measured');
    const before = way.passed();
    for (let each = 0; each < BREAKS; each += 1) {
      const arrived = way.passed();
      while (way.passed() < arrived + 6 * PIECE_BYTES) await sleep(5);
      way.drop();
    }
    const codes = await Promise.all([coordinator, ...workers].map(async ({ ended }) => (await ended).code));
    expect(codes).toEqual([0, 0, 0]);
    const passed = way.passed() - before;
    let bytes = 0;
    for (const [at, name] of ['a', 'b'].entries()) {
      const copy = join(folder, 'coordinator', 'cut', `r-${at + 1}of2`);
      for (const file of filesBelow(copy)) {
        const copied = readFileSync(file);
        bytes += copied.byteLength;
        expect(copied.equals(readFileSync(file.replace(copy, fleet.shardOf(name)))), file).toBe(true);
      }
    }
    expect(bytes).toBeGreaterThan(BREAKS * 6 * PIECE_BYTES);
    // A piece of each worker is in flight. Names, digests and beats are small beside pieces.
    expect(passed).toBeLessThan(bytes + BREAKS * 2 * PIECE_BYTES + PIECE_BYTES);
    console.log(`${bytes} bytes of two records, ${passed} on the way`);
  });

  it('a command whose server accepts connections and says nothing ends with a refusal', async (test) => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    test.onTestFinished(() => void silent.close());
    await once(silent, 'listening');
    const address = silent.address();
    const url = `nats://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
    const folder = freshFolder();
    writeFileSync(join(folder, 'suite.yaml'), suiteOf(4, '{ concurrency: 2 }'));
    writePainter(folder, 'http://127.0.0.1:9');
    const { code, stderr } = await startCoordinator(url, folder, '', 2).ended;
    expect([code, stderr]).toEqual([2, expect.stringContaining(`no NATS server answers at ${url}`)]);
  });
});
