import { describe, expect, it } from 'vitest';
import { pairsOf as pairsOfRun } from '../../src/examine/pairs.ts';
import type { Fact } from '../../src/record/model/fact.ts';
import type { Sample } from '../../src/record/model/sample.ts';
import { orderedPair } from '../../src/record/outputs/image-pairs.ts';
import { buildOk, digestOf } from '../fixtures/sample-builder.ts';
import { buildShown, buildStoredRun } from '../fixtures/stored-run-builder.ts';

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
