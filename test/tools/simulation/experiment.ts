import { compareRun } from '../../../src/analysis/compare.ts';
import type { DependenceFinding } from '../../../src/analysis/dependence.ts';
import type { TimedSample } from '../../../src/analysis/effective-sample.ts';
import type { Metric } from '../../../src/analysis/metric.ts';
import { METRICS } from '../../../src/analysis/metrics.ts';
import { type Subjects, subjectsOf } from '../../../src/analysis/subjects.ts';
import type { VariantSummary } from '../../../src/analysis/summaries.ts';
import { indexTakes, type TakeIndex } from '../../../src/analysis/take-index.ts';
import { type DecidedRule, decideRules, isOpen, settleLooks } from '../../../src/gate/deciding/decide-gate.ts';
import { alphaAt } from '../../../src/gate/planned-reach.ts';
import { sweepSlices } from '../../../src/plan/load-slices.ts';
import { plannedLooks, splitIntoParts } from '../../../src/plan/looks.ts';
import { type KindTrials, orderTrials } from '../../../src/plan/order/order.ts';
import { caseSeedOf } from '../../../src/plan/plan.ts';
import type { AskedLooks } from '../../../src/plan/recorded-plan.ts';
import type { Trial } from '../../../src/plan/trial.ts';
import type { Run } from '../../../src/record/run.ts';
import { createRandom } from '../../../src/statistics/random.ts';
import type { Order } from '../../../src/suite/load.ts';
import type { GateRule } from '../../../src/suite/rule.ts';
import { buildStoredRun, buildTrial } from '../../fixtures/stored-run-builder.ts';
import { type JudgeAnswer, type Judged, judgedOf } from './judged-outputs.ts';
import { type ScoredAs, scoreOf, votesOf } from './said-of-outputs.ts';
import type { Call } from './service.ts';
import { samplesOf } from './timed-takes.ts';

/** What is sent in a simulated run: a baseline variant, and candidates that are compared with it. */
export interface Design {
  readonly prompts: number;
  readonly seeds: number;
  readonly repeats: number;
  readonly candidates: number;
  readonly concurrency: number;
  readonly order: Order;
  /** Why it is sent in parts, with a look at the gate after each; left out: it is decided once. */
  readonly looks?: AskedLooks;
  /** Outputs are scored: what the rules are about, in place of latencies. */
  readonly scored?: ScoredAs;
  /** Pairs are voted on, each of a case-seed and its one repeat. Without a rule votes are compared. */
  readonly voted?: true;
  /** A judge is asked about pairs, likewise. */
  readonly judged?: true;
  /** The concurrencies of a sweep, which has no gate: the latencies of its first step are compared. */
  readonly steps?: readonly [number, ...number[]];
}

/** A take in the order of sending. */
export interface PlannedTake {
  readonly prompt: string;
  readonly caseSeed: string;
  readonly slice: number;
  readonly isBaseline: boolean;
}

/** A design with its plan: draws become the takes of a run, and the shipped code decides on them. */
export interface Experiment {
  readonly takes: readonly PlannedTake[];
  /** What a judge is asked; nothing where outputs are not judged. */
  readonly questions: Judged['questions'];
  readonly decide: (calls: readonly Call[], rules: readonly GateRule[], answers?: readonly JudgeAnswer[]) => Decided;
}

/** What came of a gate, look by look where it is looked at more than once; or of a comparison without a gate. */
export interface Decided {
  readonly rules: readonly Outcome[];
  /** Takes that were sent until then, as a share of a run that is decided once. */
  readonly sent: number;
}

/** Of a comparison: `fail` where variants are told apart, `pass` where they are not, `inconclusive` without an interval. */
export type Outcome = Pick<DecidedRule, 'verdict' | 'ciLow' | 'ciHigh'> & { readonly code?: string };

const BASELINE = 'baseline';

