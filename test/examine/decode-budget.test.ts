import { expect, test } from 'vitest';
import { createDecodeBudget, FREE_PIXELS } from '../../src/examine/decode-budget.ts';

const LARGE = FREE_PIXELS + 1;

/** Works that last until they are told to end, and which of them have begun. */
function heldWorks() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => () =>
    new Promise<string>((resolve) => {
      begun.push(name);
      ends.set(name, () => resolve(name));
    });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const end = async (name: string) => {
    ends.get(name)?.();
    await settle();
  };
  return { begun, work, end, settle };
}

test('ordinary images never wait for memory', async () => {
  const { begun, work, end, settle } = heldWorks();
  const { within } = createDecodeBudget(1);
  const all = Promise.all(['a', 'b', 'c'].map((name) => within(FREE_PIXELS, work(name))));
  await settle();
  expect(begun).toEqual(['a', 'b', 'c']);
  for (const name of begun) await end(name);
  expect(await all).toEqual(['a', 'b', 'c']);
});

test('large images wait until there is memory for them, in the order they came', async () => {
  const { begun, work, end, settle } = heldWorks();
  const { within } = createDecodeBudget(2 * 32 * LARGE);
  const works = ['a', 'b', 'c', 'd'].map((name) => within(LARGE, work(name)));
  await settle();
  expect(begun).toEqual(['a', 'b']);
  await end('b');
  expect(begun).toEqual(['a', 'b', 'c']);
  await end('a');
  await end('c');
  await end('d');
  expect(await Promise.all(works)).toEqual(['a', 'b', 'c', 'd']);
});

test('a large image above the whole budget is decoded alone, and one that fails gives its memory back', async () => {
  const { begun, work, end, settle } = heldWorks();
  const { within } = createDecodeBudget(32 * LARGE);
  const first = within(9 * LARGE, () => Promise.reject(new Error('damaged')));
  const second = within(9 * LARGE, work('second'));
  await expect(first).rejects.toThrow('damaged');
  await settle();
  expect(begun).toEqual(['second']);
  const third = within(LARGE, work('third'));
  await settle();
  expect(begun).toEqual(['second']);
  await end('second');
  await end('third');
  expect(await Promise.all([second, third])).toEqual(['second', 'third']);
});
