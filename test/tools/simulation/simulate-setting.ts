import { createRandom, type Random } from '../../../src/statistics/random.ts';
import { type Design, type Experiment, experimentOf, type Outcome } from './experiment.ts';
import { drawAnswers } from './judges.ts';
import { drawScores } from './scores.ts';
import { seedOf } from './seed.ts';
import { type Call, drawCalls } from './service.ts';
import type { Counted, Setting } from './settings.ts';
import { drawVotes } from './votes.ts';

/** How the runs of a setting ended. Plain data: it is sent between processes. */
export interface Tally extends Readonly<Record<Counted, number>> {
  readonly runs: number;
  /**
   * Over the runs, of the takes sent as shares of those of a run that is decided once: the sum, and the sum of squares.
   */
  readonly sent: number;
  readonly sentSquared: number;
}

export const NO_RUNS: Tally = {
  runs: 0,
  fail: 0,
  pass: 0,
  inconclusive: 0,
  controlFailed: 0,
  covered: 0,
  sent: 0,
  sentSquared: 0,
};

export function addTallies(a: Tally, b: Tally): Tally {
  return {
    runs: a.runs + b.runs,
    fail: a.fail + b.fail,
    pass: a.pass + b.pass,
    inconclusive: a.inconclusive + b.inconclusive,
    controlFailed: a.controlFailed + b.controlFailed,
    covered: a.covered + b.covered,
    sent: a.sent + b.sent,
    sentSquared: a.sentSquared + b.sentSquared,
  };
}

/** Orders of sending that the runs of a setting take in turn. */
const ORDERS = 16;

/** Runs from number `from` on, up to and without `to`. A run follows from its setting and number alone. */
export function simulateSetting(setting: Setting, from: number, to: number): Tally {
  const seed = seedOf(setting.id);
  let tally = NO_RUNS;
  for (let run = from; run < to; run += 1) {
    tally = addTallies(tally, simulateRun(setting, ordered(setting.design, run % ORDERS), seed + run));
  }
  return tally;
}

/** Making an experiment costs as much as many runs of it: those of the design that was simulated last are kept. */
let made: { readonly design: string; readonly experiments: Map<number, Experiment> } = {
  design: '',
  experiments: new Map(),
};

function ordered(design: Design, order: number): Experiment {
  const key = JSON.stringify(design);
  if (made.design !== key) made = { design: key, experiments: new Map() };
  const known = made.experiments.get(order) ?? experimentOf(design, order);
  made.experiments.set(order, known);
  return known;
}

function simulateRun(setting: Setting, experiment: Experiment, seed: number): Tally {
  const { rules, judge, truth } = setting;
  const random = createRandom(seed);
  const calls = drawRun(setting, experiment, random);
  const answers = judge === undefined ? [] : drawAnswers(experiment.questions, judge.law, judge.netLoss, random);
  const { rules: decided, sent } = experiment.decide(calls, rules, answers);
  const fail = decided.some(({ verdict }) => verdict === 'fail');
  const pass = decided.every(({ verdict }) => verdict === 'pass');
  return {
    runs: 1,
    fail: Number(fail),
    pass: Number(pass),
    inconclusive: Number(!fail && !pass),
    controlFailed: Number(decided.some(({ code }) => code === 'control_failed')),
    covered: Number(truth !== null && decided.every((each) => covers(each, truth))),
    sent,
    sentSquared: sent * sent,
  };
}

function drawRun({ service, scores, votes, ratio }: Setting, { takes }: Experiment, random: Random): readonly Call[] {
  if (votes !== undefined) return drawVotes(takes, votes.law, votes.netLoss, random);
  if (scores !== undefined) return drawScores(takes, scores.law, scores.drop, random);
  return drawCalls(takes, service, ratio, random);
}

/** An end that is null is open. */
function covers({ ciLow, ciHigh }: Outcome, truth: number): boolean {
  return (ciLow === null || ciLow <= truth) && (ciHigh === null || truth <= ciHigh);
}
