import { type ClaimBound, WRONG_ONE_IN } from '../../analysis/claims.ts';
import { threeDigits, times } from '../../kit/value-words.ts';
import { plural } from '../../kit/wording.ts';
import { caseSeedOf, largestSlice } from '../../plan/plan.ts';
import { createBet } from '../../statistics/betting.ts';
import { POWER } from '../../statistics/detectable-shift.ts';
import { normalUpperTail } from '../../statistics/distributions.ts';
import { createRandom } from '../../statistics/random.ts';
import { isClaim } from '../../suite/gate.ts';
import type { KeyedFault } from '../deciding/rule-statistic.ts';
import { UNTESTED, undecidedCase } from '../deciding/weighing.ts';
import { type PlannedBound, type Planning, type Reach, UNKNOWN } from '../planned-reach.ts';
import type { GatedSuite } from '../rule-case.ts';
import type { Decision } from '../verdict.ts';
import type { BoundKind } from './bound-kind.ts';
import { ASSUMED_SPREAD } from './change.ts';

/* A claim of two variants: decided pair after pair by `analysis/claims.ts`, which a rule only repeats. */

export function claim(bound: ClaimBound): BoundKind {
  const { about, most } = bound;
  return {
    allows: { low: -Infinity, high: most },
    // It has a baseline of its own, and its error rate is not that of the gate.
    comparesVariants: false,
    usesEstimate: true,
    drifts: () => false,
    lookPart: () => 'whole',
    event: null,
    faults: ({ variants }, suite) => faultsOf(bound, variants?.[0] ?? '', suite),
    plan: (planning) => planClaim(bound, planning),
    words: () =>
      about === 'fails'
        ? { limit: `at most ${threeDigits(100 * most)} points more often`, clause: 'is claimed' }
        : { limit: `at most ${times(most)}`, isRatio: true, clause: 'is claimed' },
    weigh: ({ index }, { claims }) => {
      const state = claims.find((of) => of.index === index);
      if (state === undefined) return undecidedCase('left_out', 'blocks');
      const { decided, changed, pairs, steps, estimate } = state;
      const { support, refute } = steps.at(-1) ?? { support: 1, refute: 1 };
      return {
        ...UNTESTED,
        decide: () => decisionOf(decided, changed, pairs),
        effect: about === 'fails' ? 'difference' : 'ratio',
        unit: '1',
        estimate,
        upperBound: null,
        boundLevel: null,
        n: pairs,
        units: 'blocks',
        evidence: { support, refute },
        worst: [],
      };
    },
  };
}

function decisionOf(decided: 'supported' | 'refuted' | null, changed: boolean, pairs: number): Decision {
  if (pairs === 0) return { verdict: 'inconclusive', code: 'nothing_to_count' };
  if (changed) return { verdict: 'inconclusive', code: 'ratio_changed' };
  if (decided === null) return { verdict: 'inconclusive', code: 'claim_open' };
  return decided === 'supported'
    ? { verdict: 'pass', code: 'claim_supported' }
    : { verdict: 'fail', code: 'claim_refuted' };
}

function faultsOf({ against }: ClaimBound, of: string, { variants }: GatedSuite): readonly KeyedFault[] {
  const [one, other] = [of, against].map((wanted) => variants.find(({ name }) => name === wanted));
  // What `of` names is looked for as of every rule.
  if (one === undefined) return [];
  const others = variants.flatMap(({ name, kind }) => (name !== of && kind === one.kind ? [name] : []));
  if (other !== undefined && other.kind === one.kind) return [];
  const cause = other === undefined ? `there is no variant "${against}"` : `${against} makes something else than ${of}`;
  const remedy = others.length === 0 ? `add a variant of its kind` : `name ${others.join(' or ')}`;
  return [{ key: 'against', cause, remedy, ofWhole: true }];
}

/** What a plan tells the pairs at: true ratios as multiples of the limit, and a share of takes of both that fails. */
const TOLD_RATIOS = [0.6, 0.8, 0.9, 1.1] as const;
const TOLD_RATE = 0.02;

