import { describe, expect, it } from 'vitest';
import { metricsOf } from '../../src/analysis/metrics.ts';
import { BY_LESS_THAN_NOISE } from '../../src/analysis/note.ts';
import { assess } from '../../src/gate/assess.ts';
import { checkRules } from '../../src/gate/check-rules.ts';
import { ruleFinding } from '../../src/gate/verdict-statement.ts';
import type { StoredRun } from '../../src/record/kept-run.ts';
import { groupSentence } from '../../src/report/comparison-statement.ts';
import type { Load } from '../../src/suite/load.ts';
import type { Bound, GateRule } from '../../src/suite/rule.ts';
import { chance, gateRule, ORDINARY, scriptedRun, type Telling } from '../fixtures/scripted-run.ts';
import { buildCalibration } from '../fixtures/stored-run-builder.ts';

const PAIR: Telling = { ...ORDINARY, variants: ORDINARY.variants.slice(0, 2), concurrency: 1 };

const NO_ERROR = gateRule('error_rate', { is: 'none', event: 'error' });

const FIVE_PERCENT: Bound = { is: 'max_increase', share: 0.05 };

/**
 * The verdict on a run in which `fast` takes `ratio` times as long as `standard`, each take varying by a few per cent.
 */
function verdictOn(rules: readonly GateRule[], tell: Telling['tell'], change: (record: StoredRun) => StoredRun = same) {
  const record = change(scriptedRun({ ...PAIR, tell }));
  return assess({ ...record, run: { ...record.run, gate: rules } }, metricsIn(rules)).verdict;
}

/** The metrics of the rules alone: nothing else is measured. */
function metricsIn(rules: readonly GateRule[]) {
  return metricsOf(rules).filter(({ name }) => rules.some(({ metric }) => metric === name));
}

function same(record: StoredRun): StoredRun {
  return record;
}

const takes =
  (ratio: number): Telling['tell'] =>
  (variant, ...where) => ({
    outcome: 'ok',
    totalMs: (variant === 'fast' ? ratio : 1) * 1000 * (0.97 + 0.06 * chance(variant, ...where)),
    output: 0,
  });

function faultsOf(rules: readonly GateRule[], load: Load) {
  const prompts = ORDINARY.prompts;
  const variants = PAIR.variants.map((variant) => ({ ...variant, timeoutMs: 20_000 }));
  return checkRules({ rules, variants, prompts, load, repeats: 3, probes: [], metrics: metricsOf(rules) }).map(
    ({ index, key, cause }) => [index, key, cause],
  );
}

