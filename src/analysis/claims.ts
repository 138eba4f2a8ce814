import { groupBy } from '../kit/grouping.ts';
import { caseSeedOf } from '../plan/plan.ts';
import type { Sample } from '../record/journal.ts';
import type { StoredRun } from '../record/kept-run.ts';
import { type Bet, createBet } from '../statistics/betting.ts';
import { mean } from '../statistics/mean.ts';
import { extendedMedian } from '../statistics/quantile.ts';
import { rankSumP } from '../statistics/rank-sum.ts';
import type { Bound, GateRule } from '../suite/rule.ts';
import type { ClaimState } from './claim-state.ts';
import { ANSWERABLE, FAILED, timingsOf } from './effective-sample.ts';

/*
 * Claims: decided pair after pair, by outcomes and times alone, so that a run can stop once they are. The same function
 * decides between two slices of a run and again from its record.
 */

export type ClaimBound = Extract<Bound, { readonly is: 'claim' }>;

export interface Claim extends Omit<ClaimBound, 'is'> {
  /** Its place among the rules. */
  readonly index: number;
  readonly of: string;
}

/** Of the claims of a gate, with their places in it. */
export function claimsIn(gate: readonly GateRule[]): readonly Claim[] {
  return gate.flatMap(({ variants, bound }, index) => {
    const [of] = variants ?? [];
    if (bound.is !== 'claim' || of === undefined) return [];
    const { about, against, most, pairs } = bound;
    return [{ index, of, about, against, most, pairs }];
  });
}

/** Wrong decisions: 1 of 20 over all claims of a run. */
export const WRONG_ONE_IN = 20;

/** p at which the halves of a claim differ. */
const CHANGED_P = 0.01;

export interface ClaimLedger {
  /** Adds whole rounds, in the order they were sent. */
  readonly add: (samples: readonly Sample[]) => void;
  /** Whether no further pair counts for any claim. */
  readonly isOver: () => boolean;
  /** In the order of the claims. */
  readonly states: () => readonly ClaimState[];
}

/**
 * Follows claims over the takes of a run. Of a prompt and seed only the first take counts: repeats may come from a
 * cache. Several claims share the error rate by Holm on 1 / e.
 */
export function createLedger(claims: readonly Claim[]): ClaimLedger {
  const open = claims.map((claim) => new OpenClaim(claim));
  return {
    add: (samples) => {
      for (const round of roundsOf(samples)) {
        for (const claim of open) claim.add(round);
        settle(open);
      }
    },
    isOver: () => open.every((claim) => claim.isOver),
    states: () => open.map((claim) => claim.state()),
  };
}

/** What a record says of the claims of its gate. */
export function claimStates({ run, samples }: Pick<StoredRun, 'run' | 'samples'>): readonly ClaimState[] {
  const claims = claimsIn(run.gate);
  if (claims.length === 0) return [];
  const ledger = createLedger(claims);
  ledger.add(samples);
  return ledger.states();
}

/** Holm: the largest evidence needs 20 x the number of claims, the next one less. */
function settle(claims: readonly OpenClaim[]): void {
  const ordered = claims.toSorted((a, b) => b.most - a.most);
  for (const [at, claim] of ordered.entries()) {
    if (claim.most < WRONG_ONE_IN * (ordered.length - at)) return;
    claim.decide();
  }
}

/** First takes that were sent together, a variant after the other: the two takes of a pair are in one round. */
function roundsOf(samples: readonly Sample[]): readonly (readonly Sample[])[] {
  const first = samples.filter(({ trial }) => trial.phase === 'trial' && trial.repeat === 1);
  const began = new Map<string, number>();
  for (const { trial, slice } of first) {
    const block = blockOf(trial);
    began.set(block, Math.min(slice, began.get(block) ?? Infinity));
  }
  // Blocks of a round share their slices.
  const rounds = groupBy(first, ({ trial }) => began.get(blockOf(trial)));
  return [...rounds].sort(([a = 0], [b = 0]) => a - b).map(([, members]) => members);
}

function blockOf(trial: Sample['trial']): string {
  return `${trial.kind}/${caseSeedOf(trial)}`;
}

