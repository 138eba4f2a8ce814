import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { coordinatorChannel } from '../../src/fleet/channel.ts';
import { togetherOf } from '../../src/fleet/coordinator.ts';
import {
  connected,
  coordinate,
  faultsIn,
  helloOf,
  type Sent,
  SHORT,
  startCoordinator,
  startWorker,
  type TestWorker,
  type WorkerOptions,
} from '../fixtures/fleet-in-process.ts';
import { listening } from '../fixtures/listening.ts';
import { type NatsServer, NO_NATS_SERVER, startNatsServer } from '../fixtures/nats-server.ts';
import { startTcpProxy, type TcpProxy } from '../fixtures/proxies.ts';
import { draws, NIGHTLY } from '../test-options.ts';

async function server(): Promise<NatsServer> {
  const started = await startNatsServer();
  onTestFinished(started.stop);
  return started;
}

/** A way to the server that the test can cut. */
async function proxyTo({ url }: NatsServer, delayMs = 0): Promise<TcpProxy & { readonly url: string }> {
  const proxy = await startTcpProxy(Number(new URL(url).port), { delayMs });
  onTestFinished(proxy.close);
  return { ...proxy, url: `nats://127.0.0.1:${proxy.port}` };
}

const to = (slices: number) => Array.from({ length: slices }, (_, at) => at);
const slicesOf = (sent: readonly Sent[], name: string) =>
  sent.filter((each) => each.name === name).map(({ slice }) => slice);
const HANDED_OVER = { stop: { reason: 'finished' }, isHandedOver: true };
const UNANSWERED = { stop: { reason: 'fleet', code: 'unanswered' }, isHandedOver: false };
const TOLD = { stop: { reason: 'fleet', code: 'told' }, isHandedOver: true };

type Member = Pick<WorkerOptions, 'slices'> & Partial<WorkerOptions>;

/** A coordinator and its workers by name, which send as soon as all have joined. `over`: the coordinator's way. */
async function fleetOf<Name extends string>(
  url: string,
  members: Readonly<Record<Name, Member>>,
  { over = url, ...options }: { readonly over?: string } & Parameters<typeof startCoordinator>[1] = {},
) {
  const sent: Sent[] = [];
  const leading = await startCoordinator(over, options);
  const names = Object.keys(members) as Name[];
  const all = coordinate(leading.coordinator, names.length);
  const started = names.map(async (name) => [name, await startWorker({ url, name, sent, ...members[name] })] as const);
  const workers = Object.fromEntries(await Promise.all(started)) as Record<Name, TestWorker>;
  const ended = () => Promise.all(names.map((name) => workers[name].ended));
  return { ...leading, sent, all, workers, ended };
}

/** Long enough for messages that are on their way, and for beats, to arrive. */
const SETTLES_MS = 400;