function planClaim({ about, most, pairs, against }: ClaimBound, { ruleCase, takes, gate }: Planning): PlannedBound {
  const ours = new Set(takes.map(({ trial }) => caseSeedOf(trial)));
  const n = ours.size;
  const planned = { units: 'blocks', n: Math.min(n, pairs) } as const;
  if (n < pairs) {
    const cause = `the plan has ${plural(n, 'pair')} of first takes of ${ruleCase.variant.name} and ${against}, and the claim may need ${pairs}`;
    const seeds = Math.ceil(pairs / Math.max(1, new Set(takes.map(({ trial }) => trial.prompt)).size));
    const remedy = `write seeds: { first: 1, count: ${seeds} }, or pairs: ${n}`;
    return { ...planned, reach: UNKNOWN, fault: { code: 'cannot_pass', cause, remedy } };
  }
  const claims = gate.rules.filter((rule) => isClaim({ rule })).length;
  const size = gate.load.concurrency === 1 ? 1 : largestSlice(gate.plan);
  const runs = { pairs, size, wanted: WRONG_ONE_IN * claims };
  const fewest = about === 'takes' ? pairsUntil({ ...runs, pairs: Infinity }, 0, () => 1) : null;
  if (fewest !== null && fewest > pairs) {
    const cause = `${plural(pairs, 'pair')} can never decide the claim, even if all say the same`;
    return {
      ...planned,
      reach: UNKNOWN,
      fault: { code: 'cannot_pass', cause, remedy: `write pairs: ${fewest} or more` },
    };
  }
  return { ...planned, reach: pairs > MOST_DRAWN ? UNKNOWN : reachOf(about, most, runs), fault: null };
}

interface DrawnRuns {
  readonly pairs: number;
  /** Pairs that are sent together. */
  readonly size: number;
  /** The evidence that decides. */
  readonly wanted: number;
}

const DRAWN = 200;

/** To draw more pairs of so many runs would take seconds; such a claim is told by its limits alone. */
const MOST_DRAWN = 20_000;

function reachOf(about: ClaimBound['about'], most: number, runs: DrawnRuns): Reach {
  if (about === 'fails') {
    const fails = (uniform: () => number) => Number(uniform() < TOLD_RATE);
    const drawn = drawnPairs(runs, -most, (uniform) => fails(uniform) - fails(uniform));
    const supported = drawn.filter((needed) => needed !== null).length / DRAWN;
    return { can: 'support_claim', fewest: pairsUntil(runs, -most, () => 0), rate: TOLD_RATE, supported };
  }
  const spread = Math.SQRT2 * ASSUMED_SPREAD;
  const ratios = TOLD_RATIOS.map((share) => {
    // The chance that a pair speaks for the side that is true.
    const right = 1 - normalUpperTail(Math.abs(Math.log(share)) / spread);
    const needed = drawnPairs(runs, 0, (uniform) => (uniform() < right ? 1 : -1));
    const ordered = needed.map((some) => some ?? Infinity).sort((a, b) => a - b);
    const mostly = ordered[Math.ceil(POWER * DRAWN) - 1] ?? Infinity;
    return { ratio: share * most, pairs: Number.isFinite(mostly) ? mostly : null };
  });
  return { can: 'decide_claim', ratios };
}

/** Of each of 200 drawn runs the pairs until it decides; null if it does not. */
function drawnPairs(
  runs: DrawnRuns,
  mean: number,
  draw: (uniform: () => number) => number,
): readonly (number | null)[] {
  return Array.from({ length: DRAWN }, (_, run) => {
    const { uniform } = createRandom(run + 1);
    return pairsUntil(runs, mean, () => draw(uniform));
  });
}

/** The pairs until the bet of one run reaches what is wanted; null if it does not. */
function pairsUntil({ pairs, size, wanted }: DrawnRuns, mean: number, next: () => number): number | null {
  const bet = createBet(mean);
  for (let sent = size; sent <= pairs; sent += size) {
    let sum = 0;
    for (let pair = 0; pair < size; pair += 1) sum += next();
    bet.add(sum / size);
    if (bet.e() >= wanted) return sent;
  }
  return null;
}
