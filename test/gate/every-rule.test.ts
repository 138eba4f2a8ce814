import { describe, expect, it } from 'vitest';
import { type AnalysedRun, analyse } from '../../src/analysis/analyse.ts';
import { lineOfRun } from '../../src/analysis/earlier-runs.ts';
import type { Metric } from '../../src/analysis/metric.ts';
import { metricsOf } from '../../src/analysis/metrics.ts';
import { checkRules, planGate } from '../../src/gate/check-rules.ts';
import { decideGate } from '../../src/gate/deciding/decide-gate.ts';
import type { RuleResult } from '../../src/gate/verdict.ts';
import { groupBy } from '../../src/kit/grouping.ts';
import type { Difference } from '../../src/media/difference.ts';
import type { VideoSignals } from '../../src/media/facts.ts';
import { expandPlan } from '../../src/plan/expand.ts';
import type { Plan } from '../../src/plan/plan.ts';
import type { Fact } from '../../src/record/fact.ts';
import type { Sample } from '../../src/record/journal.ts';
import type { HistoryLine, StoredRun } from '../../src/record/kept-run.ts';
import { GATE_EVENTS } from '../../src/suite/gate.ts';
import type { Load } from '../../src/suite/load.ts';
import type { Bound, GateRule, WrittenIs } from '../../src/suite/rule.ts';
import { CLOSED } from '../fixtures/plan-input.ts';
import { SCORE_METRICS } from '../fixtures/scored-run.ts';
import { chance, gateRule } from '../fixtures/scripted-run.ts';
import { buildFailure, buildOk, buildShown, buildStoredRun, digestOf } from '../fixtures/stored-run-builder.ts';
import { caseWith, targetWith, variantOf } from '../targets/target-fixture.ts';
import { NIGHTLY } from '../test-options.ts';

/*
 * Every metric with every statistic and every bound under every load: a rule is refused before anything is sent, or
 * some run decides it. A metric that is added is held to this too.
 */

const OVER_MS = 1200;
// Without votes no run decides a rule on them: what is preferred is among the metrics of scores.
const METRICS = [...metricsOf([{ overMs: OVER_MS }]).filter(({ name }) => name !== 'score.votes'), ...SCORE_METRICS];

/** In the long form more of them. */
const LOADS: Readonly<Record<string, Load>> = {
  'concurrency 1': CLOSED,
  ...(NIGHTLY
    ? {
        'concurrency 4': { ...CLOSED, concurrency: 4 },
        'mixed order': { ...CLOSED, order: 'mixed' },
        'sequential order': { ...CLOSED, order: 'sequential' },
      }
    : {}),
  'a sweep': { ...CLOSED, concurrency: 4, steps: [1, 2, 4] },
  'open load': {
    mode: 'open',
    order: 'sequential',
    concurrency: 64,
    arrivals: 'constant',
    stages: [{ ratePerSecond: 2, forMs: null }],
    warmup: 1,
    onThrottle: 'fail',
    shuffle: 1,
  },
};

const PROMPTS = ['fox', 'cat', 'harbour', 'market', 'bridge', 'garden'];
const SEEDS = [1, 2, 3];
const REPEATS = 4;
const VIDEOS = variantOf(targetWith({ kind: 'text-to-video' }), { timeoutMs: 60_000 });
const VARIANTS = [
  { ...VIDEOS, name: 'standard' },
  { ...VIDEOS, name: 'fast', baseline: false },
];

function planOf(load: Load, repeats: number): Plan {
  const cases = PROMPTS.map((id) => caseWith({ id, kinds: ['text-to-video'] }));
  return expandPlan({ variants: VARIANTS, cases, seeds: SEEDS, repeats, load, probes: [], nonce: 1 });
}

/**
 * What a run is like: how many times as long its second variant takes, and whether that fails and differs now and then.
 */
interface Story {
  readonly night: number;
  readonly factor: number;
  readonly faulty: boolean;
}

