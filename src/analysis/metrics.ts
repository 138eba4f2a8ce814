import { compareCodeUnits } from '../kit/grouping.ts';
import type { StoredRun } from '../record/kept-run.ts';
import type { GateRule } from '../suite/rule.ts';
import type { DeclaredScorer } from '../suite/scorer.ts';
import type { Metric } from './metric.ts';
import { type AskedHold, capacity } from './metrics/capacity.ts';
import { costs, spend } from './metrics/cost.ts';
import { determinism, likeness } from './metrics/determinism.ts';
import { editOutside } from './metrics/edit-outside.ts';
import { latencies, latencyCold, STAGE, stages, startLag } from './metrics/latency.ts';
import { made } from './metrics/made.ts';
import { memory } from './metrics/memory.ts';
import { blockRate, droppedRate, editUnchanged, errorRate, slowRate, throttledRate } from './metrics/rates.ts';
import { judgeMetric, scoreMetric, votesMetric } from './metrics/scores.ts';
import { signals } from './metrics/signals.ts';
import { goodput, throughput } from './metrics/throughput.ts';
import { votedPreferences } from './scores/agreement.ts';
import { type Judging, judgingsOf, unaskedJudging } from './scores/judging.ts';
import { scoringsOf } from './scores/scoring.ts';

/** All metrics in the order of measures; those that need a rule's limit have none. */
export const METRICS: readonly Metric[] = metricsOf([]);

/** All metrics of a suite, with the limits in `over` and the stages of the gate's rules, and one per scorer value. */
export function metricsOf(
  gate: readonly GateLimits[],
  scorers: readonly DeclaredScorer[] = [],
  asked: AskedHold | null = null,
): readonly Metric[] {
  const judgings = scorers.flatMap((scorer) => (scorer.use === 'judge' ? [unaskedJudging(scorer)] : []));
  const nothing = { variants: [], scores: [], votes: [], facts: [], samples: [] };
  return metricsFor(gate, { scorers, judgings, asked, ...nothing });
}

/** All metrics of a record, with its scores. */
export function metricsOfRecord(record: StoredRun): readonly Metric[] {
  const { gate, scorers = [], variants, hold, plan } = record.run;
  const asked = hold === undefined ? null : { hold, load: plan.load, variants: variants.length };
  return metricsFor(gate, { ...record, scorers, judgings: judgingsOf(record), asked, variants });
}

/** What rules name that no run is needed to know: limits, and stages of a server. */
type GateLimits = Pick<GateRule, 'overMs'> & Partial<Pick<GateRule, 'metric'>>;

function metricsFor(
  gate: readonly GateLimits[],
  {
    scorers,
    judgings,
    asked,
    variants,
    ...record
  }: Pick<StoredRun, 'scores' | 'votes' | 'facts' | 'samples'> & {
    readonly scorers: readonly DeclaredScorer[];
    readonly judgings: readonly Judging[];
    readonly asked: AskedHold | null;
    readonly variants: StoredRun['run']['variants'];
  },
): readonly Metric[] {
  const limitsMs = [...new Set(gate.flatMap(({ overMs }) => overMs ?? []))].sort((a, b) => a - b);
  const named = gate.flatMap(({ metric = '' }) => STAGE.exec(metric)?.[1] ?? []);
  const reported = record.samples.flatMap(({ reported: { stages: times = {} } }) => Object.keys(times));
  return [
    ...latencies,
    ...stages([...new Set([...reported, ...named])].sort(compareCodeUnits)),
    latencyCold,
    startLag,
    slowRate(limitsMs),
    throughput,
    goodput(limitsMs),
    ...made,
    capacity(asked),
    errorRate,
    blockRate,
    throttledRate,
    droppedRate,
    ...determinism,
    likeness,
    ...costs,
    memory,
    spend,
    ...signals,
    editUnchanged,
    editOutside,
    votesMetric({ preferences: votedPreferences(record.votes, record.facts), variants }),
    ...judgings.map((judging) => judgeMetric(judging, variants)),
    ...scoringsOf(scorers, record.scores).flatMap((scoring) =>
      scoring.scorer.gives.map((given) => scoreMetric(scoring, given)),
    ),
  ];
}
