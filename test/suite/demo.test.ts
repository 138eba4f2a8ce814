import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadSuite } from '../../src/suite/load.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

test('suites/demo.yaml loads, and all its prompts suit both its kinds', async () => {
  const loaded = await loadSuite('suites/demo.yaml', { env: {}, overrides: [], cwd: root });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.diagnostics));
  const { variants, cases, seeds, repeats, load, reports } = loaded.value;
  expect(variants.map(({ name, baseline }) => (baseline ? `${name}*` : name))).toEqual([
    'standard*',
    'fast',
    'fast-lcm',
    'anime-standard*',
    'anime-fast',
    'anime-fast-lcm',
  ]);
  expect(cases.map(({ id }) => id)).toEqual(['lighthouse', 'fox', 'desert', 'garden']);
  expect(cases.every(({ kinds }) => kinds.includes('text-to-image') && kinds.includes('anime-image'))).toBe(true);
  expect({ seeds, repeats, concurrency: load.concurrency, reports }).toEqual({
    seeds: [1, 2, 3],
    repeats: 3,
    concurrency: 1,
    reports: ['csv', 'html', 'json'],
  });
});
