import { describe, expect, it } from 'vitest';
import type { Comparison } from '../../src/analysis/comparison.ts';
import { metricsOf } from '../../src/analysis/metrics.ts';
import { assess } from '../../src/gate/assess.ts';
import type { RuleResult } from '../../src/gate/verdict.ts';
import { ruleFinding } from '../../src/gate/verdict-statement.ts';
import { groupSentence } from '../../src/report/comparison-statement.ts';
import { chance, failed, gated, gateRule, ORDINARY, ok, scriptedRun, timedOut } from '../fixtures/scripted-run.ts';
import { buildCalibration } from '../fixtures/stored-run-builder.ts';

/** A gate on a run in which `fast` takes `ratio` of its prompt times as long as `standard`. */
function runWith(ratio: (prompt: string) => number) {
  const rules = [gateRule('latency.total', { is: 'max_increase', share: 0.05 })];
  const record = scriptedRun({
    ...ORDINARY,
    variants: ORDINARY.variants.slice(0, 2),
    concurrency: 1,
    tell: (variant, prompt, ...where) =>
      ok((variant === 'fast' ? ratio(prompt) : 1) * 1000 * (0.99 + 0.02 * chance(variant, prompt, ...where))),
  });
  const { comparisons, verdict } = assess(gated(record, rules), metricsOf(rules));
  const [first] = comparisons.filter(({ metric, scope }) => metric === 'latency.total' && scope.of === 'blocks');
  const [result] = verdict.rules;
  if (result === undefined) throw new Error('no result');
  return { first, result };
}

const UNEVEN: Readonly<Record<string, number>> = { fox: 1.1, harbour: 1.2, lighthouse: 1.5, market: 2 };
const uneven = (prompt: string) => UNEVEN[prompt] ?? 1;

describe('the effect by prompt', () => {
  it('a run whose change is larger in some prompts: names the worst prompt', () => {
    const { result } = runWith(uneven);
    expect(result).toMatchObject({ verdict: 'fail' });
    expect(ruleFinding(result)).toMatch(/; worst in market: (1\.9|2\.0)\dx as long$/);
  });

  it('a run that changes alike everywhere: has a sentence that ends with its number of pairs', () => {
    const { first } = runWith(() => 1.3);
    expect(first === undefined ? '' : groupSentence([first])).toMatch(/12 pairs$/);
  });
});

/**
 * `fast` against `standard` by total latency, where fast always takes `more` milliseconds longer and cells vary by 100
 * ms; `hangs`: of one prompt and repeat it times out.
 */
function compared(more: number, floorMs: number | null, hangs = false, of = 'latency.total') {
  const record = scriptedRun({
    ...ORDINARY,
    variants: ORDINARY.variants.slice(0, 2),
    concurrency: 1,
    tell: (variant, prompt, seed, repeat) =>
      hangs && variant === 'fast' && prompt === 'fox' && repeat === 1
        ? timedOut()
        : ok(1000 + 100 * chance(prompt, seed) + (variant === 'fast' ? more : 0)),
  });
  const calibration = floorMs === null ? null : buildCalibration({ floorMs });
  const { comparisons } = assess({ ...record, run: { ...record.run, calibration } }, metricsOf([]));
  const found = comparisons.find(({ metric, scope }) => metric === of && scope.of === 'blocks');
  if (found === undefined) throw new Error('nothing was compared');
  return { codes: found.notes.map(({ code }) => code), finding: found.finding, sentence: groupSentence([found]) };
}

describe('a comparison and the noise floor', () => {
  it('a significant difference below the noise floor is told, and said to be less than it', () => {
    const { codes, finding, sentence } = compared(5, 10);
    expect(finding).toBe('higher');
    expect(codes).toContain('below_noise_floor');
    expect(sentence).toMatch(
      /^fast takes 1\.00\d+x as long as standard \[.*\], too small to trust: this machine's own timing varies more, slower in 12 of 12 pairs$/,
    );
  });

  it('a comparison beyond the noise floor, or without a calibration, is said as it was found', () => {
    for (const floorMs of [1, null]) {
      const { codes, sentence } = compared(5, floorMs);
      expect(codes).not.toContain('below_noise_floor');
      expect(sentence).toMatch(/^fast takes 1\.00\d+x as long as standard/);
    }
  });

  it('a difference of a part of a latency is held against the noise floor, one that the server reports is not', () => {
    expect(compared(5, 10, false, 'latency.download').codes).toContain('below_noise_floor');
    expect(compared(5, 1, false, 'latency.download').codes).not.toContain('below_noise_floor');
    expect(compared(5, 10, false, 'latency.server').codes).not.toContain('below_noise_floor');
  });

  it('a comparison with a take that timed out is not within the noise floor, whatever its estimate', () => {
    expect(compared(5, 10, true).codes).not.toContain('below_noise_floor');
  });

  it('a comparison of medians with intervals that do not overlap is not within the noise floor', () => {
    expect(compared(150, 200).codes).not.toContain('below_noise_floor');
  });
});

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
    tell: (...take) => (fails(...take) ? failed() : ok(1000)),
  });
  const { comparisons, verdict } = assess(gated(record, RISE), metricsOf(RISE));
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
