import { posix } from 'node:path';
import { expect, it } from 'vitest';
import { FILES, IMPORTS, moduleOf, TEXTS } from './fixtures/source-files.ts';

/* The structure of src as data: src/README.md explains it, this file holds it. */

/** Each module imports only from layers before its own; kit and statistics also from each other's layer, kit first. */
const LAYERS: readonly (readonly string[])[] = [
  ['kit'],
  ['statistics'],
  ['media'],
  ['suite'],
  ['targets'],
  ['plan'],
  ['record'],
  ['run', 'examine'],
  ['analysis'],
  ['gate'],
  ['report'],
  ['markup'],
  ['page'],
  ['workflow'],
  ['score', 'fleet', 'view', 'service'],
  ['commands'],
  ['main', 'index'],
];

/**
 * What a run can do without: each has a module and a folder of the same name in `commands/`. The rest imports none of
 * them, so that they can be left out; the build lists those that are there.
 */
const OPTIONAL = ['score', 'fleet', 'view', 'service'];
const LIST_OF_PRESENT = 'commands/present-parts.ts';

const isOptional = (file: string): boolean => OPTIONAL.includes(file.replace(/^commands\//, '').split('/')[0] ?? '');

const layerOf = (module: string): number => LAYERS.findIndex((layer) => layer.includes(module));
const between = [...IMPORTS].flatMap(([file, paths]) =>
  paths.map((path) => ({ file, path, from: moduleOf(file), to: moduleOf(path) })).filter(({ from, to }) => from !== to),
);
const shown = ({ file, path }: { file: string; path: string }): string => `${file} -> ${path}`;

it('the architecture has a layer for every module', () => {
  expect([...new Set(FILES.map(moduleOf))].filter((module) => layerOf(module) < 0)).toEqual([]);
});

it('the architecture lets imports run downwards only', () => {
  const upward = between.filter(({ from, to }) => layerOf(to) >= layerOf(from));
  expect(upward.map(shown)).toEqual([]);
  expect(between.filter(({ from, to }) => from === 'service' && to !== 'kit').map(shown)).toEqual([]);
});

it('the architecture lets the core import nothing that a run can do without', () => {
  const all = [...IMPORTS].flatMap(([file, paths]) => paths.map((path) => ({ file, path })));
  const needed = all.filter(({ file, path }) => isOptional(path) && !isOptional(file));
  expect(needed.filter(({ file }) => file !== LIST_OF_PRESENT).map(shown)).toEqual([]);
  expect(needed.length).toBe(OPTIONAL.length);
});

it('the architecture lets a module import only the public files of others', () => {
  const reached = between.filter(({ path }) => path.split('/').length > 2);
  expect(reached.map(shown)).toEqual([]);
});

it('the architecture has no circle, type imports included', () => {
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' -> '));
    if (path.includes(file) || done.has(file)) return;
    for (const imported of IMPORTS.get(file) ?? []) visit(imported, [...path, file]);
    done.add(file);
  };
  for (const file of FILES) visit(file, []);
  expect(circles).toEqual([]);
});

it('the architecture imports only files that exist', () => {
  const all = [...IMPORTS].flatMap(([file, paths]) => paths.map((path) => ({ file, path })));
  expect(all.filter(({ path }) => !TEXTS.has(path)).map(shown)).toEqual([]);
});

it('the architecture names files for what they are', () => {
  const nameless = /^(utils?|helpers?|common|types|constants|misc|shared)\.ts$/;
  expect(FILES.filter((file) => nameless.test(posix.basename(file)))).toEqual([]);
});