/** A record of videos that were polled, with what they cost, what they show and what the server says. */
function recordOf(plan: Plan, load: Load, story: Story): StoredRun {
  let now = 0;
  const samples = plan.slices.flatMap(({ index, trials, pace }) => {
    const slots = Array.from({ length: pace.mode === 'closed' ? pace.concurrency : 1 }, () => now);
    const beganMs = now;
    const sent = trials.map((trial, at): Sample => {
      const slot = slots.indexOf(Math.min(...slots));
      const dueMs = pace.mode === 'open' ? beganMs + (pace.startsMs[at] ?? 0) : (slots[slot] ?? 0);
      const startedMs = dueMs + (pace.mode === 'open' ? 1 + (at % 5) : 0);
      const isFast = trial.variant === 'fast';
      const totalMs = (isFast ? story.factor : 1) * (1000 + 60 * chance(trial.id, story.night));
      slots[slot] = startedMs + totalMs + 5;
      const shared = { trial, slice: index, startedMs, ...(pace.mode === 'open' ? { scheduledMs: dueMs } : {}) };
      const fate = chance(trial.id);
      if (story.faulty && isFast && fate < 0.4) {
        const outcome = (['error', 'throttled', 'moderated', 'dropped'] as const)[Math.floor(fate * 10)] ?? 'error';
        if (outcome !== 'dropped' || pace.mode === 'open') return buildFailure(outcome, shared);
      }
      const content = `${trial.variant} ${trial.prompt} ${trial.seed} ${story.faulty && isFast ? trial.repeat : ''}`;
      const more = {
        ...shared,
        polls: 20,
        serverMs: totalMs * 0.8,
        memoryMb: isFast ? 900 : 1100,
        costUsd: isFast ? 0.03 : 0.02,
      };
      const sample = buildOk(totalMs, content, more);
      if (sample.outcome !== 'ok') throw new Error('a take that is ok was expected');
      const part = (share: number) => startedMs + share * totalMs;
      const polled = { acceptedMs: part(0.1), runningMs: part(0.2), lastPendingMs: part(0.88), readyMs: part(0.9) };
      const [{ sha256, bytes }] = sample.outputs;
      const outputs = [{ sha256, bytes, mime: 'video/mp4', declaredMime: 'video/mp4' }] as const;
      return { ...sample, outputs, marks: { ...sample.marks, ...polled, firstByteMs: part(0.95) } };
    });
    now = Math.max(...sent.map(({ endedMs }) => endedMs)) + 5;
    return sent;
  });
  const record = buildStoredRun({
    variants: VARIANTS.map(({ name, kind, baseline, timeoutMs }) => ({ name, kind, baseline, timeoutMs })),
    prompts: PROMPTS,
    seeds: SEEDS,
    repeats: REPEATS,
    load,
    samples,
  });
  const moving: VideoSignals = {
    ...{ frames: 48, siMean: 45, tiMean: 15, longestFrozenS: 0, distinctFrames: 48, blankShare: 0 },
    ...{ siMax: 50, tiMax: 20, frozenShare: 0.1, duplicateShare: 0.1, blackShare: 0.1, flicker: 2 },
  };
  const facts = record.facts.map((fact): Fact => {
    if (fact.fact !== 'output' || fact.decodes !== true) return fact;
    const video = { fps: 24, durationS: 2, codec: 'h264', pixelFormat: 'yuv420p', preview: true };
    const shown = { ...buildShown(fact.sha256), moving };
    return { ...fact, frames: 48, video: { ...video, framesSha256: digestOf(fact.sha256) }, shown };
  });
  const startedAt = new Date(Date.UTC(2026, 0, 1 + story.night)).toISOString();
  const segments = record.segments.map(({ started, ended }) => ({
    started: { ...started, originAt: startedAt },
    ended,
  }));
  const prompts = record.run.prompts.map((prompt) => ({ ...prompt, kinds: ['text-to-video' as const] }));
  return {
    ...record,
    facts: [...facts, ...pairsIn(samples)],
    segments,
    run: { ...record.run, id: `night-${story.night}`, prompts },
  };
}

/** Outputs for a prompt and seed that differ are not alike at any level. */
function pairsIn(samples: readonly Sample[]): readonly Fact[] {
  const cells = groupBy(samples, ({ trial }) => JSON.stringify([trial.prompt, trial.seed]));
  return [...cells.values()].flatMap((takes) => {
    const outputs = [...new Set(takes.flatMap((take) => (take.outcome === 'ok' ? take.outputs[0].sha256 : [])))].sort();
    return outputs.flatMap((a, at) =>
      outputs.slice(at + 1).map((b): Fact => ({ fact: 'pair', a, b, compared: true, difference: UNLIKE })),
    );
  });
}

const UNLIKE: Difference = {
  frames: 48,
  unpaired: 0,
  samples: { maxDifference: 0.8, psnrDb: 17.2 },
  ssim: { p5: 0.4, worst: 0.4 },
  chroma: 12.5,
  pdqDistance: 96,
  similarityFrames: 48,
};

/** What other metrics have: a rule that names one is refused, whichever it is. */
const FOREIGN = NIGHTLY ? ['p50', 'p95', 'mean', 'min', 'max', 'rate', 'departure', 'unstable'] : ['p50', 'departure'];

