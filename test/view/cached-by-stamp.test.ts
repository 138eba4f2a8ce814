import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cachedByStamp } from '../../src/view/cached-by-stamp.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';

const folder = freshFolder();
const fileOf = (key: string) => join(folder, key);

test('what is cached is made once for each key until its file changes, comes or goes, or others were asked for since', () => {
  const made: string[] = [];
  const cached = cachedByStamp(
    2,
    (key) => [fileOf(key)],
    (key) => made.push(key),
  );
  const ask = (...keys: readonly string[]) => {
    for (const key of keys) cached(key);
    return made.splice(0);
  };
  expect(ask('a', 'a', 'b', 'a')).toEqual(['a', 'b']);
  writeFileSync(fileOf('a'), 'new');
  expect(ask('a', 'a')).toEqual(['a']);
  writeFileSync(fileOf('a'), 'longer');
  expect(ask('a', 'b')).toEqual(['a']);
  rmSync(fileOf('a'));
  expect(ask('a', 'a')).toEqual(['a']);
  // The longest unused is forgotten.
  expect(ask('c', 'a', 'b')).toEqual(['c', 'b']);
});

test('what could not be made is made again, and what changed its own file is not', async () => {
  let times = 0;
  const cached = cachedByStamp(
    2,
    (key) => [fileOf(key)],
    async (key) => {
      times += 1;
      if (times === 1) throw new Error('busy');
      writeFileSync(fileOf(key), `made ${times} times`);
      return times;
    },
  );
  await expect(cached('self')).rejects.toThrow('busy');
  expect([await cached('self'), await cached('self')]).toEqual([2, 2]);
});
