import type { Outcome } from '../../../src/record/codes.ts';
import type { Random } from '../../../src/statistics/random.ts';
import { drawNormal } from '../../fixtures/simulated-service.ts';
import type { PlannedTake } from './experiment.ts';

/** A simulated service. Spreads are standard deviations of ln latency; beside them every call varies by itself. */
export interface Service {
  /** The share of calls that take three times as long. */
  readonly slowCalls: number;
  /** How the candidate's change differs by prompt; over the prompts of the suite these differences are 0. */
  readonly byPrompt: number;
  /** Of what the calls of a slice share. */
  readonly bySlice: number;
  /** What changes for all variants in the course of the run. */
  readonly drift: 'none' | 'walk' | 'step';
  /** The share of the candidates' calls that hang until they time out. */
  readonly hanging: number;
  /** The share of calls that end in an error. */
  readonly errors: { readonly baseline: number; readonly candidate: number };
  /** How alike the calls of a slice are in whether they fail: the correlation of two of them. */
  readonly errorsAlike: number;
}

/** Lognormal latencies, and nothing else. */
export const PLAIN: Service = {
  slowCalls: 0,
  byPrompt: 0,
  bySlice: 0,
  drift: 'none',
  hanging: 0,
  errors: { baseline: 0, candidate: 0 },
  errorsAlike: 0,
};

/** What became of a call. */
export interface Call {
  readonly outcome: Extract<Outcome, 'ok' | 'timed_out' | 'error'>;
  readonly totalMs: number;
  /** Of its output, where outputs are scored. */
  readonly score?: number;
  /** Of a candidate's call, where pairs are voted on: what each voter says of its output and the baseline's. */
  readonly votes?: readonly VotedSide[];
}

/** Whose output a voter prefers. */
export type VotedSide = 'candidate' | 'baseline' | 'neither';

/** The spread of ln latency for a coefficient of variation of 15 %. */
const CALL_SPREAD = Math.sqrt(Math.log1p(0.15 * 0.15));

const TYPICAL_MS = 2000;

/** A random walk has this spread at the end of a run. */
const WALK_SPREAD = 0.1;

/** From a random moment on, every call takes this times as long. */
const STEP_RATIO = 1.2;

const SLOW_RATIO = 3;

/** Draws the calls of a run in the order they are sent. `ratio`: how many times as long a candidate's calls take. */
export function drawCalls(
  takes: readonly PlannedTake[],
  service: Service,
  ratio: number,
  random: Random,
): readonly Call[] {
  const drift = drawDrift(takes.length, service.drift, random);
  const ofPrompt = drawPrompts(takes, service.byPrompt, random);
  const ofSlice = drawEach(new Set(takes.map(({ slice }) => slice)), service.bySlice, random);
  const failing = drawErrorRates(service, random);
  return takes.map(({ prompt, slice, isBaseline }, at): Call => {
    const change = isBaseline ? 0 : Math.log(ratio) + (ofPrompt.get(prompt) ?? 0);
    const slow = happens(service.slowCalls, random) ? Math.log(SLOW_RATIO) : 0;
    const noise = CALL_SPREAD * drawNormal(random) + slow;
    const hangs = !isBaseline && happens(service.hanging, random);
    const fails = happens(failing(slice, isBaseline), random);
    return {
      outcome: hangs ? 'timed_out' : fails ? 'error' : 'ok',
      totalMs: TYPICAL_MS * Math.exp(change + (ofSlice.get(slice) ?? 0) + (drift[at] ?? 0) + noise),
    };
  });
}

/**
 * The error rate of each slice, drawn when it is first asked for: that of its variant, or, where its calls are alike,
 * one from the beta distribution with this mean that makes them so.
 */
function drawErrorRates(
  { errors, errorsAlike }: Service,
  random: Random,
): (slice: number, isBaseline: boolean) => number {
  const drawn = new Map<number, number>();
  return (slice, isBaseline) => {
    const rate = isBaseline ? errors.baseline : errors.candidate;
    if (errorsAlike === 0 || rate === 0) return rate;
    const known = drawn.get(slice) ?? drawBeta(rate, (1 - errorsAlike) / errorsAlike, random);
    drawn.set(slice, known);
    return known;
  };
}

/** @param weight the sum of both parameters of the beta distribution */
function drawBeta(mean: number, weight: number, random: Random): number {
  const [one, other] = [drawGamma(mean * weight, random), drawGamma((1 - mean) * weight, random)];
  return one / (one + other);
}

/**
 * A gamma variable by the method of Marsaglia and Tsang (ACM Transactions on Mathematical Software 26, 2000, 363-372).
 */
function drawGamma(shape: number, random: Random): number {
  if (shape < 1) return drawGamma(shape + 1, random) * Math.exp(Math.log(1 - random.uniform()) / shape);
  const d = shape - 1 / 3;
  for (;;) {
    const x = drawNormal(random);
    const root = 1 + x / Math.sqrt(9 * d);
    const v = root * root * root;
    if (v > 0 && Math.log(1 - random.uniform()) < (x * x) / 2 + d - d * v + d * Math.log(v)) return d * v;
  }
}

/** Draws nothing where it never happens. */
function happens(share: number, random: Random): boolean {
  return share > 0 && random.uniform() < share;
}

function drawEach<Key>(keys: ReadonlySet<Key>, spread: number, random: Random): ReadonlyMap<Key, number> {
  return spread === 0 ? new Map() : new Map([...keys].map((key) => [key, spread * drawNormal(random)]));
}

function drawPrompts(takes: readonly PlannedTake[], spread: number, random: Random): ReadonlyMap<string, number> {
  const drawn = drawEach(new Set(takes.map(({ prompt }) => prompt)), spread, random);
  const mean = [...drawn.values()].reduce((total, value) => total + value, 0) / Math.max(1, drawn.size);
  return new Map([...drawn].map(([prompt, value]) => [prompt, value - mean]));
}

function drawDrift(calls: number, drift: Service['drift'], random: Random): readonly number[] {
  switch (drift) {
    case 'none':
      return [];
    case 'walk': {
      let level = 0;
      return Array.from({ length: calls }, () => {
        level += (WALK_SPREAD / Math.sqrt(calls)) * drawNormal(random);
        return level;
      });
    }
    case 'step': {
      const from = random.uniform() * calls;
      return Array.from({ length: calls }, (_, at) => (at < from ? 0 : Math.log(STEP_RATIO)));
    }
  }
}