/** What a pair says: for the claim, and against it, from -1 to 1. Not each other's opposite where a take was lost. */
interface PairWords {
  readonly support: number;
  readonly refute: number;
  /** ln(new / old), or new - old; null where a take was lost. */
  readonly difference: number | null;
}

class OpenClaim {
  readonly #claim: Claim;
  readonly #support: Bet;
  readonly #refute: Bet;
  readonly #steps: ClaimState['steps'][number][] = [];
  readonly #differences: number[] = [];
  #pairs = 0;
  #isFull = false;
  #decided: ClaimState['decided'] = null;
  #mostFor = 1;
  #mostAgainst = 1;

  constructor(claim: Claim) {
    const mean = claim.about === 'fails' ? claim.most : 0;
    this.#claim = claim;
    this.#support = createBet(0 - mean);
    this.#refute = createBet(mean);
  }

  get most(): number {
    return Math.max(this.#mostFor, this.#mostAgainst);
  }

  get isOver(): boolean {
    return this.#decided !== null || this.#isFull;
  }

  decide(): void {
    this.#decided ??= this.#mostFor >= this.#mostAgainst ? 'supported' : 'refuted';
  }

  add(round: readonly Sample[]): void {
    const pairs = pairsIn(round, this.#claim);
    if (this.isOver || pairs.length === 0) return;
    if (this.#pairs + pairs.length > this.#claim.pairs) {
      this.#isFull = true;
      return;
    }
    this.#pairs += pairs.length;
    this.#isFull = this.#pairs === this.#claim.pairs;
    this.#support.add(mean(pairs.map(({ support }) => support)) ?? 0);
    this.#refute.add(mean(pairs.map(({ refute }) => refute)) ?? 0);
    this.#differences.push(...pairs.flatMap(({ difference }) => difference ?? []));
    const step = { pairs: this.#pairs, support: this.#support.e(), refute: this.#refute.e() };
    this.#steps.push(step);
    this.#mostFor = Math.max(this.#mostFor, step.support);
    this.#mostAgainst = Math.max(this.#mostAgainst, step.refute);
  }

  state(): ClaimState {
    const all = this.#differences;
    const half = Math.floor(all.length / 2);
    const isRatio = this.#claim.about === 'takes';
    const centre = isRatio ? extendedMedian(all) : mean(all);
    return {
      index: this.#claim.index,
      decided: this.#decided,
      isOver: this.isOver,
      pairs: this.#pairs,
      steps: this.#steps,
      estimate: centre === null || !isRatio ? centre : Math.exp(centre),
      changed: rankSumP(all.slice(0, half), all.slice(all.length - half)) < CHANGED_P,
    };
  }
}

function pairsIn(round: readonly Sample[], claim: Claim): readonly PairWords[] {
  const takes = round.filter(
    ({ trial, outcome }) => (trial.variant === claim.of || trial.variant === claim.against) && ANSWERABLE.has(outcome),
  );
  return [...groupBy(takes, ({ trial }) => caseSeedOf(trial)).values()].flatMap((both) => {
    const ours = both.find(({ trial }) => trial.variant === claim.of);
    const theirs = both.find(({ trial }) => trial.variant === claim.against);
    if (ours === undefined || theirs === undefined) return [];
    return [claim.about === 'fails' ? failWords(ours, theirs) : timeWords(ours, theirs, claim.most)];
  });
}

function failWords(ours: Sample, theirs: Sample): PairWords {
  const rise = Number(FAILED.has(ours.outcome)) - Number(FAILED.has(theirs.outcome));
  return { support: 0 - rise, refute: rise, difference: rise };
}

/** A take without a result counts against what it would prove, and proves nothing of the other. */
function timeWords(ours: Sample, theirs: Sample, most: number): PairWords {
  const [ourMs, theirMs] = [ours, theirs].map((sample) => (sample.outcome === 'ok' ? timingsOf(sample).totalMs : null));
  if (typeof ourMs === 'number' && typeof theirMs === 'number') {
    const difference = Math.log(ourMs / theirMs);
    const support = Math.sign(Math.log(most) - difference);
    return { support, refute: 0 - support, difference };
  }
  const isOurs = typeof ourMs !== 'number';
  const isTheirs = typeof theirMs !== 'number';
  return { support: isOurs && !isTheirs ? -1 : 0, refute: isTheirs && !isOurs ? -1 : 0, difference: null };
}