describe.skipIf(NO_NATS_SERVER !== null)(
  `a fleet over a NATS server${NO_NATS_SERVER ? ` (${NO_NATS_SERVER})` : ''}`,
  () => {
    it('workers send slices in step, each once, those with nothing in a slice wait, and all are handed over', async () => {
      const { url } = await server();
      const takesMs = (slice: number) => (slice % 3) * 7;
      const { sent, events, all, ended } = await fleetOf(url, {
        a: { slices: to(40), takesMs },
        b: { slices: to(40).filter((slice) => slice % 2 === 0), takesMs },
        c: { slices: [0, 7, 8, 39], takesMs },
      });
      const begun = await all;
      expect(await ended()).toEqual([HANDED_OVER, HANDED_OVER, HANDED_OVER]);
      expect(faultsIn(sent)).toEqual([]);
      expect(slicesOf(sent, 'a')).toEqual(to(40));
      expect(slicesOf(sent, 'b')).toHaveLength(20);
      expect(slicesOf(sent, 'c')).toEqual([0, 7, 8, 39]);
      expect(togetherOf(begun)).toMatchObject({ slices: 40 });
      expect(events.map(({ event }) => event)).toEqual([
        'joined',
        'joined',
        'joined',
        ...to(40).map(() => 'slice'),
        'measured',
      ]);
    });

    it('messages with a delay keep workers in step too', async () => {
      const nats = await server();
      const far = await proxyTo(nats, 40);
      const times = { everyMs: 300, drainsAfterMs: 3000, lostAfterMs: 4500 };
      const members = { near: { slices: to(8), times }, far: { url: far.url, slices: to(8), times } };
      const { sent, all, ended } = await fleetOf(nats.url, members, { times });
      const begun = await all;
      expect(await ended()).toEqual([HANDED_OVER, HANDED_OVER]);
      expect(faultsIn(sent)).toEqual([]);
      expect(sent).toHaveLength(16);
      const { spreadMs } = togetherOf(begun);
      expect(spreadMs.p50).toBeGreaterThanOrEqual(79);
    });

    it('a worker that is cut off ends its slice and sends no more; the others go on, and it gets no go when it is back', async () => {
      const nats = await server();
      const way = await proxyTo(nats);
      const { sent, all, workers, says, events } = await fleetOf(nats.url, {
        stays: { slices: to(12), takesMs: () => 40 },
        cut: { url: way.url, slices: to(12), takesMs: () => 40 },
      });
      while (!slicesOf(sent, 'cut').includes(3)) await sleep(2);
      way.pass(false);
      await says('lost', 'cut');
      expect(await workers.cut.ended).toEqual(UNANSWERED);
      way.pass(true);
      await all;
      expect(await workers.stays.ended).toEqual(HANDED_OVER);
      await sleep(SETTLES_MS);
      expect(slicesOf(sent, 'cut')).toEqual([0, 1, 2, 3]);
      expect(slicesOf(sent, 'stays')).toEqual(to(12));
      expect(faultsIn(sent)).toEqual([]);
      const told = events.flatMap((each) => (each.event === 'slice' ? [each.names] : []));
      expect(told.slice(4)).toEqual(to(8).map(() => ['stays']));
      expect(events.filter(({ event }) => event === 'lost')).toHaveLength(1);
    });

    it('a worker whose cut is mended before it drains goes on, and no slice begins twice', async () => {
      const nats = await server();
      const way = await proxyTo(nats);
      const { sent, all, ended, events } = await fleetOf(nats.url, {
        stays: { slices: to(10), takesMs: () => 30 },
        cut: { url: way.url, slices: to(10), takesMs: () => 30 },
      });
      while (!slicesOf(sent, 'cut').includes(2)) await sleep(2);
      way.pass(false);
      await sleep(250);
      way.pass(true);
      await all;
      expect(await ended()).toEqual([HANDED_OVER, HANDED_OVER]);
      expect(faultsIn(sent)).toEqual([]);
      expect(sent).toHaveLength(20);
      expect(events.some(({ event }) => event === 'lost')).toBe(false);
    });

    it.each([
      { how: 'cut off', end: (way: TcpProxy) => way.pass(false) },
      { how: 'killed', end: (_: TcpProxy, kill: () => Promise<void>) => kill() },
    ])('workers whose coordinator is $how end their slice and send no more', async ({ end }) => {
      const nats = await server();
      const way = await proxyTo(nats);
      const member = { slices: to(100), takesMs: () => 30 };
      const { sent, kill, ended } = await fleetOf(nats.url, { a: member, b: member }, { over: way.url });
      while (!sent.some(({ slice }) => slice === 4)) await sleep(2);
      const cutAtMs = performance.now();
      await end(way, kill);
      expect(await ended()).toEqual([UNANSWERED, UNANSWERED]);
      way.pass(true);
      await sleep(SETTLES_MS);
      expect(sent.filter(({ fromMs }) => fromMs > cutAtMs).length).toBeLessThanOrEqual(2);
      for (const name of ['a', 'b']) expect(slicesOf(sent, name).length).toBeLessThanOrEqual(6);
      expect(faultsIn(sent)).toEqual([]);
    });

    it('a server that is killed and started again in time loses nothing and begins nothing twice', async () => {
      const nats = await server();
      const times = { everyMs: 50, drainsAfterMs: 6000, lostAfterMs: 9000 };
      const member = { slices: to(12), times, takesMs: () => 30 };
      const { sent, all, ended, events } = await fleetOf(nats.url, { a: member, b: member, c: member }, { times });
      while (!sent.some(({ slice }) => slice === 4)) await sleep(2);
      await nats.kill();
      await nats.restart();
      await all;
      expect(await ended()).toEqual([HANDED_OVER, HANDED_OVER, HANDED_OVER]);
      expect(faultsIn(sent)).toEqual([]);
      expect(sent).toHaveLength(36);
      expect(events.some(({ event }) => event === 'lost')).toBe(false);
    });

    it('a go that arrives after a worker was stopped for too long begins nothing, though no timer has fired yet', async () => {
      const { url } = await server();
      const { sent, all, workers, says } = await fleetOf(url, {
        slow: { slices: [0, 1], takesMs: () => 300 },
        late: { slices: [1] },
      });
      await says('slice');
      const other = coordinatorChannel(await connected(url, 'other'));
      workers.late.skip(SHORT.drainsAfterMs + 100);
      const answer = await other.ask('late', { ask: 'go', fleet: 'fleet-1', slice: 1 }, 1000);
      expect(answer).toEqual({ answer: 'refused', code: 'not_ready' });
      // It is still told to hand over what it has.
      expect(await workers.late.ended).toEqual(UNANSWERED);
      await all;
      expect(await workers.slow.ended).toEqual(HANDED_OVER);
      expect(slicesOf(sent, 'late')).toEqual([]);
    });

    // In the short form the two tests above hold it: a clock that skips, and a way that is cut.
    it.runIf(NIGHTLY)(
      'a worker process that is stopped (SIGSTOP) before a go and continued after it was lost begins nothing',
      async () => {
        const { url } = await server();
        const sent: Sent[] = [];
        const { coordinator, says } = await startCoordinator(url);
        const all = coordinate(coordinator, 2);
        const slow = await startWorker({ url, name: 'slow', slices: [0, 1, 2], sent, takesMs: () => 300 });
        const script = fileURLToPath(new URL('../fixtures/fleet-worker.mjs', import.meta.url));
        const child = spawn(process.execPath, [script, url, 'late', JSON.stringify({ slices: [1, 2], times: SHORT })], {
          stdio: ['ignore', 'pipe', 'inherit'],
        });
        onTestFinished(() => void child.kill('SIGKILL'));
        const lines: string[] = [];
        createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
        const exited = once(child, 'exit');
        await says('slice');
        child.kill('SIGSTOP');
        await says('lost', 'late');
        child.kill('SIGCONT');
        expect(await exited).toEqual([0, null]);
        expect(lines).toEqual(['waits 1', 'unanswered']);
        await all;
        expect(await slow.ended).toEqual(HANDED_OVER);
      },
    );

    it('a second coordinator on the same server gets no worker, begins nothing and disturbs nothing', async () => {
      const nats = await server();
      // The first is farther from the server: the second always answers before it.
      const far = await proxyTo(nats, 10);
      const member = { slices: to(8), takesMs: () => 60 };
      const { sent, all, says, ended } = await fleetOf(nats.url, { a: member, b: member }, { over: far.url });
      await says('slice');
      const second = await startCoordinator(nats.url, { fleet: 'fleet-2' });
      void coordinate(second.coordinator, 2);
      await all;
      expect(await ended()).toEqual([HANDED_OVER, HANDED_OVER]);
      expect(sent).toHaveLength(16);
      expect(faultsIn(sent)).toEqual([]);
      expect(second.events).toEqual([]);
      expect(second.coordinator.workers()).toEqual([]);
    });

    it('a worker that two coordinators wait for belongs to one, and the other does not keep it', async () => {
      const nats = await server();
      const far = await proxyTo(nats, 20);
      const sent: Sent[] = [];
      const near = await startCoordinator(nats.url, { fleet: 'near' });
      const other = await startCoordinator(far.url, { fleet: 'far' });
      const all = coordinate(near.coordinator, 2);
      void coordinate(other.coordinator, 3);
      const workers = await Promise.all(
        ['a', 'b'].map((name) => startWorker({ url: nats.url, name, slices: to(6), sent, takesMs: () => 60 })),
      );
      await all;
      for (const { ended } of workers) expect(await ended).toEqual(HANDED_OVER);
      expect(sent).toHaveLength(12);
      expect(other.events.filter(({ event }) => event === 'slice')).toEqual([]);
    });

    it('an ask in the name of another fleet is refused, and begins, stops and takes nothing', async () => {
      const { url } = await server();
      const { sent, all, says, ended } = await fleetOf(url, {
        slow: { slices: [0, 1], takesMs: () => 400 },
        waits: { slices: [1] },
      });
      await says('slice');
      const forger = coordinatorChannel(await connected(url, 'forger'));
      const fleet = 'fleet-2';
      const asks = [
        { ask: 'go', fleet, slice: 1 },
        { ask: 'stop', fleet, how: 'abort' },
        { ask: 'offer', fleet, run: 'x', index: 1, of: 1 },
        { ask: 'start', fleet },
        { ask: 'examine', fleet },
        { ask: 'list', fleet, from: 0, leaveMedia: false },
        { ask: 'read', fleet, name: 'run.json', from: 0 },
        { ask: 'leave', fleet },
      ] as const;
      // All at once: the slice of the slow one must last until they are answered.
      const asked = asks.flatMap((ask) => ['slow', 'waits'].map((name) => forger.ask(name, ask, 5000)));
      for (const answer of await Promise.all(asked)) expect(answer).toEqual({ answer: 'refused', code: 'other_fleet' });
      expect(sent.map(({ name, slice }) => [name, slice])).toEqual([['slow', 0]]);
      await all;
      expect(await ended()).toEqual([HANDED_OVER, HANDED_OVER]);
      expect(faultsIn(sent)).toEqual([]);
    });

    it('a coordinator that drains ends all: each ends its slice, and hands over what it has', async () => {
      const { url } = await server();
      const member = { slices: to(50), takesMs: () => 30 };
      const { sent, all, ended, says, drain, events } = await fleetOf(url, { a: member, b: member });
      await says('slice');
      drain();
      await all;
      expect(await ended()).toEqual([TOLD, TOLD]);
      expect(sent.length).toBeLessThanOrEqual(4);
      expect(events.filter(({ event }) => event === 'stopped')).toHaveLength(2);
    });

    it('a name that a worker has is refused to another process, and a full fleet takes no more', async () => {
      const { url } = await server();
      const sent: Sent[] = [];
      const { coordinator, says } = await startCoordinator(url);
      const all = coordinate(coordinator, 2);
      const a = await startWorker({ url, name: 'a', slices: [0], sent, takesMs: () => 300 });
      await says('joined', 'a');
      const twin = await startWorker({ url, name: 'a', slices: [0], sent });
      expect(await twin.joined).toMatchObject({ ok: false, why: 'refused', reply: { code: 'taken_name' } });
      const b = await startWorker({ url, name: 'b', slices: [0], sent });
      await says('slice');
      const more = await startWorker({ url, name: 'c', slices: [0], sent });
      expect(await more.joined).toMatchObject({ ok: false, why: 'refused', reply: { code: 'full' } });
      await all;
      for (const { ended } of [a, b]) expect(await ended).toEqual(HANDED_OVER);
      expect(sent.map(({ name }) => name).toSorted()).toEqual(['a', 'b']);
    });

    it('a worker that cannot go on because of the service stops all, and each hands over what it has', async () => {
      const { url } = await server();
      const { sent, all, workers, events } = await fleetOf(url, {
        a: { slices: to(40), takesMs: () => 20 },
        b: { slices: to(3), ends: { reason: 'no_credit', variant: 'x', message: '' } },
      });
      await all;
      expect(await workers.a.ended).toEqual(TOLD);
      expect(events).toContainEqual(expect.objectContaining({ event: 'stopped', reason: 'no_credit' }));
      expect(slicesOf(sent, 'a').length).toBeLessThan(40);
      expect(faultsIn(sent)).toEqual([]);
    });

    it('a worker that has measured and waits for the others leaves at once when it is interrupted', async () => {
      const { url } = await server();
      const { sent, all, workers, says } = await fleetOf(url, {
        a: { slices: to(30), takesMs: () => 30 },
        b: { slices: to(2) },
      });
      await expect.poll(() => slicesOf(sent, 'a').length).toBeGreaterThan(5);
      workers.b.interrupt();
      expect(await workers.b.ended).toEqual({ stop: { reason: 'finished' }, isHandedOver: false });
      expect(slicesOf(sent, 'a').length).toBeLessThan(30);
      await says('left', 'b');
      await all;
      expect(await workers.a.ended).toEqual(HANDED_OVER);
    });

    it('a worker that cannot go on because of its own machine ends alone', async () => {
      const { url } = await server();
      const b = { slices: to(3), ends: { reason: 'descriptors' } } as const;
      const { sent, all, workers } = await fleetOf(url, { a: { slices: to(12) }, b });
      await all;
      expect(await workers.a.ended).toEqual(HANDED_OVER);
      expect(slicesOf(sent, 'a')).toEqual(to(12));
    });

    it('a connection that breaks before the server has greeted is opened again', async () => {
      const { url } = await server();
      let tries = 0;
      const way = createServer((client) => {
        tries += 1;
        if (tries < 3) client.destroy();
        else client.pipe(connect(Number(new URL(url).port), '127.0.0.1')).pipe(client);
      });
      const { port, close } = await listening(way);
      onTestFinished(close);
      const connection = await connected(`nats://127.0.0.1:${port}`, 'a');
      expect([connection.mostBytes() > 0, tries]).toEqual([true, 3]);
    });

    it('messages of any other shape are not answered, and change nothing', async () => {
      const { url } = await server();
      const member = { slices: to(10), takesMs: () => 60 };
      const { sent, all, ended, says, events } = await fleetOf(url, { a: member, b: member });
      await says('slice');
      const forger = await connected(url, 'forger');
      const text = (value: unknown) => new TextEncoder().encode(JSON.stringify(value) ?? '');
      const broken = (value: object) =>
        fc
          .record({ key: fc.constantFrom(...Object.keys(value), 'more'), to: fc.jsonValue() })
          .map(({ key, to: changed }) => text({ ...value, [key]: changed }));
      const beat = { session: 's', number: 99, state: { at: 'left' }, sent: 0, failed: 0, mostUsd: 0 };
      const bytes = fc.oneof(
        fc.uint8Array({ maxLength: 300 }),
        fc.jsonValue().map(text),
        broken({ ask: 'go', fleet: 'other', slice: 1 }),
        broken({ ...helloOf('a'), session: 's', name: 'forged' }),
        broken(beat),
        fc.constant(new Uint8Array(300_000)),
      );
      const subject = fc
        .tuple(fc.constantFrom('to', 'hello', 'from'), fc.constantFrom('a', 'b'))
        .map((parts) => `retake.${parts.join('.')}`);
      const wellFormed = (reply: Uint8Array) => /"(other_fleet|taken_name)"/.test(new TextDecoder().decode(reply));
      await fc.assert(
        fc.asyncProperty(subject, bytes, async (where, message) => {
          const reply = await forger.request(where, message, 15);
          // By chance it may be a message: then it is refused.
          return reply === null || wellFormed(reply);
        }),
        { numRuns: draws(60) },
      );
      await all;
      expect(await ended()).toEqual([HANDED_OVER, HANDED_OVER]);
      expect(slicesOf(sent, 'a')).toEqual(to(10));
      expect(sent).toHaveLength(20);
      expect(events.map(({ event }) => event)).not.toContain('left');
    });
  },
);