/** The statistics that a rule on a metric may name: none, each that it has, and those of other metrics. */
function statisticsOf(metric: Metric, run: AnalysedRun): readonly (string | null)[] {
  const own = run.analysis.variants.flatMap((variant) =>
    metric.measure(run.subjects.ofTakes(variant, () => true)).map(({ statistic }) => statistic),
  );
  return [null, ...new Set([...own, ...FOREIGN])];
}

function boundsOf({ unit }: Metric): readonly Bound[] {
  const limits = unit === '1' ? [0.001, 1] : [0.000001, 1e9];
  // By its key, so that the compiler asks for a new one.
  const bounds: Readonly<Record<WrittenIs, readonly Bound[]>> = {
    max: limits.map((value) => ({ is: 'max', value })),
    min: limits.map((value) => ({ is: 'min', value })),
    max_increase: [
      { is: 'max_increase', share: 0.1 },
      { is: 'max_increase', amount: 20 },
    ],
    max_decrease: [
      { is: 'max_decrease', share: 0.1 },
      { is: 'max_decrease', amount: 20 },
    ],
    max_rise: [{ is: 'max_rise', share: 0.3 }],
    none: GATE_EVENTS.map((event) => ({ is: 'none', event })),
  };
  return Object.values(bounds).flat();
}

function rulesOn(metric: Metric, run: AnalysedRun): readonly GateRule[] {
  return statisticsOf(metric, run).flatMap((statistic) =>
    boundsOf(metric).flatMap((bound) =>
      ([null, OVER_MS] as const).flatMap((overMs) =>
        (['variant', 'history'] as const).map((against) =>
          gateRule(metric.name, bound, { statistic, overMs, against, variants: ['fast'] }),
        ),
      ),
    ),
  );
}

/** Why a rule is refused before anything is sent; empty where it is not. */
function refusalsOf(rule: GateRule, load: Load, plan: Plan, repeats = REPEATS) {
  const prompts = PROMPTS.map((id) => ({ id, tags: [], kinds: ['text-to-video' as const] }));
  const suite = {
    rules: [rule],
    variants: VARIANTS,
    prompts,
    load,
    seeds: SEEDS,
    repeats,
    metrics: METRICS,
  };
  const wrong = checkRules(suite);
  return wrong.length > 0 ? wrong : planGate({ ...suite, plan }).faults;
}

function nameOf({ metric, statistic, bound, overMs, against }: GateRule): string {
  return [metric, statistic ?? '', JSON.stringify(bound), overMs ?? '', against].join(' ');
}

function decide(rule: GateRule, analysed: AnalysedRun, history: readonly HistoryLine[]): RuleResult {
  const verdict = decideGate({
    rules: [rule],
    analysed,
    comparisons: [],
    leftOut: [],
    metrics: METRICS,
    against: null,
    sentAgain: null,
    history,
    alpha: 0.05,
  });
  const [result] = verdict.rules;
  if (result === undefined) throw new Error(`${nameOf(rule)} has no result`);
  return result;
}

describe('every rule that a suite may declare', () => {
  it.each(Object.entries(LOADS))('under %s: is refused before a request is sent, or decided by some run', (_, load) => {
    const plan = planOf(load, REPEATS);
    const told = (story: Story) => {
      const record = recordOf(plan, load, story);
      return { record, analysed: analyse(record, METRICS) };
    };
    const lines = Array.from({ length: 10 }, (_night, night): HistoryLine => {
      const { record, analysed } = told({ night, factor: 1, faulty: false });
      return lineOfRun(record.run, analysed, { complete: true, verdict: 'none' }, METRICS);
    });
    const outcomes = [
      told({ night: 12, factor: 1, faulty: false }),
      told({ night: 13, factor: 3, faulty: false }),
      told({ night: 14, factor: 1, faulty: true }),
    ];
    const [plain] = outcomes;
    if (plain === undefined) throw new Error('no outcome');
    const rules = METRICS.flatMap((metric) => rulesOn(metric, plain.analysed));
    const accepted = rules.filter((rule) => {
      const refusals = refusalsOf(rule, load, plan);
      for (const fault of refusals) expect(fault.remedy).not.toBe('');
      return refusals.length === 0;
    });
    const undecided = accepted.filter((rule) =>
      outcomes.every(({ analysed }) => decide(rule, analysed, lines).verdict === 'inconclusive'),
    );
    expect(undecided.map(nameOf)).toEqual([]);
    expect(accepted.length > 50).toBe(load.mode === 'open' || load.steps === null);
  });
});
