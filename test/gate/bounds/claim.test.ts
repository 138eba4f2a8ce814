import { describe, expect, it } from 'vitest';
import { metricsOf } from '../../../src/analysis/metrics.ts';
import { assess } from '../../../src/gate/assess.ts';
import { kindOf } from '../../../src/gate/bounds.ts';
import { claimAnswer } from '../../../src/gate/claim-words.ts';
import { evidenceLine, verdictLinesOf } from '../../../src/gate/verdict-lines.ts';
import type { StoredRun } from '../../../src/record/kept-run.ts';
import type { Bound, GateRule } from '../../../src/suite/rule.ts';
import { only } from '../../fixtures/only.ts';
import { failed, gated, gateRule, ORDINARY, ok, scriptedRun, type Telling } from '../../fixtures/scripted-run.ts';

const claim = (most: number, more: Partial<Extract<Bound, { is: 'claim' }>> = {}, metric = 'latency.total'): GateRule =>
  gateRule(
    metric,
    { is: 'claim', about: 'takes', against: 'standard', most, pairs: 40, ...more },
    { variants: ['fast'] },
  );

/** Two variants, 40 seeds of one prompt, pair after pair. */
function record(tell: Telling['tell']): StoredRun {
  const seeds = Array.from({ length: 40 }, (_, at) => at + 1);
  const variants = ORDINARY.variants.slice(0, 2);
  const told = scriptedRun({
    ...ORDINARY,
    variants,
    prompts: ORDINARY.prompts.slice(0, 1),
    seeds,
    repeats: 1,
    concurrency: 1,
    tell,
  });
  const sliceOf = ({ seed, variant }: { readonly seed: number | null; readonly variant: string }) =>
    2 * (seed ?? 0) + (variant === 'fast' ? 1 : 0);
  return { ...told, samples: told.samples.map((sample) => ({ ...sample, slice: sliceOf(sample.trial) })) };
}

const half = record((variant, _prompt, seed) => ok((variant === 'fast' ? 400 : 1000) + (seed % 7)));
const resultOf = (run: StoredRun, rule: GateRule) => only(assess(gated(run, [rule]), metricsOf([rule])).verdict.rules);

describe('a claim as a rule', () => {
  it('a claim that is supported, refuted or open says so with its evidence', () => {
    const supported = resultOf(half, claim(0.5));
    expect(supported).toMatchObject({ verdict: 'pass', code: 'claim_supported', n: 7, effect: 'ratio' });
    expect(claimAnswer(supported, 1)).toBe(
      'Supported after 7 pairs: fast takes at most 0.50x as long as standard in most pairs (median 0.40x, e = 30.2; wrong in at most 1 of 20 such claims)',
    );
    const refuted = resultOf(half, claim(0.3));
    expect(refuted).toMatchObject({ verdict: 'fail', code: 'claim_refuted' });
    expect(claimAnswer(refuted, 2)).toBe(
      'Refuted after 7 pairs: that fast takes at most 0.30x as long as standard in most pairs (median 0.40x, e = 30.2; wrong in at most 1 of 20 such runs)',
    );
    const open = resultOf(half, claim(0.5, { pairs: 5 }));
    expect(open).toMatchObject({ verdict: 'inconclusive', code: 'claim_open', n: 5 });
    expect(claimAnswer(open, 1)).toMatch(
      /^Not decided after 5 pairs: that fast takes .* e = 10\.\d for it and 0\.1 against it: too few pairs/,
    );
    const words = [supported, refuted, open].map((result) => only(verdictLinesOf([result])).word);
    expect(words).toEqual(['SUPPORTED', 'REFUTED', 'NOT DECIDED']);
    expect(evidenceLine(open).finding).not.toMatch(/undefined|NaN|null/);
  });

  it('a claim of failures is said in points', () => {
    const failing = record((variant, _prompt, seed) => (variant === 'fast' && seed % 2 === 0 ? failed() : ok(100)));
    const refuted = resultOf(failing, claim(0.05, { about: 'fails' }, 'error_rate'));
    expect(refuted).toMatchObject({ verdict: 'fail', effect: 'difference' });
    expect(claimAnswer(refuted, 1)).toMatch(
      /^Refuted after \d+ pairs: that fast fails at most 5 points more often than standard \(\+\d/,
    );
  });

  it('a claim whose ratio changed during the run claims nothing', () => {
    const changed = record((variant, _prompt, seed) =>
      ok(variant === 'fast' ? (seed % 2 === 0 ? 300 : 501) + (seed <= 20 ? 0 : 199) : 1000),
    );
    expect(resultOf(changed, claim(0.5))).toMatchObject({ verdict: 'inconclusive', code: 'ratio_changed' });
  });

  it('a claim without a take decides nothing', () => {
    expect(resultOf({ ...half, samples: [], facts: [] }, claim(0.5))).toMatchObject({ verdict: 'inconclusive', n: 0 });
  });

  it('a claim takes nothing from the error rate of the gate', () => {
    const { comparesVariants, lookPart } = kindOf(claim(0.5));
    expect([comparesVariants, lookPart(claim(0.5), [])]).toEqual([false, 'whole']);
  });
});
