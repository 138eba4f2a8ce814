import { expect, it } from 'vitest';
import type { Beat, Hello } from '../../src/fleet/messages.ts';
import { createRoll } from '../../src/fleet/roll.ts';

const TIMES = { everyMs: 2000, drainsAfterMs: 20_000, lostAfterMs: 30_000 };
const hello = (name: string, session = name): Hello => ({
  name,
  session,
  vantage: null,
  identity: {
    retake: '1.0.0',
    suite: '0'.repeat(64),
    against: null,
    targets: {},
    environment: {},
    leftOut: {},
    plan: '0'.repeat(64),
    vantage: null,
  },
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
  expect(roll.held()).toEqual([{ name: 'a', vantage: null, is: 'starting', slice: null }]);
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
