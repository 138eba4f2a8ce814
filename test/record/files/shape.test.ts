import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ZodType } from 'zod';
import { analyse } from '../../../src/analysis/analyse.ts';
import { analysisSchema } from '../../../src/analysis/analysis.ts';
import { METRICS } from '../../../src/analysis/metrics.ts';
import { factSchema } from '../../../src/record/fact.ts';
import { type FieldPath, type Shape, shapeOf } from '../../../src/record/files/read-lines.ts';
import { journalSchema } from '../../../src/record/journal.ts';
import type { StoredRun } from '../../../src/record/kept-run.ts';
import { runSchema } from '../../../src/record/run.ts';
import { arbitraryRun } from '../../fixtures/arbitrary-run.ts';
import { cachedRun } from '../../fixtures/probe-samples.ts';
import { lateRun, openRun, sweepRun } from '../../fixtures/scripted-load.ts';
import { ATTACKED, ORDINARY, scriptedRun, unsentRun } from '../../fixtures/scripted-run.ts';
import { buildOk } from '../../fixtures/stored-run-builder.ts';
import { mergedFrom } from '../../fixtures/stored-suite.ts';
import { draws } from '../../test-options.ts';

/** A document of a record when it is read back, and what it must look like. */
interface Written {
  readonly sort: string;
  readonly shape: Shape<unknown>;
  readonly value: unknown;
}

const SCHEMAS: Readonly<Record<string, ZodType>> = {
  run: runSchema,
  journal: journalSchema,
  fact: factSchema,
  analysis: analysisSchema,
};

/** Shapes that have seen many values, and are compiled. */
const SHAPES = Object.fromEntries(
  Object.entries(SCHEMAS).map(([sort, schema]) => {
    const shape: Shape<unknown> = shapeOf(schema);
    for (let times = 0; times < 1000; times += 1) shape.fits(null);
    return [sort, shape];
  }),
);

/** Everything that a run leaves on disk, line by line, and its analysis. */
function writtenOf(record: StoredRun): readonly Written[] {
  const { segments, intents, attempts, abandoned, samples, facts } = record;
  const events = [
    ...segments.flatMap(({ started, ended }) => (ended === null ? [started] : [started, ended])),
    ...[...intents, ...attempts, ...abandoned],
    ...samples.map((sample) => ({ event: 'sample', sample })),
  ];
  const sorts = { run: [record.run], journal: events, fact: facts, analysis: [analyse(record, METRICS).analysis] };
  return Object.entries(sorts).flatMap(([sort, values]) => {
    const shape = SHAPES[sort];
    return shape === undefined
      ? []
      : values.map((value) => ({ sort, shape, value: JSON.parse(JSON.stringify(value)) }));
  });
}

function faultsOf({ sort, shape, value }: Written): readonly string[] {
  const fits = shape.fits(value);
  expect(freshShape(sort).fits(value)).toBe(fits);
  return fits ? [] : shape.faultsOf(value).map(({ cause }) => cause);
}

/** A shape that has seen no value yet, and is not compiled. */
function freshShape(sort: string): Shape<unknown> {
  const schema = SCHEMAS[sort];
  if (schema === undefined) throw new Error(`no schema for ${sort}`);
  return shapeOf(schema);
}

/** What is the user's or a server's, or may have any key. */
const FREE = [
  'declared',
  'storedBody',
  'environment',
  'constants',
  'inputs',
  'captured',
  'flags',
  'outcomes',
  'values',
];

/** Keys that may be left out. */
const OPTIONAL =
  /^(step|probe|unfit|(?!ended|at|p50|p99|max|timeout|wait|throttleWait|took|floor|duration|total)[a-zA-Z]+Ms)$/;

/** A record as if a shard had measured it. */
function shardOf(record: StoredRun): StoredRun {
  const { plan, limits, variants } = record.run;
  const plannedTrials = Object.fromEntries(variants.map((variant) => [variant.name, variant.plannedTrials]));
  return {
    ...record,
    run: { ...record.run, shard: { run: 'r1', index: 2, of: 3, whole: { plan, limits, plannedTrials } } },
  };
}

/** The element at a share of a list. */
function picked<T>(list: readonly T[], share: number): T {
  const found = list[Math.floor(share * list.length)];
  if (found === undefined) throw new Error('there is nothing to pick from');
  return found;
}

