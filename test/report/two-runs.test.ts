import { describe, expect, it } from 'vitest';
import { metricsOf, metricsOfRecord } from '../../src/analysis/metrics.ts';
import { compareRuns, type SequentialRatio, type TwoRuns } from '../../src/analysis/two-runs.ts';
import { assess } from '../../src/gate/assess.ts';
import { renderTwoRuns, twoRunsHeads, twoRunsRows } from '../../src/report/two-runs.ts';
import type { ValueScorer } from '../../src/suite/scorer.ts';
import { buildWarning } from '../fixtures/build-warning.ts';
import { commandScorer, scored } from '../fixtures/scored-run.ts';
import { chance, ORDINARY, scriptedRun, type Telling } from '../fixtures/scripted-run.ts';

const USUAL: Telling = {
  ...ORDINARY,
  variants: ORDINARY.variants.slice(0, 2),
  concurrency: 1,
  tell: () => ({ outcome: 'ok', totalMs: 1000, output: 0 }),
};

function compared(later: Telling['tell'], from: readonly [object, object] = [{}, {}]): TwoRuns {
  const metrics = metricsOf([]);
  const [before, after] = [USUAL, { ...USUAL, tell: later }].map((telling, at) => {
    const record = scriptedRun(telling);
    return { run: { ...record.run, ...from[at] }, analysed: assess(record, metrics).analysed };
  });
  if (before === undefined || after === undefined) throw new Error('two runs');
  return compareRuns(before, after, metrics, []);
}

/** Each row as a line: `fast | p50 | 1.00 s [1.00 – 1.00 s] | ...`. */
function rowsOf(found: Parameters<typeof twoRunsRows>[0]): readonly string[] {
  return twoRunsRows(found).map(({ name, cells }) =>
    [name, ...cells.map(({ value, evidence }) => `${value} ${evidence}`.trim())].join(' | '),
  );
}

describe('two runs in rows', () => {
  it('scores of both runs: stand beside each other where one scorer gave them', () => {
    const rows = (...scorers: readonly [ValueScorer, ValueScorer]) => {
      const [before, after] = scorers.map((scorer, at) => {
        const record = scored(scriptedRun(USUAL), scorer, ({ trial }) => ({
          [scorer.name]: 0.3 - 0.1 * at + 0.01 * chance(trial.prompt, Number(trial.seed)),
        }));
        return { run: record.run, analysed: assess(record, metricsOfRecord(record)).analysed };
      });
      if (before === undefined || after === undefined) throw new Error('two runs');
      return rowsOf(compareRuns(before, after, metricsOf([]), [])).filter((words) => words.includes('score'));
    };
    const hps = commandScorer('hps');
    expect(rows(hps, hps)).toEqual(
      ['standard', 'fast'].map((variant) =>
        expect.stringMatching(
          new RegExp(
            `^${variant} \\| score\\.hps \\| 0\\.30\\d+ \\[0\\.30\\d+ – 0\\.30\\d+\\] \\| 0\\.20\\d+ \\[.*\\] \\|  \\| 12 outputs$`,
          ),
        ),
      ),
    );
    expect(rows(hps, commandScorer('hps', { meaning: 'another version' }))).toEqual(
      ['standard', 'fast'].map((variant) => `${variant} | score.hps | – | – | not compared | another scorer`),
    );
  });

  it('latencies, then equal outputs of each variant; rates that are 0 in both runs have no row', () => {
    const found = compared((variant) => ({ outcome: 'ok', totalMs: variant === 'fast' ? 700 : 1000, output: 0 }));
    const p50 = '1.00 s [1.00 – 1.00 s]';
    expect(rowsOf(found)).toEqual([
      `standard | p50 | ${p50} | ${p50} | 1.00x has 0 of 8 runs | 36 takes`,
      'standard | bytes |  | 12 of 12 same |  | 12 outputs',
      'standard | pixels |  | 12 of 12 same |  | 12 outputs',
      `fast | p50 | ${p50} | 0.700 s [0.700 – 0.700 s] | 0.70x has 0 of 8 runs | 36 takes`,
      'fast | bytes |  | 12 of 12 same |  | 12 outputs',
      'fast | pixels |  | 12 of 12 same |  | 12 outputs',
    ]);
  });

  it('errors and blocked takes have interval and n; a median that a run lacks is not known, and has no ratio', () => {
    const failed = { outcome: 'error', totalMs: 9, code: 'http_503', message: 'busy', httpStatus: 503 } as const;
    const rows = rowsOf(
      compared((variant, prompt) =>
        variant === 'fast'
          ? failed
          : prompt === 'fox'
            ? { outcome: 'moderated', totalMs: 9, code: 'content_policy', message: '', httpStatus: 422 }
            : { outcome: 'ok', totalMs: 2000, output: 1 },
      ),
    );
    const none = '0 % [0 – 9.8 %]';
    expect(rows).toContain(`standard | blocked | ${none} | 25.0 % [12.1 – 42.3 %] |  | 36 takes`);
    expect(rows).toContain(`fast | errors | ${none} | 100 % [90.2 – 100 %] |  | 36 takes`);
    expect(rows).toContain('standard | pixels |  | 0 of 9 same |  | 12 outputs');
    expect(rows).toContain('fast | pixels |  | – |  | 12 outputs');
    expect(rows.find((row) => row.startsWith('fast | p50'))).toMatch(/ \| not known \| – \| 36 and 0 takes$/);
  });

  it('vantages: name the columns of their runs', () => {
    const heads = (...from: readonly [object, object]) => twoRunsHeads(compared(USUAL.tell, from)).slice(1, 3);
    const [eu, us] = [{ vantage: 'eu' }, { vantage: 'us' }];
    expect(heads(us, eu)).toEqual(['earlier, from us', 'later, from eu']);
    expect(heads({}, eu)).toEqual(['earlier', 'later, from eu']);
    expect(heads({}, {})).toEqual(['earlier', 'later']);
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
  const beside = (more: Partial<SequentialRatio>, unfit: TwoRuns['unfit'] = []) => ({
    before: 'first',
    after: 'second',
    latency: [{ ...RATIO, ...more }],
    unfit,
  });

  it('a ratio: has the interval between runs and their number; with too few earlier runs none', () => {
    expect(rowsOf(beside({}))).toEqual(['fast | p50 | – | – | 1.20x [1.08, 1.33] | 9 runs']);
    expect(rowsOf(beside({ ciLow: null, ciHigh: null, toldApart: false, earlierRuns: 3 }))).toEqual([
      'fast | p50 | – | – | 1.20x has 3 of 8 runs | ',
    ]);
  });

  it('latencies that are not to be used: are said before the table', () => {
    const what = 'this machine could not keep up';
    const unfit = [{ run: 'second', warning: buildWarning('too_many_late_stamps', { what }) }];
    expect(renderTwoRuns(beside({}, unfit), { colour: false, width: 120 }).split('\n')).toEqual([
      `second: ${what}`,
      '',
      'second against first',
      '          metric  earlier  later  ratio         rests on',
      'fast      p50     –        –      1.20x',
      '                                  [1.08, 1.33]  9 runs',
      '',
      expect.stringMatching(/^Ratio: latency, later \/ earlier, /),
      expect.anything(),
      'No verdict: these numbers include all that differs between the runs (service, machine, network)',
      '',
    ]);
  });
});