describe('a gate', () => {
  it('no rules: no verdict, and exit code 0', () => {
    expect(verdictOn([], takes(3))).toMatchObject({ verdict: 'none', exitCode: 0, rules: [], complete: true });
  });

  it('a slower variant: fails with the ratio, its interval, and what it was compared with', () => {
    const { verdict, exitCode, rules } = verdictOn([gateRule('latency.total', FIVE_PERCENT)], takes(1.2));
    expect({ verdict, exitCode }).toEqual({ verdict: 'fail', exitCode: 1 });
    const [result] = rules;
    expect(rules).toHaveLength(1);
    expect(result).toMatchObject({
      variant: 'fast',
      against: 'standard',
      code: 'beyond_limit',
      n: 36,
      units: 'blocks',
    });
    expect(result?.estimate).toBeGreaterThan(1.15);
    expect(result?.estimate).toBeLessThan(1.25);
    expect(result?.ciLow).toBeGreaterThan(1.1);
    expect(result?.pAdjusted).toBeLessThan(0.01);
  });

  it('an equal variant: passes', () => {
    const { verdict, exitCode, rules } = verdictOn([gateRule('latency.total', FIVE_PERCENT)], takes(1));
    expect({ verdict, exitCode, code: rules[0]?.code }).toEqual({ verdict: 'pass', exitCode: 0, code: 'within_limit' });
    expect(rules[0]?.upperBound).toBeLessThan(1.15);
  });

  it('too few blocks: is inconclusive with 4, unless the rule lets that pass', () => {
    const few = [gateRule('latency.total', FIVE_PERCENT, { prompts: ['fox'] })];
    const failed = { outcome: 'error', totalMs: 9, code: 'x', message: '', httpStatus: null } as const;
    const onlyFirst: Telling['tell'] = (...where) => (where[3] === 1 ? takes(1.2)(...where) : failed);
    expect(verdictOn(few, onlyFirst)).toMatchObject({
      verdict: 'inconclusive',
      exitCode: 4,
      rules: [{ code: 'too_few_units', n: 3 }],
    });
    const let_ = few.map((each) => ({ ...each, onInconclusive: 'pass' as const }));
    expect(verdictOn(let_, onlyFirst)).toMatchObject({ verdict: 'pass', exitCode: 0, rules: [{ letPass: true }] });
  });

  it('several comparisons: share one error rate by Holm', () => {
    const three = ['latency.total', 'latency.generation', 'latency.ttfb'].map((metric) =>
      gateRule(metric, FIVE_PERCENT),
    );
    const { rules } = verdictOn(three, takes(1.2));
    for (const { p, pAdjusted } of rules) expect(pAdjusted).toBeGreaterThanOrEqual(3 * (p ?? 1) - 1e-12);
  });

  it('errors: max and max_rise of error_rate fail, and count what failed', () => {
    const failing: Telling['tell'] = (variant, prompt, seed, repeat) =>
      variant === 'fast' && chance(prompt, seed, repeat) < 0.6
        ? { outcome: 'error', totalMs: 9, code: 'http_503', message: 'overloaded', httpStatus: 503 }
        : { outcome: 'ok', totalMs: 1000, output: 0 };
    const { rules } = verdictOn(
      [gateRule('error_rate', { is: 'max', value: 0.2 }), gateRule('error_rate', { is: 'max_rise', share: 0.05 })],
      failing,
    );
    expect(rules.map(({ variant, verdict }) => [variant, verdict])).toEqual([
      ['standard', 'pass'],
      ['fast', 'fail'],
      ['fast', 'fail'],
    ]);
  });

  it('one output that differs within a cell: fails none: departure, and names how many', () => {
    const tell: Telling['tell'] = (variant, prompt, seed, repeat) => ({
      outcome: 'ok',
      totalMs: 1000,
      output: variant === 'fast' && prompt === 'fox' && seed === 1 && repeat === 3 ? 1 : 0,
    });
    const none = gateRule('determinism.byte', { is: 'none', event: 'departure' });
    const { rules, verdict } = verdictOn([none], tell);
    expect(verdict).toBe('fail');
    expect(rules.map(({ variant, code }) => [variant, code])).toEqual([
      ['standard', 'no_event'],
      ['fast', 'event_found'],
    ]);
    expect(rules.map(({ worst }) => worst.map((place) => ('prompt' in place ? place.prompt : place.tag)))).toEqual([
      [],
      ['fox'],
    ]);
    expect(verdictOn([{ ...none, prompts: ['market'] }], tell).verdict).toBe('pass');
  });

  it('departures within a bound: pass only where their upper bound is within it, one departure or none', () => {
    const departing =
      (cells: number): Telling['tell'] =>
      (variant, prompt, seed, repeat) => ({
        outcome: 'ok',
        totalMs: 1000,
        output:
          variant === 'fast' &&
          repeat === 3 &&
          ['fox', 'harbour', 'lighthouse', 'market'].indexOf(prompt) * 3 + seed <= cells
            ? 1
            : 0,
      });
    const bounded = gateRule('determinism.byte', { is: 'max', value: 0.2 }, { variants: ['fast'] });
    const [few] = verdictOn([bounded], departing(1)).rules;
    // 36 takes of 12 cells: 24 could have departed.
    expect(few).toMatchObject({ verdict: 'pass', estimate: 1 / 36 });
    expect(few?.upperBound).toBeCloseTo(0.1829, 3);
    const [some] = verdictOn([bounded], departing(5)).rules;
    expect(some).toMatchObject({ verdict: 'inconclusive', code: 'spans_limit', estimate: 5 / 36, boundLevel: 0.95 });
    expect(some?.upperBound).toBeGreaterThan(0.35);
  });

  it('what is counted: is decided by itself, without a bound', () => {
    const share = gateRule('determinism.byte', { is: 'min', value: 0.5 }, { variants: ['fast'], statistic: 'share' });
    const [result] = verdictOn([share], takes(1)).rules;
    expect(result).toMatchObject({ verdict: 'pass', estimate: 1, upperBound: null, boundLevel: null });
    expect(result === undefined ? '' : ruleFinding(result)).toMatch(/: within it, counted exactly$/);
  });

  it('throughput of groups that are too short for it: is undecided', () => {
    const rules = [gateRule('throughput', { is: 'min', value: 0.1 }, { variants: ['fast'] })];
    const record = scriptedRun({ ...ORDINARY, variants: ORDINARY.variants.slice(0, 2), repeats: 6, tell: takes(1) });
    const [result] = assess({ ...record, run: { ...record.run, gate: rules } }, metricsIn(rules)).verdict.rules;
    expect(result).toMatchObject({ verdict: 'inconclusive', code: 'too_few_units', estimate: null, n: 72 });
  });

  it('a candidate that costs exactly the limit more: does not fail by the last bit of a logarithm', () => {
    const priced = (record: StoredRun): StoredRun => ({
      ...record,
      samples: record.samples.map((sample) => ({
        ...sample,
        reported: { ...sample.reported, costUsd: sample.trial.variant === 'fast' ? 0.021 : 0.02 },
      })),
    });
    for (const share of [0.05, 0.03]) {
      const [result] = verdictOn([gateRule('cost.per_output', { is: 'max_increase', share })], takes(1), priced).rules;
      expect(result?.verdict).toBe(share === 0.05 ? 'pass' : 'fail');
    }
  });

  it('a bound on a rate: names the prompts that are beyond it by themselves, the worst first', () => {
    const shareOf = (prompt: string) => ({ market: 1, fox: 2 / 3 })[prompt] ?? 0;
    const tell: Telling['tell'] = (_variant, prompt, _seed, repeat) =>
      repeat <= 3 * shareOf(prompt)
        ? { outcome: 'error', totalMs: 9, code: 'http_503', message: 'overloaded', httpStatus: 503 }
        : { outcome: 'ok', totalMs: 1000, output: 0 };
    const { rules } = verdictOn([gateRule('error_rate', { is: 'max', value: 0.7 }), NO_ERROR], tell);
    expect(rules.map(({ worst }) => worst)).toMatchObject([
      [{ prompt: 'market', value: 1 }],
      [{ prompt: 'market', value: 1 }],
      [{ prompt: 'market' }, { prompt: 'fox' }],
      [{ prompt: 'market' }, { prompt: 'fox' }],
    ]);
  });

  it('slow takes: slow_rate counts those over its limit, time-outs among them', () => {
    const tell: Telling['tell'] = (variant, prompt, seed, repeat) =>
      variant === 'fast' && repeat === 1
        ? { outcome: 'timed_out', totalMs: 20_000, code: 'timeout', message: '', httpStatus: null }
        : {
            outcome: 'ok',
            totalMs: variant === 'fast' && repeat === 2 ? 9000 : 1000 + chance(prompt, seed),
            output: 0,
          };
    const { rules } = verdictOn([gateRule('slow_rate', { is: 'max_rise', share: 0.05 }, { overMs: 5000 })], tell);
    expect(rules).toMatchObject([{ verdict: 'fail', n: 36 }]);
    expect(rules[0]?.estimate).toBeCloseTo(2 / 3, 12);
  });

  it('a variant that was abandoned in mid-run: is inconclusive', () => {
    const abandoned = (record: StoredRun): StoredRun => ({
      ...record,
      abandoned: [
        {
          event: 'abandoned',
          segment: 1,
          atMs: 1,
          variant: 'fast',
          why: { code: 'refused_warmup', httpStatus: 401, errorCode: 'unauthorized', message: '' },
        },
      ],
    });
    const { rules } = verdictOn([gateRule('latency.total', FIVE_PERCENT)], takes(2), abandoned);
    expect(rules).toMatchObject([{ verdict: 'inconclusive', code: 'left_out' }]);
  });

  it('an optional variant that this machine cannot measure: is not applicable, and the run counts as complete', () => {
    const without = (optional: boolean) => (record: StoredRun) => ({
      ...record,
      run: {
        ...record.run,
        leftOut: [
          {
            variant: 'video',
            twinOf: null,
            kind: 'text-to-video' as const,
            reason: { code: 'no_video_encoder' as const, encoder: 'libx264' },
            optional,
          },
        ],
      },
    });
    const rules = [gateRule('determinism.byte', { is: 'none', event: 'departure' })];
    expect(verdictOn(rules, takes(1), without(true))).toMatchObject({ verdict: 'pass', exitCode: 0, complete: true });
    expect(verdictOn(rules, takes(1), without(false))).toMatchObject({ verdict: 'inconclusive', exitCode: 3 });
  });

  it.each([
    ['below the floor', 5, 10, true],
    ['above the floor', 5, 1, false],
    ['below the floor, but of medians whose intervals do not overlap', 150, 200, false],
  ] as const)(
    'a significant difference %s: the gate, the comparison and its sentence agree',
    (_, more, floorMs, isBelow) => {
      const tell: Telling['tell'] = (variant, prompt, seed) => ({
        outcome: 'ok',
        totalMs: 1000 + 100 * chance(prompt, seed) + (variant === 'fast' ? more : 0),
        output: 0,
      });
      const rules = [gateRule('latency.total', { is: 'max_increase', share: 0.001 })];
      const { run, ...record } = scriptedRun({ ...PAIR, tell });
      const calibrated = { ...record, run: { ...run, gate: rules, calibration: buildCalibration({ floorMs }) } };
      const { comparisons, verdict } = assess(calibrated, metricsIn(rules));
      const whole = comparisons.find(({ scope }) => scope.of === 'blocks');
      const [result] = verdict.rules;
      if (whole === undefined || result === undefined) throw new Error('nothing was compared');
      expect(result).toMatchObject({ verdict: 'fail', belowNoiseFloor: isBelow });
      const said = [ruleFinding(result), groupSentence([whole])].map((words) => words.includes(BY_LESS_THAN_NOISE));
      expect(said).toEqual([isBelow, isBelow]);
    },
  );

  it.each([
    ['latency.total', 'coarse_polls', true],
    ['latency.generation', 'coarse_polls', true],
    ['latency.ttfb', 'coarse_polls', true],
    ['latency.queue', 'coarse_polls', true],
    ['latency.run', 'coarse_polls', true],
    ['latency.detect', 'coarse_polls', true],
    ['latency.submit', 'within_limit', true],
    ['latency.download', 'within_limit', true],
    ['latency.server', 'within_limit', false],
    ['stage.diffusion', 'within_limit', false],
  ] as const)('%s of coarse polls: is %s; of late marks: unfit is %s', (metric, ofCoarse, ofLate) => {
    const polled = (ready: number, flags: readonly string[]) => (record: StoredRun) => ({
      ...record,
      samples: record.samples.map((sample) => {
        if (sample.outcome !== 'ok') return sample;
        const { startedMs, doneMs } = sample.marks;
        const at = (share: number) => startedMs + share * (doneMs - startedMs);
        const waited = { acceptedMs: at(0.1), runningMs: at(0.2), lastPendingMs: at(0.5) };
        const done = { readyMs: at(ready), firstByteMs: at(ready + 0.01) };
        const reported = { ...sample.reported, stages: { diffusion: 500 } };
        return { ...sample, flags, polls: 5, marks: { ...sample.marks, ...waited, ...done }, reported };
      }),
    });
    const rules = [gateRule(metric, { is: 'max', value: 20_000 })];
    expect(verdictOn(rules, takes(1), polled(0.9, [])).rules[0]?.code).toBe(ofCoarse);
    expect(verdictOn(rules, takes(1), polled(0.55, ['harness_lag'])).rules[0]).toMatchObject({
      verdict: 'pass',
      unfit: ofLate ? [{ code: 'not_kept_up' }] : [],
    });
  });

  it.each([
    ['latency.total', { is: 'max', value: 20_000 }, true],
    ['latency.total', { is: 'max_increase', share: 0.5 }, true],
    ['latency.generation', { is: 'max', value: 20_000 }, true],
    ['latency.submit', { is: 'max', value: 20_000 }, true],
    ['latency.ttfb', { is: 'max', value: 20_000 }, true],
    ['slow_rate', { is: 'max', value: 0.2 }, true],
    ['goodput', { is: 'min', value: 0.001 }, true],
    ['latency.download', { is: 'max', value: 20_000 }, false],
    ['latency.server', { is: 'max', value: 20_000 }, false],
    ['error_rate', { is: 'max', value: 0.2 }, false],
    ['throughput', { is: 'min', value: 0.001 }, false],
  ] as const)(
    '%s of takes that waited for a rate limit, %o: passes, marked as unfit is %s',
    (metric, bound, isMarked) => {
      const waiting = (takesOf: string) => (record: StoredRun) => ({
        ...record,
        samples: record.samples.map((sample) =>
          sample.trial.variant === takesOf && sample.trial.repeat === 1
            ? { ...sample, throttleWaitMs: 90_000 }
            : sample,
        ),
      });
      const overMs = metric === 'slow_rate' || metric === 'goodput' ? 5000 : null;
      const rules = [gateRule(metric, bound, { variants: ['fast'], overMs })];
      const { verdict, exitCode, rules: results } = verdictOn(rules, takes(1), waiting('fast'));
      const unfit = isMarked ? [{ code: 'rate_limited', takes: 12, ofTakes: 36 }] : [];
      expect({ verdict, exitCode }).toEqual({ verdict: isMarked ? 'pass_unfit' : 'pass', exitCode: 0 });
      expect(results).toMatchObject([{ verdict: 'pass', unfit }]);
      expect(verdictOn(rules, takes(1), waiting('standard')).verdict).toBe('pass');
    },
  );

  it('open load whose takes waited for a rate limit: counts them from their due time in slow_rate, not in latency.total', () => {
    const waiting = (record: StoredRun) => ({
      ...record,
      samples: record.samples.map((sample) =>
        sample.outcome === 'ok'
          ? { ...sample, throttleWaitMs: 500, marks: { ...sample.marks, scheduledMs: sample.marks.startedMs - 500 } }
          : sample,
      ),
    });
    const rules = [
      gateRule('slow_rate', { is: 'max', value: 0.2 }, { overMs: 5000 }),
      gateRule('latency.total', { is: 'max', value: 5000 }),
    ];
    const ofFast = verdictOn(rules, takes(1), waiting).rules.filter(({ variant }) => variant === 'fast');
    expect(ofFast.map(({ verdict, unfit }) => [verdict, unfit.length])).toEqual([
      ['pass', 0],
      ['pass', 1],
    ]);
  });

  it('a rule that fails on takes that waited for a rate limit: is not marked, as the waits would only add', () => {
    const waiting = (record: StoredRun) => ({
      ...record,
      samples: record.samples.map((sample) => ({ ...sample, throttleWaitMs: 90_000 })),
    });
    const rules = [gateRule('latency.total', { is: 'max', value: 10 })];
    expect(verdictOn(rules, takes(1), waiting).rules[0]).toMatchObject({ verdict: 'fail', unfit: [] });
  });

  it('late marks of slow takes: may undecide a rule on what was measured, not one on what the server reports', () => {
    const late = (record: StoredRun): StoredRun => ({
      ...record,
      samples: record.samples.map((sample) =>
        sample.trial.phase === 'trial' && sample.trial.seed !== 1 ? { ...sample, flags: ['harness_lag'] } : sample,
      ),
    });
    const tell: Telling['tell'] = (...where) => takes(where[2] === 1 ? 1 : 1.3)(...where);
    const rules = ['latency.total', 'latency.server'].map((metric) => gateRule(metric, FIVE_PERCENT));
    expect(verdictOn(rules, tell, late).rules.map(({ verdict, code }) => [verdict, code])).toEqual([
      ['inconclusive', 'flagged_disagree'],
      ['fail', 'beyond_limit'],
    ]);
  });

  it('flagged blocks: leave a rule its own reason where its verdict would be the same without them', () => {
    const flagging = (isFlagged: (seed: number) => boolean) => (record: StoredRun) => ({
      ...record,
      samples: record.samples.map((sample) =>
        sample.trial.phase === 'trial' && isFlagged(sample.trial.seed ?? 0)
          ? { ...sample, flags: ['harness_lag'] }
          : sample,
      ),
    });
    // Undecided with an estimate above the limit; seed 1 alone has one below it, and too few blocks.
    const tell: Telling['tell'] = (...where) => takes(where[2] === 1 ? 1.03 : 1.08)(...where);
    const few = [gateRule('latency.total', FIVE_PERCENT, { prompts: ['fox'] })];
    const [result] = verdictOn(
      few,
      tell,
      flagging((seed) => seed > 1),
    ).rules;
    expect(result).toMatchObject({ verdict: 'inconclusive', code: 'not_significant' });
    expect(result?.withoutFlagged).toMatchObject({ verdict: 'inconclusive' });
    expect(result?.withoutFlagged?.estimate).toBeLessThan(1.05);
    const rule = [gateRule('latency.total', FIVE_PERCENT)];
    // Without seeds 2 and 3 it passes: then the flags decide, and nothing else.
    const passing: Telling['tell'] = (variant, ...at) => takes(at[1] === 1 ? 1 : 1.075)(variant, ...at);
    expect(
      verdictOn(
        rule,
        passing,
        flagging((seed) => seed > 1),
      ).rules,
    ).toMatchObject([{ verdict: 'inconclusive', code: 'flagged_disagree', withoutFlagged: { verdict: 'pass' } }]);
  });

  it.each([
    ['the candidate', 'fast', true],
    ['the baseline variant', 'standard', false],
  ])(
    'blocks beside abandoned requests of %s: count as flagged only where these are not its own doing',
    (_who, hanging, own) => {
      const tell: Telling['tell'] = (variant, prompt, seed, repeat) =>
        variant === hanging && seed === 1
          ? { outcome: 'timed_out', totalMs: 20_000, code: 'timeout', message: '', httpStatus: null }
          : takes(1)(variant, prompt, seed, repeat);
      const withOrphans = (record: StoredRun): StoredRun => ({
        ...record,
        samples: record.samples.map((sample) => {
          if (sample.outcome === 'timed_out')
            return { ...sample, marks: { ...sample.marks, sentMs: sample.marks.startedMs } };
          const isBeside = sample.trial.variant === hanging && sample.trial.seed === 2;
          return isBeside && sample.trial.phase === 'trial' ? { ...sample, flags: ['orphans'] } : sample;
        }),
      });
      const [result] = verdictOn([gateRule('latency.total', FIVE_PERCENT)], tell, withOrphans).rules;
      expect(result?.withoutFlagged === null).toBe(own);
      expect(result?.code).not.toBe('flagged_disagree');
    },
  );

  it('variants sent one after the other: latencies and rates are refused by the plan, and undecided in a record', () => {
    const rules = [
      gateRule('latency.total', FIVE_PERCENT),
      gateRule('error_rate', { is: 'max_rise', share: 0.05 }),
      gateRule('error_rate', { is: 'max', value: 0.2 }),
    ];
    const sequential = (record: StoredRun): StoredRun => {
      const { load } = record.run.plan;
      if (load.mode !== 'closed') throw new Error('closed load is expected');
      return {
        ...record,
        run: { ...record.run, plan: { ...record.run.plan, load: { ...load, order: 'sequential' } } },
      };
    };
    const { rules: results } = verdictOn(rules, takes(2), sequential);
    expect(results.map(({ code }) => code)).toEqual([
      'sequential_order',
      'sequential_order',
      'within_limit',
      'within_limit',
    ]);
    const { load } = sequential(scriptedRun({ ...PAIR, tell: takes(1) })).run.plan;
    expect(faultsOf(rules, load)).toEqual([
      [0, 'metric', expect.stringMatching('sent one after the other')],
      [1, 'metric', expect.stringMatching('sent one after the other')],
    ]);
  });

  it('open load: passes a limit only where it lasted ten times as long, and fails one however short it was', () => {
    const codesOf = (everyMs: number) => {
      const open = (record: StoredRun): StoredRun => {
        const load: Load = {
          mode: 'open',
          order: 'sequential',
          concurrency: 64,
          arrivals: 'constant',
          stages: [{ ratePerSecond: 1000 / everyMs, forMs: null }],
          warmup: 0,
          onThrottle: 'fail',
          shuffle: 1,
        };
        const due = new Map<string, number>();
        const samples = record.samples.map((sample) => {
          if (sample.outcome !== 'ok') return sample;
          const scheduledMs = due.get(sample.trial.variant) ?? 0;
          due.set(sample.trial.variant, scheduledMs + everyMs);
          const slice = PAIR.variants.findIndex(({ name }) => name === sample.trial.variant);
          const moved = scheduledMs - sample.marks.startedMs;
          const marks = Object.fromEntries(Object.entries(sample.marks).map(([mark, ms]) => [mark, ms + moved]));
          return {
            ...sample,
            slice,
            endedMs: sample.endedMs + moved,
            marks: { ...sample.marks, ...marks, scheduledMs },
          };
        });
        return { ...record, samples, run: { ...record.run, plan: { ...record.run.plan, load } } };
      };
      const rules = [
        gateRule('latency.total', { is: 'max', value: 2000 }, { variants: ['fast'] }),
        gateRule('slow_rate', { is: 'max', value: 0.2 }, { variants: ['fast'], overMs: 2000 }),
        gateRule('latency.total', { is: 'max', value: 900 }, { variants: ['fast'] }),
        gateRule('error_rate', { is: 'max', value: 0.2 }, { variants: ['fast'] }),
      ];
      return verdictOn(rules, takes(1), open).rules.map(({ code }) => code);
    };
    // 36 calls of fast: 35 times 572 ms are more than 20 s, 35 times 571 ms are less.
    expect(codesOf(572)).toEqual(['within_limit', 'within_limit', 'beyond_limit', 'within_limit']);
    expect(codesOf(571)).toEqual(['short_load', 'short_load', 'beyond_limit', 'within_limit']);
  });

  it('scope prompts on a rule that compares no values: is refused', () => {
    const { load } = scriptedRun({ ...PAIR, tell: takes(1) }).run.plan;
    const rules = [
      gateRule('error_rate', { is: 'max', value: 0.2 }, { scope: 'prompts' }),
      gateRule('error_rate', { is: 'max_rise', share: 0.05 }, { scope: 'prompts' }),
      gateRule('stability.byte', { is: 'none', event: 'change' }, { scope: 'prompts', against: 'baseline' }),
      gateRule('latency.total', FIVE_PERCENT, { scope: 'prompts' }),
    ];
    expect(faultsOf(rules, load)).toEqual(
      [0, 1, 2].map((index) => [index, 'scope', 'scope: prompts applies to max_increase and max_decrease only']),
    );
  });

  it('the worst prompts: are named, the worst first', () => {
    const tell: Telling['tell'] = (variant, prompt, ...where) => ({
      outcome: 'ok',
      totalMs:
        1000 * (variant === 'fast' ? (prompt === 'harbour' ? 2 : prompt === 'fox' ? 1.5 : 1.1) : 1) +
        chance(prompt, ...where),
      output: 0,
    });
    const { rules } = verdictOn([gateRule('latency.total', FIVE_PERCENT)], tell);
    expect(rules[0]?.worst.flatMap((place) => ('prompt' in place ? [place.prompt] : []))).toEqual(['harbour', 'fox']);
  });
});
