import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ENGINE_PACKAGE, loadEngine } from '../../src/fleet/engine.ts';
import type { Beat, Hello } from '../../src/fleet/messages.ts';
import { createRoll, type HeldWorker, nextToGo } from '../../src/fleet/roll.ts';
import { accepted } from '../../src/kit/diagnostic.ts';

import { withoutNodeAv } from '../fixtures/no-node-av.ts';

it('the next slice waits until every worker has told how far it is', () => {
  const ready: HeldWorker = { name: 'a', is: 'ready', slice: 3 };
  expect(nextToGo([ready])).toEqual({ slice: 3, names: ['a'] });
  expect(nextToGo([ready, { name: 'b', is: 'starting', slice: null }])).toBeNull();
  expect(nextToGo([ready, { name: 'b', is: 'measuring', slice: 2 }])).toBeNull();
  expect(nextToGo([ready, { name: 'b', is: 'measured', slice: null }])?.names).toEqual(['a']);
  expect(nextToGo([])).toBeNull();
});

it('the next slice is that of the worker which is furthest behind, and the others wait', () => {
  const at = (name: string, slice: number): HeldWorker => ({ name, is: 'ready', slice });
  expect(nextToGo([at('a', 4), at('b', 2), at('c', 2)])).toEqual({ slice: 2, names: ['b', 'c'] });
});

/** Workers with any part of the slices, that end in any order. */
const fleets = fc.record({
  workers: fc.array(fc.record({ slices: fc.uniqueArray(fc.nat({ max: 12 }), { maxLength: 8 }) }), {
    minLength: 1,
    maxLength: 6,
  }),
  ends: fc.infiniteStream(fc.nat({ max: 5 })),
  lost: fc.array(fc.record({ worker: fc.nat({ max: 5 }), step: fc.nat({ max: 30 }) }), { maxLength: 2 }),
});

it('all slices of all workers are sent, in order, whoever is lost', () => {
  fc.assert(
    fc.property(fleets, ({ workers, ends, lost }) => {
      const left = workers.map(({ slices }) => [...slices].sort((a, b) => a - b));
      const measuring = new Map<number, number>();
      const gone = new Set<number>();
      const turns = ends[Symbol.iterator]();
      let last = -1;
      for (let step = 0; step < 500; step += 1) {
        for (const each of lost) if (each.step === step && each.worker < workers.length) gone.add(each.worker);
        const held = workers.flatMap((_, at): readonly HeldWorker[] => {
          if (gone.has(at)) return [];
          const slice = measuring.get(at) ?? left[at]?.[0] ?? null;
          const is = measuring.has(at) ? 'measuring' : slice === null ? 'measured' : 'ready';
          return [{ name: String(at), is, slice }];
        });
        const next = nextToGo(held);
        if (next !== null) {
          expect([...measuring.keys()].filter((at) => !gone.has(at))).toEqual([]);
          expect(next.slice).toBeGreaterThanOrEqual(last);
          last = next.slice;
          for (const name of next.names) measuring.set(Number(name), next.slice);
          continue;
        }
        const busy = [...measuring.keys()].filter((at) => !gone.has(at));
        if (busy.length === 0) break;
        const ended = busy[(turns.next().value ?? 0) % busy.length] ?? 0;
        measuring.delete(ended);
        left[ended]?.shift();
      }
      expect(left.filter((slices, at) => !gone.has(at) && slices.length > 0)).toEqual([]);
    }),
  );
});

const TIMES = { everyMs: 2000, drainsAfterMs: 20_000, lostAfterMs: 30_000 };
const hello = (name: string, session = name): Hello => ({
  name,
  session,
  vantage: null,
  identity: { version: '1.0.0', suite: '0'.repeat(64), plan: '0'.repeat(64) },
  floorMs: 0.5,
  roundTripMs: 1,
});
const beat = (session: string, number: number, state: Beat['state'], sent = 0): Beat => ({
  session,
  number,
  fleet: 'one',
  state,
  sent,
  failed: 0,
  mostUsd: 0,
});

