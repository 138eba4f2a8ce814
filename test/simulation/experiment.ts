import type { TimedSample, VariantSummary } from '../../src/analysis/analysis.ts';
import { groupBy } from '../../src/analysis/grouping.ts';
import { METRICS } from '../../src/analysis/metrics.ts';
import { subjectsOf } from '../../src/analysis/subjects.ts';
import { type DecidedRule, decideRules } from '../../src/compare/gate/decide-rules.ts';
import { orderTrials } from '../../src/plan/order.ts';
import type { Trial } from '../../src/plan/trial.ts';
import type { Run } from '../../src/record/model/run.ts';
import type { Sample } from '../../src/record/model/sample.ts';
import { createRandom } from '../../src/statistics/distributions/random.ts';
import type { GateRule, Order } from '../../src/suite/format/suite.ts';
import { buildFailure, buildOk } from '../fixtures/sample-builder.ts';
import { buildStoredRun } from '../fixtures/stored-run-builder.ts';
import { buildTrial } from '../fixtures/trial-builder.ts';
import type { Call } from './service.ts';

/** What is sent in a simulated run: a baseline variant, and candidates that are compared with it. */
export interface Design {
  readonly prompts: number;
  readonly seeds: number;
  readonly repeats: number;
  readonly candidates: number;
  readonly concurrency: number;
  readonly order: Order;
}

/** A take in the order of sending. */
export interface PlannedTake {
  readonly prompt: string;
  readonly slice: number;
  readonly isBaseline: boolean;
}

/** A design with its plan: draws become the takes of a run, and the shipped code decides on them. */
export interface Experiment {
  readonly takes: readonly PlannedTake[];
  readonly decide: (calls: readonly Call[], rules: readonly GateRule[]) => readonly DecidedRule[];
}

const BASELINE = 'baseline';

/** Of every test, as in a gate that is decided once. */
const ALPHA = 0.05;

/** The takes of a design in the order that the planner gives them. `shuffle`: the seed of that order. */
export function experimentOf(design: Design, shuffle: number): Experiment {
  const slices = slicesOf(design, shuffle);
  const placed = slices.flatMap((trials, slice) => trials.map((trial) => ({ trial, slice })));
  const made = placed.map(({ trial, slice }) => samplesOf(trial, slice));
  const { run } = buildStoredRun({
    variants: variantsOf(design).map((name) => ({ name, plannedTrials: 0 })),
    prompts: namesOf('prompt', design.prompts),
    repeats: design.repeats,
    load: { concurrency: design.concurrency, order: design.order, shuffle },
    samples: [],
  });
  return {
    takes: placed.map(({ trial: { prompt, variant }, slice }) => ({ prompt, slice, isBaseline: variant === BASELINE })),
    decide: (calls, rules) =>
      decide(
        run,
        rules,
        calls.flatMap((call, at) => made[at]?.[call.outcome](call.totalMs) ?? []),
      ),
  };
}

function decide(run: Run, rules: readonly GateRule[], trials: readonly TimedSample[]): readonly DecidedRule[] {
  const takes = groupBy(trials, ({ sample }) => sample.trial.variant);
  const samePixels = (a: string, b: string) => a === b;
  return decideRules({
    rules,
    variants: run.variants.map(
      (variant): VariantSummary => ({ ...variant, outcomes: {}, missing: 0, abandoned: null }),
    ),
    prompts: run.prompts,
    floorMs: null,
    history: null,
    alpha: ALPHA,
    // The gate decides nothing on sequential order; the simulation shows what it would.
    load: run.plan.load.mode === 'closed' ? { ...run.plan.load, order: 'paired' } : run.plan.load,
    metrics: METRICS,
    takesOf: (variant) => takes.get(variant) ?? [],
    subjects: subjectsOf({ run, trials, warmups: [], dependences: [], probes: [], levelOf: new Map(), samePixels }),
    against: null,
  });
}

function slicesOf({ prompts, seeds, repeats, ...design }: Design, shuffle: number): readonly (readonly Trial[])[] {
  const variants = variantsOf(design);
  const cells = namesOf('prompt', prompts).flatMap((prompt) =>
    Array.from({ length: seeds }, (_, seed) => ({
      takes: Array.from({ length: repeats }, (_, at) =>
        variants.map((variant) => buildTrial({ variant, prompt, seed: seed + 1, repeat: at + 1 })),
      ),
    })),
  );
  return orderTrials([{ kind: 'text-to-image', cells }], design, createRandom(shuffle));
}

function variantsOf({ candidates }: Pick<Design, 'candidates'>): readonly string[] {
  return [BASELINE, ...namesOf('candidate', candidates)];
}

function namesOf(what: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => `${what}-${at + 1}`);
}

/** A take with each outcome that it may have. */
function samplesOf(trial: Trial, slice: number): Readonly<Record<Call['outcome'], (totalMs: number) => TimedSample>> {
  const parts = { trial, slice };
  const ok = effective(buildOk(1, trial.id, parts));
  const timedOut = effective(buildFailure('timed_out', parts));
  const error = effective(buildFailure('error', parts));
  return {
    ok: (totalMs) => ({ ...ok, timings: { ...UNTIMED, totalMs } }),
    timed_out: () => timedOut,
    error: () => error,
  };
}

const UNTIMED: TimedSample['timings'] = {
  totalMs: null,
  startLagMs: null,
  responseMs: null,
  submitMs: null,
  queueMs: null,
  queueLowMs: null,
  runMs: null,
  runHighMs: null,
  detectMs: null,
  downloadMs: null,
  ttfbMs: null,
  generationLowMs: null,
  generationMs: null,
};

function effective(sample: Sample): TimedSample {
  return {
    sample,
    outcome: sample.outcome,
    error: sample.error === null ? null : { ...sample.error, undecodable: null },
    timings: UNTIMED,
    output: null,
    costUsd: null,
    flags: [],
    timed: true,
  };
}
