import { describe, expect, it } from 'vitest';
import type { VariantSummary } from '../../../../src/analysis/summaries.ts';
import { partFacts } from '../../../../src/page/sections/side-by-side/scoreboard.ts';
import { reported } from '../../../fixtures/report-source.ts';
import { ORDINARY, scriptedRun } from '../../../fixtures/scripted-run.ts';

const [ordinary] = reported(scriptedRun(ORDINARY)).analysis.variants;

function variant(name: string, more: Partial<VariantSummary>): VariantSummary {
  if (ordinary === undefined) throw new Error('the scripted run has no variant');
  return { ...ordinary, name, target: 'bfl/flux-dev', plannedTrials: 18, outcomes: { ok: 18 }, ...more };
}

function said(...variants: readonly VariantSummary[]) {
  const { common, own } = partFacts(variants);
  return { common, own: variants.map(own) };
}

describe('what is said of the variants of a table', () => {
  it('what all variants have in common is said once', () => {
    const of = (steps: number) => variant(`steps-${steps}`, { constants: { guidance: 7, steps } });
    expect(said(of(4), of(8))).toEqual({
      common: 'Each variant: bfl/flux-dev, guidance 7; 18 of 18 takes delivered.',
      own: [['steps 4'], ['steps 8']],
    });
  });

  it('the takes of a variant are said in its row where variants differ in them', () => {
    const failing = variant('b', { constants: {}, outcomes: { ok: 15, dropped: 3 } });
    expect(said(variant('a', { constants: {} }), failing)).toEqual({
      common: 'Each variant: bfl/flux-dev.',
      own: [['18 of 18 takes delivered'], ['15 of 18 takes delivered', '3 dropped, never sent']],
    });
  });

  it('variants with nothing in common have no such sentence', () => {
    const other = variant('b', { target: 'fal/flux-schnell', constants: { steps: 4 }, outcomes: { ok: 1 } });
    expect(said(variant('a', { constants: { steps: 8 } }), other)).toEqual({
      common: null,
      own: [
        ['bfl/flux-dev, steps 8', '18 of 18 takes delivered'],
        ['fal/flux-schnell, steps 4', '1 of 18 takes delivered'],
      ],
    });
  });

  it('a lone variant says all in its row', () => {
    expect(said(variant('a', { constants: { model: 'fast' } }))).toEqual({
      common: null,
      own: [['bfl/flux-dev, model fast', '18 of 18 takes delivered']],
    });
  });
});
