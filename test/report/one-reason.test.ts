import { describe, expect, it } from 'vitest';
import { metricsOf } from '../../src/analysis/metrics.ts';
import { noteClauses, noteWords } from '../../src/analysis/note.ts';
import { assess } from '../../src/gate/assess.ts';
import type { RuleResult } from '../../src/gate/verdict.ts';
import { renderVerdict } from '../../src/report/terminal.ts';
import { fewestForBound, quantileBounds, sortSample } from '../../src/statistics/quantile.ts';
import { chance, gateRule, ORDINARY, ok, scriptedRun, type Telling, timedOut } from '../fixtures/scripted-run.ts';

const PERCENTS = ['p90', 'p95', 'p99'] as const;

function decided(repeats: number, tell: Telling['tell'] = calm) {
  const variants = ORDINARY.variants.slice(0, 1);
  const record = scriptedRun({ ...ORDINARY, concurrency: 1, variants, repeats, tell });
  const gate = PERCENTS.map((statistic) => gateRule('latency.total', { is: 'max', value: 60_000 }, { statistic }));
  return assess({ ...record, run: { ...record.run, gate } }, metricsOf([]));
}

const calm: Telling['tell'] = (...place) => ok(1000 * (1 + chance(...place)));

const ruleOf = (rules: readonly RuleResult[], statistic: string) =>
  rules.find(({ rule }) => rule.statistic === statistic);

describe('the reason why there is no interval', () => {
  it.each(PERCENTS)('table and rule give one reason, with one number of takes: %s', (statistic) => {
    for (const repeats of [1, 2, 3, 5, 8]) {
      const { analysed, verdict, comparisons } = decided(repeats);
      const { analysis } = analysed;
      const measure = analysis.measures.find(
        (each) => each.metric === 'latency.total' && each.statistic === statistic && each.prompt === null,
      );
      const [tabled] = noteClauses((measure?.notes ?? []).filter(({ code }) => code === 'needs_n'));
      const result = ruleOf(verdict.rules, statistic);
      const line = renderVerdict({ analysis, comparisons, verdict }, { colour: false, width: 300 })
        .split('\n')
        .find((each) => each.startsWith('NOT DECIDED') && each.includes(`latency.total ${statistic}`));
      if (tabled === undefined) {
        expect(result).toMatchObject({ verdict: 'pass', needs: null });
        continue;
      }
      expect(result).toMatchObject({ verdict: 'inconclusive', code: 'no_interval' });
      expect(line).toMatch(new RegExp(`: ${tabled}$`));
      expect(line).not.toContain('may be above or below');
    }
  });

  it('an interval that ends among time-outs contains the limit, where takes are enough', () => {
    const late: Telling['tell'] = (variant, prompt, seed, repeat) =>
      chance('late', prompt, seed, repeat) < 0.12 ? timedOut() : calm(variant, prompt, seed, repeat);
    const result = ruleOf(decided(8, late).verdict.rules, 'p90');
    expect(result).toMatchObject({ verdict: 'inconclusive', code: 'spans_limit', needs: null });
  });

  it.each([50, 90, 95, 99] as const)(
    'so many takes have a bound on each side of p%i, and one fewer has none',
    (percent) => {
      for (const side of ['low', 'high'] as const) {
        const n = fewestForBound(percent, 0.95, side);
        const endOf = (size: number) =>
          quantileBounds(sortSample(Array.from({ length: size }, (_, at) => at)), percent, 0.95)[side];
        expect(Number.isFinite(endOf(n))).toBe(true);
        if (n > 1) expect(Number.isFinite(endOf(n - 1))).toBe(false);
      }
    },
  );

  it('dependent takes without an interval have one reason', () => {
    expect(
      noteWords([
        { code: 'needs_n', value: 31 },
        { code: 'effective_n', value: 4.6 },
      ]),
    ).toBe('needs 31 takes; these takes are worth 4.6 independent ones');
    expect(noteWords([{ code: 'effective_n', value: 14.6 }])).toBe('interval as for 14.6 independent takes');
  });
});