it('a worker is known by its name, and a second process of that name is not taken', () => {
  const roll = createRoll(TIMES);
  expect(roll.add(hello('a'), 0)).toBe(true);
  expect(roll.add(hello('a'), 10)).toBe(true);
  expect(roll.add(hello('a', 'another'), 20)).toBe(false);
  expect(roll.hear('a', beat('another', 1, { at: 'left' }), 30)).toBe(false);
  expect(roll.hear('b', beat('b', 1, { at: 'left' }), 30)).toBe(false);
  expect(roll.held()).toEqual([{ name: 'a', is: 'starting', slice: null }]);
});

it('a beat that comes late changes nothing', () => {
  const roll = createRoll(TIMES);
  roll.add(hello('a'), 0);
  roll.hear('a', beat('a', 2, { at: 'measuring', slice: 1 }, 4), 100);
  roll.hear('a', beat('a', 1, { at: 'ready', slice: 1 }, 2), 200);
  expect(roll.find('a')).toMatchObject({ state: { at: 'measuring', slice: 1 }, counts: { sent: 4 } });
});

it('a worker that was told to go counts as measuring, also before it says so', () => {
  const roll = createRoll(TIMES);
  roll.add(hello('a'), 0);
  roll.hear('a', beat('a', 1, { at: 'ready', slice: 5 }), 100);
  expect(roll.held()).toMatchObject([{ is: 'ready', slice: 5 }]);
  roll.tell(['a'], 5);
  expect(roll.held()).toMatchObject([{ is: 'measuring', slice: 5 }]);
  roll.hear('a', beat('a', 2, { at: 'ready', slice: 6 }), 200);
  expect(roll.held()).toMatchObject([{ is: 'ready', slice: 6 }]);
});

it('a worker that is silent for 30 s is lost, and stays lost', () => {
  const roll = createRoll(TIMES);
  roll.add(hello('a'), 0);
  roll.add(hello('b'), 0);
  roll.hear('a', beat('a', 1, { at: 'measuring', slice: 1 }), 20_000);
  expect(roll.look(29_999, true)).toEqual([]);
  expect(roll.look(30_000, true).map(({ name }) => name)).toEqual(['b']);
  expect(roll.look(30_001, true)).toEqual([]);
  expect(roll.hear('b', beat('b', 9, { at: 'ready', slice: 1 }), 30_002)).toBe(false);
  expect(roll.held().map(({ name }) => name)).toEqual(['a']);
  expect(roll.find('b')?.isLost).toBe(true);
});

it('a worker that is silent before the run begins gives its name back', () => {
  const roll = createRoll(TIMES);
  roll.add(hello('a'), 0);
  expect(roll.look(30_000, false).map(({ name }) => name)).toEqual(['a']);
  expect(roll.add(hello('a', 'another'), 31_000)).toBe(true);
});

describe('the engine of a fleet', () => {
  it('the engine makes a new key of a user each time', async () => {
    const loaded = accepted(await loadEngine());
    const keys = [loaded.makeKey(), loaded.makeKey()];
    for (const { seed, publicKey } of keys) {
      expect(seed).toMatch(/^SU[A-Z2-7]{56}$/);
      expect(publicKey).toMatch(/^U[A-Z2-7]{55}$/);
    }
    expect(new Set(keys.flatMap(({ seed, publicKey }) => [seed, publicKey])).size).toBe(4);
  });

  it('the engine names the version that is pinned', () => {
    const { optionalDependencies } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    const [name] = ENGINE_PACKAGE.split(/(?<=.)@/);
    expect(`${name}@${optionalDependencies[name ?? '']}`).toBe(ENGINE_PACKAGE);
  });

  it('the engine says in one sentence how to install a client that is absent', () => {
    const folder = withoutNodeAv();
    const file = pathToFileURL(join(folder, 'dist', 'fleet', 'engine.js')).href;
    const script = `import { loadEngine } from ${JSON.stringify(file)};
      process.stdout.write(JSON.stringify(await loadEngine()));`;
    const printed = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(JSON.parse(printed)).toEqual({
      ok: false,
      diagnostics: [
        {
          place: null,
          cause: 'a fleet needs the client of NATS, which is not installed',
          remedy: `run npm i ${ENGINE_PACKAGE}`,
        },
      ],
    });
  });
});
