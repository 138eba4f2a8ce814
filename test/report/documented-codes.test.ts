import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { METRICS } from '../../src/analysis/metrics.ts';
import { cachedRun } from '../fixtures/probe-samples.ts';
import { reported } from '../fixtures/report-source.ts';
import { openRun, sweepRun } from '../fixtures/scripted-load.ts';
import { FILMED, ORDINARY, scriptedRun, unsentRun } from '../fixtures/scripted-run.ts';

/* The READMEs beside the lists of the program: what they promise is what is written. */

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const results = read('results/README.md');

/** The words in backticks, split at spaces. */
const codesIn = (text: string): readonly string[] =>
  [...text.matchAll(/`([^`\n]+)`/g)].flatMap(([, code = '']) => code.split(' '));

/** The rows of the table with these heads, each as its cells. */
function tableOf(text: string, heads: string): readonly (readonly string[])[] {
  const lines = text.split('\n');
  const first = lines.indexOf(heads);
  if (first < 0) throw new Error(`no table ${heads}`);
  const end = lines.findIndex((line, at) => at > first && !line.startsWith('|'));
  return lines.slice(first + 2, end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** Of a cell such as "lower; `share`: higher" what holds for a statistic. */
function readFor(cell: string, statistic: string): string {
  const [usual = '', ...others] = cell.split('; ');
  const own = others.map((other) => other.split(': ')).find(([name]) => name === `\`${statistic}\``);
  return (own?.[1] ?? usual).replaceAll('`', '');
}

const rows = tableOf(results, '| metric | statistics | unit | better | what it is |').map(
  ([names = '', statistics = '', unit = '', better = '']) => ({
    names: codesIn(names),
    statistics: codesIn(statistics),
    unit,
    better,
  }),
);
const measures = [
  scriptedRun(ORDINARY),
  scriptedRun(FILMED),
  unsentRun(ORDINARY),
  openRun(),
  sweepRun(),
  cachedRun(),
].flatMap((record) => reported(record).analysis.measures);

describe('results/README.md', () => {
  it('results/README.md has every metric in its table, and no other', () => {
    const fixed = rows.flatMap(({ names }) => names).filter((name) => !name.includes('<'));
    expect([...new Set(fixed)].sort()).toEqual(METRICS.map(({ name }) => name).sort());
  });

  it('results/README.md has unit and direction of every metric', () => {
    for (const { name, unit, better } of METRICS) {
      for (const row of rows.filter(({ names }) => names.includes(name))) {
        expect([name, readFor(row.unit, ''), readFor(row.better, '')]).toEqual([name, unit, better ?? '']);
      }
    }
  });

  it('results/README.md has every statistic that is measured, with its unit and direction', () => {
    for (const { metric, statistic, unit, better } of measures) {
      const row = rows.find(({ names, statistics }) => names.includes(metric) && statistics.includes(statistic));
      const told = row === undefined ? null : [readFor(row.unit, statistic), readFor(row.better, statistic)];
      expect([metric, statistic, told]).toEqual([metric, statistic, [unit, better ?? '']]);
    }
  });

  it('results/README.md defines every time that is measured, and no other', () => {
    const defined = tableOf(results, '| metric | definition |').flatMap(([names = '']) => codesIn(names));
    const times = METRICS.filter(({ unit }) => unit === 'ms').map(({ name }) => name);
    expect(defined.toSorted()).toEqual(times.toSorted());
  });

  it('results/README.md explains every method and every code of a note that is measured', () => {
    const known = new Set(codesIn(results));
    const isKnown = (code: string) =>
      known.has(code) || [...known].some((each) => each.endsWith('>') && code.startsWith(each.replace(/<.*/, '')));
    const codes = new Set(measures.flatMap(({ method, notes }) => [method, ...notes.map(({ code }) => code)]));
    expect([...codes].filter((code) => !isKnown(code))).toEqual([]);
    expect(codes.size).toBeGreaterThan(25);
  });
});
