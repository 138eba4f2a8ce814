import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { outputRows } from '../../src/examine/examine.ts';
import { pairsOf as pairsOfRun } from '../../src/examine/pairs.ts';
import type { Fact } from '../../src/record/fact.ts';
import type { Sample } from '../../src/record/journal.ts';
import { orderedPair } from '../../src/record/output-pairs.ts';
import { buildOk, buildShown, buildStoredRun, digestOf } from '../fixtures/stored-run-builder.ts';

const takes = (seed: number, ...contents: readonly string[]): Sample[] =>
  contents.map((content, at) => buildOk(10, content, { trial: { seed, repeat: at + 1 } }));

/** Facts of the samples' outputs; those whose names begin alike show the same. */
function factsOf(samples: readonly Sample[], contents: readonly string[]): readonly Fact[] {
  const shows = new Map(contents.map((content) => [digestOf(content), digestOf(content[0] ?? '')]));
  return buildStoredRun({ samples }).facts.map((fact) =>
    fact.fact === 'output' && fact.decodes === true
      ? { ...fact, shown: { ...buildShown(fact.sha256), pixelSha256: shows.get(fact.sha256) ?? '' } }
      : fact,
  );
}

const pairsOf = (samples: readonly Sample[], facts: readonly Fact[]) =>
  pairsOfRun({ run: { variants: [] }, samples, facts });

const pair = (one: string, other: string) => orderedPair(digestOf(one), digestOf(other));

describe('pairsOf', () => {
  it('pairsOf compares one output of each image of a cell with one of each other', () => {
    const samples = takes(1, 'a', 'b', 'a2', 'c', 'b');
    const pairs = pairsOf(samples, factsOf(samples, ['a', 'b', 'a2', 'c']));
    expect(new Set(pairs.map(String))).toEqual(new Set([pair('a', 'b'), pair('a', 'c'), pair('b', 'c')].map(String)));
  });

  it('pairsOf compares nothing over cells, nor what is known of the same images already', () => {
    const samples = [...takes(1, 'a', 'b'), ...takes(2, 'c', 'c2'), ...takes(3, 'a2', 'b2')];
    const facts = factsOf(samples, ['a', 'b', 'c', 'c2', 'a2', 'b2']);
    const pairs = pairsOf(samples, facts);
    expect(pairs).toEqual([pair('a', 'b')]);
    const [a, b] = pair('a', 'b');
    expect(
      pairsOf(samples, [...facts, { fact: 'pair', a, b, compared: false, reason: { code: 'timed_out', limitMs: 1 } }]),
    ).toEqual([]);
  });

  it('pairsOf compares no more than the first 24 images of a cell', () => {
    const contents = Array.from({ length: 30 }, (_, at) => String.fromCharCode(65 + at));
    const samples = takes(1, ...contents);
    expect(pairsOf(samples, factsOf(samples, contents))).toHaveLength((24 * 23) / 2);
  });

  it('pairsOf leaves out what does not decode, and warm-ups', () => {
    const samples = [
      ...takes(1, 'a'),
      ...takes(1, 'b').map((sample) => ({ ...sample, trial: { ...sample.trial, phase: 'warmup' as const } })),
    ];
    expect(pairsOf(samples, factsOf(samples, ['a', 'b']))).toEqual([]);
    const broken = takes(1, 'a', 'b');
    const facts = factsOf(broken, ['a', 'b']).map(
      (fact): Fact => ({ ...fact, decodes: false, reason: { code: 'not_decodable', detail: 'no frame' } }) as Fact,
    );
    expect(pairsOf(broken, facts)).toEqual([]);
  });
});

describe('outputRows', () => {
  const outputOf = (sha256: string) => ({ sha256, bytes: 1, mime: 'image/png' });
  const taken = fc.array(fc.tuple(fc.integer({ min: 1, max: 6 }), fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz')));

  it('outputRows examines each output once, and hands samples on only with all outputs of their prompt and seed', () => {
    fc.assert(
      fc.property(taken, fc.subarray([...'abcdef']), fc.integer({ min: 1, max: 4 }), (contents, known, workers) => {
        const samples = contents.flatMap(([seed, content]) => takes(seed, content));
        const digests = new Set(contents.map(([, content]) => digestOf(content)));
        for (const content of known) digests.delete(digestOf(content));
        const rows = outputRows(samples, [...digests].map(outputOf), workers);
        expect(rows.flatMap(({ outputs }) => outputs.map(({ sha256 }) => sha256)).sort()).toEqual([...digests].sort());
        for (const row of rows.filter((each) => each.samples.length > 0)) {
          const own = new Set(row.outputs.map(({ sha256 }) => sha256));
          const holds = (sample: Sample) => 'outputs' in sample && own.has(sample.outputs[0].sha256);
          expect(row.samples).toEqual(samples.filter(holds));
          expect(new Set(row.samples.map(({ trial }) => trial.seed)).size).toBe(1);
        }
      }),
    );
  });

  it('outputRows examines together what variants gave for one prompt and seed, and apart what is too much for a row', () => {
    const many = Array.from({ length: 40 }, (_, at) => String.fromCharCode(97 + at));
    const samples = [...takes(1, 'A', 'B'), ...takes(2, 'C', 'D'), ...takes(3, ...many)];
    const outputs = ['A', 'B', 'C', 'D', ...many].map((content) => outputOf(digestOf(content)));
    const sizes = outputRows(samples, outputs, 2).map((row) => [row.outputs.length, row.samples.length]);
    expect(sizes).toEqual([[2, 2], [2, 2], ...many.map(() => [1, 0])]);
  });
});
