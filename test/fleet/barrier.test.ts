import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type HeldWorker, nextToGo } from '../../src/fleet/barrier.ts';

const anyOrder = () => [null];

it('the next slice waits until every worker has told how far it is', () => {
  const ready: HeldWorker = { name: 'a', vantage: null, is: 'ready', slice: 3 };
  expect(nextToGo([ready], anyOrder)).toEqual({ slice: 3, names: ['a'] });
  expect(nextToGo([ready, { name: 'b', vantage: null, is: 'starting', slice: null }], anyOrder)).toBeNull();
  expect(nextToGo([ready, { name: 'b', vantage: null, is: 'measuring', slice: 2 }], anyOrder)).toBeNull();
  expect(nextToGo([ready, { name: 'b', vantage: null, is: 'measured', slice: null }], anyOrder)?.names).toEqual(['a']);
  expect(nextToGo([], anyOrder)).toBeNull();
});

it('the next slice is that of the worker which is furthest behind, and the others wait', () => {
  const at = (name: string, slice: number): HeldWorker => ({ name, vantage: null, is: 'ready', slice });
  expect(nextToGo([at('a', 4), at('b', 2), at('c', 2)], anyOrder)).toEqual({ slice: 2, names: ['b', 'c'] });
});

/** Workers with any part of the slices, each of a vantage, that end in any order. */
const fleets = fc.record({
  workers: fc.array(
    fc.record({
      vantage: fc.constantFrom('eu', 'us', 'ap'),
      slices: fc.uniqueArray(fc.nat({ max: 12 }), { maxLength: 8 }),
    }),
    { minLength: 1, maxLength: 6 },
  ),
  byVantage: fc.boolean(),
  ends: fc.infiniteStream(fc.nat({ max: 5 })),
  lost: fc.array(fc.record({ worker: fc.nat({ max: 5 }), step: fc.nat({ max: 30 }) }), { maxLength: 2 }),
});

it('all slices of all workers are sent, in order, by one vantage at a time, whoever is lost', () => {
  fc.assert(
    fc.property(fleets, ({ workers, byVantage, ends, lost }) => {
      const vantageOf = (at: number) => (byVantage ? (workers[at]?.vantage ?? null) : null);
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
          return [{ name: String(at), vantage: vantageOf(at), is, slice }];
        });
        const next = nextToGo(held, (slice) =>
          byVantage ? (slice % 2 === 0 ? ['eu', 'us', 'ap'] : ['ap', 'us', 'eu']) : [null],
        );
        if (next !== null) {
          expect([...measuring.keys()].filter((at) => !gone.has(at))).toEqual([]);
          expect(next.slice).toBeGreaterThanOrEqual(last);
          last = next.slice;
          expect(new Set(next.names.map((name) => vantageOf(Number(name)))).size).toBe(1);
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
