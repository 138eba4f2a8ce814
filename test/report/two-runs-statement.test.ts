import { describe, expect, it } from 'vitest';
import { assess } from '../../src/analysis/assess.ts';
import { metricsOf, metricsOfRecord } from '../../src/analysis/metrics.ts';
import type { SequentialRatio } from '../../src/analysis/sequential.ts';
import { compareRuns, type TwoRuns } from '../../src/analysis/two-runs.ts';
import { latencySentences, twoRunsSentences } from '../../src/report/two-runs-statement.ts';
import type { ValueScorer } from '../../src/suite/scorer.ts';
import { commandScorer, scored } from '../fixtures/scored-run.ts';
import { chance, ORDINARY, scriptedRun, type Telling } from '../fixtures/scripted-run.ts';

const USUAL: Telling = {
  ...ORDINARY,
  variants: ORDINARY.variants.slice(0, 2),
  concurrency: 1,
  tell: () => ({ outcome: 'ok', totalMs: 1000, output: 0 }),
};

function sentencesOf(later: Telling['tell'], from: readonly [object, object] = [{}, {}]): readonly string[] {
  const metrics = metricsOf([]);
  const [before, after] = [USUAL, { ...USUAL, tell: later }].map((telling, at) => {
    const record = scriptedRun(telling);
    return { run: { ...record.run, ...from[at] }, analysed: assess(record, metrics).analysed };
  });
  if (before === undefined || after === undefined) throw new Error('two runs');
  return twoRunsSentences(compareRuns(before, after, metrics, []));
}

describe('two runs beside each other', () => {
  it('scores of both runs: stand beside each other where one scorer gave them', () => {
    const sentences = (...scorers: readonly [ValueScorer, ValueScorer]) => {
      const [before, after] = scorers.map((scorer, at) => {
        const record = scored(scriptedRun(USUAL), scorer, ({ trial }) => ({
          [scorer.name]: 0.3 - 0.1 * at + 0.01 * chance(trial.prompt, Number(trial.seed)),
        }));
        return { run: record.run, analysed: assess(record, metricsOfRecord(record)).analysed };
      });
      if (before === undefined || after === undefined) throw new Error('two runs');
      return twoRunsSentences(compareRuns(before, after, metricsOf([]), [])).filter((words) => words.includes('score'));
    };
    const hps = commandScorer('hps');
    expect(sentences(hps, hps)).toEqual(
      ['standard', 'fast'].map((variant) =>
        expect.stringMatching(
          new RegExp(
            `^${variant}: score\\.hps 0\\.20\\d+ \\[0\\.20\\d+ – 0\\.20\\d+\\] of 12 cells, before 0\\.30\\d+ \\[.*\\] of 12$`,
          ),
        ),
      ),
    );
    expect(sentences(hps, commandScorer('hps', { meaning: 'another version' }))).toEqual([
      'score.hps: not compared, because its scorer differs between the runs',
    ]);
  });

  it('the medians of both runs: follow the ratio of their variant, in one unit, with interval and n', () => {
    const sentences = sentencesOf((variant) => ({
      outcome: 'ok',
      totalMs: variant === 'fast' ? 700 : 1000,
      output: 0,
    }));
    expect(sentences.slice(1, 5)).toEqual([
      expect.stringMatching(
        /^standard: 1\.00x as long as before; \[1\.00, 1\.00\] over cells, faster in 0 of 12 cells; /,
      ),
      'standard: p50 1.00 s [1.00 – 1.00 s] of 36 takes, before 1.00 s [1.00 – 1.00 s] of 36 takes',
      'fast: 1.43x as fast as before; [1.43, 1.43] over cells, faster in 12 of 12 cells; how much two runs differ without a change is not known (needs 8 comparable earlier runs)',
      'fast: p50 0.700 s [0.700 – 0.700 s] of 36 takes, before 1.00 s [1.00 – 1.00 s] of 36 takes',
    ]);
  });

  it('a median that one of the runs does not have: is not known, and that of the other is said', () => {
    const failed = { outcome: 'error', totalMs: 9, code: 'http_503', message: 'busy', httpStatus: 503 } as const;
    const sentences = sentencesOf((variant, _prompt, _seed, repeat) =>
      variant === 'fast' ? failed : { outcome: 'ok', totalMs: 900 + repeat, output: 0 },
    );
    expect(sentences).toContain('fast: p50 not known, before 1.00 s [1.00 – 1.00 s] of 36 takes');
  });

  it('vantages: are named where one run has one, first of all', () => {
    const second = (...from: readonly [object, object]) => sentencesOf(USUAL.tell, from)[1];
    const [eu, us] = [{ vantage: 'eu' }, { vantage: 'us' }];
    expect(second(us, eu)).toBe('Vantage (where calls were sent from): eu against us');
    expect(second({}, eu)).toBe('Vantage (where calls were sent from): eu against not known');
    expect(second(eu, {})).toBe('Vantage (where calls were sent from): not known against eu');
    expect(second(eu, eu)).toBe('Vantage (where calls were sent from): eu in both runs');
    expect(sentencesOf(USUAL.tell).join()).not.toContain('antage');
  });

  it('two vantages: are told apart by their vantage, not as before and after', () => {
    const slower: Telling['tell'] = () => ({ outcome: 'ok', totalMs: 1500, output: 0 });
    const sentences = sentencesOf(slower, [{ vantage: 'eu' }, { vantage: 'us' }]);
    expect(sentences[2]).toMatch(/^standard from us: 1\.50x as long as from eu; /);
    expect(sentences[3]).toMatch(/^standard from us: p50 1\.50 s .+, from eu 1\.00 s /);
    expect(sentencesOf(slower, [{ vantage: 'eu' }, { vantage: 'eu' }])[2]).toContain('as long as before');
  });

  it('equal runs: say nothing of rates that are 0 in both', () => {
    expect(sentencesOf(USUAL.tell).filter((sentence) => /errors|blocked/.test(sentence))).toEqual([]);
  });

  it('errors and blocked takes of the later run: are said with interval and n of both', () => {
    const sentences = sentencesOf((variant, prompt, seed, repeat) => {
      if (variant === 'fast' && repeat === 1 + (seed % 3)) {
        return { outcome: 'error', totalMs: 9, code: 'http_503', message: 'busy', httpStatus: 503 };
      }
      return variant === 'standard' && prompt === 'fox'
        ? { outcome: 'moderated', totalMs: 9, code: 'content_policy', message: '', httpStatus: 422 }
        : { outcome: 'ok', totalMs: 2000, output: 0 };
    });
    expect(sentences).toContain('fast: errors 33.3 % [18.5 – 51.0 %] of 36 takes, before 0 % [0 – 9.8 %] of 36');
    expect(sentences).toContain('standard: blocked 25.0 % [12.1 – 42.3 %] of 36 takes, before 0 % [0 – 9.8 %] of 36');
    expect(sentences.find((sentence) => sentence.startsWith('fast: 2'))).toMatch(
      /^fast: 2\.00x as long as before; \[2\.00, 2\.00\] over cells, faster in 0 of .* cells; /,
    );
  });
});

