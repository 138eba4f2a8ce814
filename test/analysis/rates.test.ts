import { describe, expect, it } from 'vitest';
import { assess } from '../../src/analysis/assess.ts';
import type { Comparison } from '../../src/analysis/comparison.ts';
import { metricsOf } from '../../src/analysis/metrics.ts';
import type { RuleResult } from '../../src/analysis/verdict.ts';
import { gateRule, ORDINARY, scriptedRun } from '../fixtures/scripted-run.ts';

const RISE = [gateRule('error_rate', { is: 'max_rise', share: 0.2 })];

/** What a gate and the comparisons say of errors; `fails`: which takes do. */
function errorsOf(
  concurrency: number,
  fails: (variant: string, prompt: string, seed: number, repeat: number) => boolean,
): { readonly rows: readonly Comparison[]; readonly rule: RuleResult | undefined } {
  const record = scriptedRun({
    ...ORDINARY,
    variants: ORDINARY.variants.slice(0, 2),
    concurrency,
    tell: (...take) =>
      fails(...take)
        ? { outcome: 'error', totalMs: 90, code: 'http_503', message: 'busy', httpStatus: 503 }
        : { outcome: 'ok', totalMs: 1000, output: 0 },
  });
  const { comparisons, verdict } = assess({ ...record, run: { ...record.run, gate: RISE } }, metricsOf(RISE));
  return { rows: comparisons.filter(({ metric }) => metric === 'error_rate'), rule: verdict.rules[0] };
}

const isFirstOfFast = (variant: string, _prompt: string, seed: number, repeat: number) =>
  variant === 'fast' && seed === 1 && repeat === 1;

describe('comparisons of rates', () => {
  it('rates at concurrency 1: have a row over all blocks, by tags and by prompts, and none with prompts as units', () => {
    const { rows } = errorsOf(1, isFirstOfFast);
    expect(rows.map(({ scope }) => scope.of)).toEqual(['blocks', 'tag', 'prompt', 'prompt', 'prompt', 'prompt']);
    expect(rows[0]).toMatchObject({ method: 'tango_exact', nUnits: 36, value: 4 / 36, finding: 'higher' });
  });

  it('rates of a cell pair: are better where fewer of its takes fail, be it one of three', () => {
    const { rows } = errorsOf(
      1,
      (variant, _prompt, seed, repeat) => variant === 'standard' && seed === 1 && repeat === 1,
    );
    expect(rows[0]).toMatchObject({ cellPairs: 12, cellPairsBetter: 4 });
  });

  it('rates above concurrency 1: have an interval around their value, however few rounds have an event', () => {
    const { rows, rule } = errorsOf(
      4,
      (variant, prompt, ...at) => prompt === 'fox' && isFirstOfFast(variant, prompt, ...at),
    );
    const [all] = rows;
    expect(all).toMatchObject({ method: 'tango_clustered', value: 1 / 36, finding: 'undecided' });
    expect(all?.ciLow).toBeLessThan(0);
    expect(all?.ciHigh).toBeGreaterThan(1 / 36);
    expect(all?.p).toBeGreaterThan(0.05);
    expect(rule).toMatchObject({ verdict: 'pass', estimate: 1 / 36, units: 'rounds' });
    expect(rule?.upperBound).toBeGreaterThan(1 / 36);
  });
});
