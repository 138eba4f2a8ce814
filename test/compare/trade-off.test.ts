import { describe, expect, it } from 'vitest';
import { tradeOffs } from '../../src/compare/trade-off.ts';
import { reported } from '../fixtures/report-source.ts';
import { commandScorer, scored } from '../fixtures/scored-run.ts';
import { ORDINARY, scriptedRun, type Telling, unsentRun } from '../fixtures/scripted-run.ts';

/**
 * Three variants: `standard` slow and sound, `fast` quick and failing, `fast-lcm` slower than `fast` and failing as
 * often.
 */
const TRADED: Telling = {
  ...ORDINARY,
  variants: ORDINARY.variants.slice(0, 3),
  tell: (variant, _prompt, _seed, repeat) =>
    variant !== 'standard' && repeat === 1
      ? { outcome: 'error', totalMs: 9, code: 'http_503', message: '', httpStatus: 503 }
      : { outcome: 'ok', totalMs: variant === 'standard' ? 2000 : variant === 'fast' ? 500 : 700, output: 0 },
};

describe('the trade-off', () => {
  it('the front has what no other variant beats on every axis', () => {
    const [found] = tradeOffs(reported(scriptedRun(TRADED)).analysis);
    expect(found?.variants.map(({ variant, isOnFront }) => [variant, isOnFront])).toEqual([
      ['standard', true],
      ['fast', true],
      ['fast-lcm', false],
    ]);
  });

  it('the axes are those that every variant has a value of: no cost where no price is known', () => {
    const [found] = tradeOffs(reported(scriptedRun(TRADED)).analysis);
    expect(found?.axes.map(({ metric }) => metric)).toEqual([
      'latency.total',
      'error_rate',
      'block_rate',
      'determinism.byte',
    ]);
    for (const { measures } of found?.variants ?? []) expect(measures).toHaveLength(4);
  });

  it('the trade-off has each score with a direction as an axis, whichever is better, but none whose control failed', () => {
    const scores = [
      { scorer: commandScorer('hps'), hits: 16 },
      { scorer: commandScorer('cer', { better: 'lower' }), hits: 16 },
      { scorer: commandScorer('mood', { better: null }), hits: 16 },
      { scorer: commandScorer('weak'), hits: 13 },
    ];
    const record = scores.reduce(
      (run, { scorer, hits }) =>
        scored(run, scorer, ({ trial: { variant } }) => ({ [scorer.name]: variant === 'fast' ? 0.2 : 0.6 }), [
          { control: 'blurred', found: Array.from({ length: 16 }, (_, at) => at < hits) },
        ]),
      scriptedRun(TRADED),
    );
    const [found] = tradeOffs(reported(record).analysis);
    expect(found?.axes.slice(-2)).toEqual([
      { metric: 'score.hps', statistic: 'mean', better: 'higher' },
      { metric: 'score.cer', statistic: 'mean', better: 'lower' },
    ]);
    // Of the two that fail as often, the slower one has the higher score.
    expect(found?.variants.map(({ isOnFront }) => isOnFront)).toEqual([true, true, true]);
  });

  it('the trade-off stays within a kind, and needs two variants and a value', () => {
    expect(tradeOffs(reported(scriptedRun(ORDINARY)).analysis).map(({ kind }) => kind)).toEqual([
      'text-to-image',
      'anime-image',
    ]);
    const alone = scriptedRun({ ...TRADED, variants: ORDINARY.variants.slice(0, 1) });
    expect(tradeOffs(reported(alone).analysis)).toEqual([]);
    expect(tradeOffs(reported(unsentRun(TRADED)).analysis)).toEqual([]);
  });
});