/** The takes of a design in the order that the planner gives them. `shuffle`: the seed of that order. */
export function experimentOf(design: Design, shuffle: number): Experiment {
  const parts = partsOf(design, shuffle);
  const placed = parts
    .flatMap((slices, part) => slices.map((trials) => ({ trials, part })))
    .flatMap(({ trials, part }, slice) => trials.map((trial) => ({ trial, part, slice })));
  const made = placed.map(({ trial, slice }) => samplesOf(trial, slice));
  const { run } = buildStoredRun({
    variants: variantsOf(design).map((name) => ({ name, plannedTrials: 0 })),
    prompts: namesOf('prompt', design.prompts),
    repeats: design.repeats,
    load: { concurrency: design.concurrency, order: design.order, shuffle },
    samples: [],
  });
  const looks =
    design.looks === undefined
      ? null
      : plannedLooks(
          design.looks,
          parts.map((slices) =>
            slices.map((trials, index) => ({
              index,
              trials,
              pace: { mode: 'closed', concurrency: design.concurrency },
            })),
          ),
          design,
        );
  const judged =
    design.judged === undefined
      ? null
      : judgedOf({
          variants: run.variants,
          prompts: namesOf('prompt', design.prompts),
          trials: placed.map(({ trial }) => trial),
        });
  const single = design.prompts * design.seeds * design.repeats * variantsOf(design).length;
  return {
    takes: placed.map(({ trial, slice }) => ({
      prompt: trial.prompt,
      caseSeed: caseSeedOf(trial),
      slice,
      isBaseline: trial.variant === BASELINE,
    })),
    questions: judged?.questions ?? [],
    decide: (calls, rules, answers = []) => {
      const scores = new Map(calls.map(({ score }, at) => [placed[at]?.trial.id, score]));
      const scored = design.scored === undefined ? [] : [scoreOf(design.scored, (trial) => scores.get(trial))];
      const votes = new Map(calls.map((call, at) => [placed[at]?.trial.id, call.votes]));
      const asked = placed.flatMap(({ trial }) => {
        const own = votes.get(trial.id);
        return own === undefined ? [] : [{ trial, votes: own }];
      });
      const voted = design.voted === undefined ? [] : [votesOf(asked, run)];
      const preferred = [...voted, ...(judged === null ? [] : [judged.metricOf(answers)])];
      const metrics = [
        ...METRICS.filter(({ name }) => preferred.every((own) => own.name !== name)),
        ...scored,
        ...preferred,
      ];
      const samples = calls.map((call, at) => made[at]?.[call.outcome](call.totalMs) ?? []);
      const upTo = (part: number) => placed.flatMap((take, at) => (take.part <= part ? (samples[at] ?? []) : []));
      if (design.steps !== undefined) return { rules: [compareFirstStep(run, upTo(0), design.steps)], sent: 1 };
      if (rules.length === 0) return { rules: [compare(run, upTo(0), preferred)], sent: 1 };
      const decided: (readonly DecidedRule[])[] = [];
      for (let part = 0; ; part += 1) {
        const measured = upTo(part);
        decided.push(decide(run, rules, measured, metrics, alphaAt(looks, part + 1)));
        const settled = settleLooks(decided, metrics).map(({ result }) => result);
        const isLast = design.looks === undefined || part === parts.length - 1;
        if (isLast || !isOpen(settled, design.looks, metrics))
          return { rules: settled, sent: measured.length / single };
      }
    },
  };
}

function decide(
  run: Run,
  rules: readonly GateRule[],
  trials: readonly TimedSample[],
  metrics: readonly Metric[],
  alpha: number,
): readonly DecidedRule[] {
  const takes = indexTakes(trials);
  return decideRules({
    rules,
    variants: summaries(run),
    prompts: run.prompts,
    history: null,
    alpha,
    // The gate decides nothing on sequential order; the simulation shows what it would.
    load: run.plan.load.mode === 'closed' ? { ...run.plan.load, order: 'paired' } : run.plan.load,
    metrics,
    takesOf: takes.ofVariant,
    subjects: takesAlone(run, takes),
    isFlagged: () => false,
    against: null,
    claims: [],
  });
}