describe('the ratio of two runs', () => {
  const RATIO: SequentialRatio = {
    variant: 'fast',
    metric: 'latency.total',
    ratio: 1.2,
    ciLow: 1.08,
    ciHigh: 1.33,
    earlierRuns: 9,
    toldApart: true,
    overCells: { low: 1.18, high: 1.22 },
    cells: 12,
    faster: 1,
    p50Ms: null,
  };
  const said = (more: Partial<SequentialRatio>, unfit: TwoRuns['unfit'] = []) =>
    latencySentences({ latency: [{ ...RATIO, ...more }], unfit }, { earlier: 'before', later: '' });
  const unknown = { ciLow: null, ciHigh: null, toldApart: false } as const;

  it('a ratio beyond what earlier runs differ by: has a verb, and the interval between runs', () => {
    expect(said({})).toEqual([
      'fast takes 1.20x as long as before [1.08, 1.33], faster in 1 of 12 cells; the interval comes from how much 9 earlier runs differ',
    ]);
    expect(said({ ratio: 0.5, ciLow: 0.4, ciHigh: 0.8 })[0]).toMatch(
      /^fast is 2\.00x as fast as before \[1\.25, 2\.50\], /,
    );
  });

  it('a ratio within what earlier runs differ by: has no verb, and is not told apart', () => {
    expect(said({ ciLow: 0.95, ciHigh: 1.51, toldApart: false })).toEqual([
      'fast: 1.20x as long as before [0.95, 1.51], faster in 1 of 12 cells; not told apart: 9 earlier runs differ as much',
    ]);
  });

  it('a ratio with too few earlier runs: has no verb, and no interval but that over cells, which is named', () => {
    expect(said({ ...unknown, earlierRuns: 3 })).toEqual([
      'fast: 1.20x as long as before; [1.18, 1.22] over cells, faster in 1 of 12 cells; how much two runs differ without a change is not known (needs 8 comparable earlier runs, has 3)',
    ]);
    expect(said({ ...unknown, earlierRuns: 0, overCells: null })).toEqual([
      'fast: about 1.2x as long as before, faster in 1 of 12 cells; how much two runs differ without a change is not known (needs 8 comparable earlier runs)',
    ]);
  });

  it('latencies that are not to be used: are said first, and claim no change', () => {
    const variants = [{ variant: 'fast', late: 9, samples: 12, agree: null }];
    const unfit: TwoRuns['unfit'] = [
      {
        run: 'second',
        warning: {
          code: 'too_many_late_stamps',
          unfit: true,
          variants,
          ofVariants: 1,
          loopDelay: null,
          mode: 'closed',
          concurrency: 1,
        },
      },
      {
        run: 'second',
        warning: {
          code: 'unfit_machine',
          shards: null,
          reason: { code: 'overloaded', loadAverage: 9, cores: 2 },
        },
      },
    ];
    expect(said({}, unfit)).toEqual([
      'second: this machine could not keep up: do not use these latencies',
      'second: before the run, this machine was overloaded: load average 9.0 on 2 cores',
      'fast: 1.20x as long as before [1.08, 1.33], faster in 1 of 12 cells; the interval comes from how much 9 earlier runs differ',
    ]);
  });
});
