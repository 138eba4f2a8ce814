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

it('the architecture lets a module import only the public files of others', () => {
  const reached = between.filter(({ path }) => path.split('/').length > 2);
  expect(reached.map(shown)).toEqual([]);
});

/** The record of a command loads it, and gives its arguments their types. */
const loads = (file: string, imported: string): boolean =>
  file.startsWith('commands/declared/') && !imported.startsWith('commands/line/');

it('the architecture has no circle, type imports included', () => {
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' -> '));
    if (path.includes(file) || done.has(file)) return;
    for (const imported of IMPORTS.get(file) ?? []) if (!loads(file, imported)) visit(imported, [...path, file]);
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