/** What metrics measure, of takes that nothing else is known of but how they depend on each other. */
export function takesAlone(run: Run, takes: TakeIndex, dependences: readonly DependenceFinding[] = []): Subjects {
  return subjectsOf({
    run,
    takes,
    dependences,
    warmups: [],
    cached: { variants: new Set(), kinds: new Set() },
    likeness: [],
    levelOf: new Map(),
    samePixels: (a, b) => a === b,
  });
}

function compareFirstStep(run: Run, trials: readonly TimedSample[], steps: readonly [number, ...number[]]): Outcome {
  const first = trials.filter(({ sample }) => sample.trial.step === steps[0]);
  const load = { ...run.plan.load, mode: 'closed', steps } as const;
  const metrics = METRICS.filter(({ name }) => name === 'latency.total');
  return compare({ ...run, plan: { ...run.plan, load } }, first, metrics);
}

/** What is said first of the only candidate. */
function compare(run: Run, trials: readonly TimedSample[], metrics: readonly Metric[]): Outcome {
  const [found] = comparisonsOf(run, trials, metrics);
  if (found === undefined) throw new Error('nothing was compared');
  const { finding, ciLow, ciHigh } = found;
  const verdict = finding === 'too_few' ? 'inconclusive' : finding === 'undecided' ? 'pass' : 'fail';
  return { verdict, ciLow, ciHigh };
}

/** What the shipped code says of each candidate and metric. */
function comparisonsOf(run: Run, trials: readonly TimedSample[], metrics: readonly Metric[]) {
  return compareRun({
    variants: summaries(run),
    prompts: run.prompts,
    load: run.plan.load,
    takes: indexTakes(trials),
    metrics,
    measures: [],
    floorMs: null,
    baselineRun: null,
    unfitLatencies: new Map(),
  });
}

export function summaries({ variants }: Run): readonly VariantSummary[] {
  return variants.map((variant) => ({ ...variant, outcomes: {}, missing: 0, spend: null, abandoned: null }));
}

/** The slices of each part, as the planner makes them. */
function partsOf(design: Design, shuffle: number): readonly (readonly (readonly Trial[])[])[] {
  const random = createRandom(shuffle);
  const { steps } = design;
  if (steps !== undefined)
    return [sweepSlices(steps, (step) => kindTrials(design, 0, step), random).map(({ trials }) => trials)];
  const planned = kindTrials(design, 0);
  const parts =
    design.looks === undefined
      ? [planned]
      : design.looks === 'confirm'
        ? [planned, kindTrials(design, design.repeats)]
        : splitIntoParts(planned, design, false, random);
  return parts.map((kinds) => orderTrials(kinds, design, random));
}

/**
 * @param before repeats that were taken before
 * @param step of a sweep
 */
function kindTrials(
  { prompts, seeds, repeats, ...design }: Design,
  before: number,
  step?: number,
): readonly KindTrials[] {
  const stepped = step === undefined ? {} : ({ phase: 'step', step } as const);
  const variants = variantsOf(design);
  const cells = namesOf('prompt', prompts).flatMap((prompt) =>
    Array.from({ length: seeds }, (_, seed) => ({
      takes: Array.from({ length: repeats }, (_, at) =>
        variants.map((variant) => buildTrial({ variant, prompt, seed: seed + 1, repeat: before + at + 1, ...stepped })),
      ),
    })),
  );
  return [{ kind: 'text-to-image', cells }];
}

function variantsOf({ candidates }: Pick<Design, 'candidates'>): readonly string[] {
  return [BASELINE, ...namesOf('candidate', candidates)];
}

function namesOf(what: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => `${what}-${at + 1}`);
}