/** The fields of a document, without what lies in free ones. */
function fieldsOf(value: unknown, path: FieldPath = []): readonly FieldPath[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (FREE.includes(key)) return [];
    const field = [...path, Array.isArray(value) ? Number(key) : key];
    return [field, ...fieldsOf(inner, field)];
  });
}

/** The document with the field at a path changed: null takes it out. */
function changed(value: unknown, [step, ...rest]: FieldPath, to: { readonly value: unknown } | null): unknown {
  if (step === undefined) return to?.value;
  if (Array.isArray(value)) return value.map((each, at) => (at === step ? changed(each, rest, to) : each));
  const entries = Object.entries(value as object).filter(([key]) => to !== null || rest.length > 0 || key !== step);
  const found = entries.map(([key, inner]) => [key, key === step ? changed(inner, rest, to) : inner] as const);
  return Object.fromEntries(entries.some(([key]) => key === step) ? found : [...found, [step, to?.value]]);
}

describe('the schemas of a record', () => {
  it('every file of every record, and its analysis, is valid by its schema', () => {
    fc.assert(
      fc.property(arbitraryRun, (record) => {
        expect(writtenOf(record).flatMap(faultsOf)).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });

  it.each([
    ['an ordinary run', scriptedRun(ORDINARY)],
    // The name of a suite is that of a folder.
    ['hostile text', scriptedRun({ ...ATTACKED, suite: 'attacked' })],
    ['a run that sent nothing', unsentRun(ORDINARY)],
    ['open load', openRun()],
    ['a sweep', sweepRun()],
    ['late stamps', lateRun()],
    ['a cache probe', cachedRun()],
    ['a merged run', mergedFrom(scriptedRun(ORDINARY), 3)],
    ['a shard', shardOf(scriptedRun(ORDINARY))],
  ])('the record and the analysis of %s are valid by their schemas', (_, record) => {
    expect(writtenOf(record).flatMap(faultsOf)).toEqual([]);
  });

  it('an output that is ok with an error, and wrong media without one, are refused', () => {
    const shape = shapeOf(journalSchema);
    const sample = JSON.parse(JSON.stringify(buildOk(100, 'image')));
    const error = { code: 'unexpected_media', message: 'expected image/*, got text/html' };
    const fits = (outcome: string, found: unknown): boolean =>
      shape.fits({ event: 'sample', sample: { ...sample, outcome, error: found } });
    expect([fits('ok', null), fits('invalid_media', error)]).toEqual([true, true]);
    expect([fits('ok', error), fits('invalid_media', null)]).toEqual([false, false]);
  });

  it('a field of another type, a field too few and one too many are refused, and the field is named', () => {
    const merged = mergedFrom(scriptedRun(ORDINARY), 3);
    const records = [...fc.sample(arbitraryRun, 3), scriptedRun(ORDINARY), sweepRun(), cachedRun(), merged];
    // As many of each sort: a journal has very many lines, and a run one run.json.
    const written = records.flatMap(writtenOf);
    const sorts = Object.keys(SHAPES).map((sort) => written.filter((each) => each.sort === sort));
    const choice = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    const how = fc.constantFrom('other type', 'missing', 'unknown');
    fc.assert(
      fc.property(fc.constantFrom(...sorts.keys()), choice, choice, how, (one, at, share, change) => {
        const { sort, shape, value } = picked(picked(sorts, one / sorts.length), at);
        const fields = fieldsOf(value);
        const field = picked(fields, share);
        const name = field.at(-1) ?? '';
        if (change === 'missing' && (typeof name === 'number' || OPTIONAL.test(name))) return;
        const beside = [...field.slice(0, -1), 'colour'];
        if (change === 'unknown' && typeof name === 'number') return;
        const path = change === 'unknown' ? beside : field;
        const mutated = changed(value, path, change === 'missing' ? null : { value: [[]] });
        expect([shape.fits(mutated), freshShape(sort).fits(mutated)]).toEqual([false, false]);
        const named = shape.faultsOf(mutated).map((fault) => fault.path.slice(0, path.length));
        expect(named).toContainEqual(path);
      }),
      { numRuns: draws(300) },
    );
  });
});
