import { isMeasured } from '../../plan/trial.ts';
import type { JournalEvent } from '../../record/model/journal.ts';
import type { Run } from '../../record/model/run.ts';
import { beganMs, type Outcome, type Output, type Sample } from '../../record/model/sample.ts';
import type { Spend } from '../../record/model/spend.ts';
import type { Stop } from '../../record/model/stop.ts';
import { addSpend, priceOf, spendOf } from '../../record/spend/charge.ts';
import type { Price } from '../../suite/format/suite.ts';

/** What the journal says of the last process that measured: none has begun, one has, or it ended by itself. */
export type Measuring =
  | { readonly state: 'waiting' }
  | { readonly state: 'measuring' }
  | { readonly state: 'ended'; readonly stop: Stop };

/** What became of a variant so far. */
export interface VariantTally {
  readonly name: string;
  /** Measured trials: in the plan, and ended. */
  readonly planned: number;
  readonly ended: number;
  readonly failed: number;
  readonly inFlight: number;
  readonly isAbandoned: boolean;
  /** Latencies of the delivered measured trials outside sweeps, in milliseconds, in the order they ended. */
  readonly latenciesMs: readonly number[];
}

/** An output that came. */
export interface ArrivedOutput {
  /** From 1, in the order they came. */
  readonly number: number;
  readonly output: Output;
  readonly variant: string;
  readonly prompt: string;
  readonly seed: number | null;
  readonly repeat: number;
}

/** What a journal says so far. */
export interface Tally {
  readonly add: (event: JournalEvent) => void;
  readonly measuring: () => Measuring;
  readonly variants: () => readonly VariantTally[];
  /** All trials that ended, warm-ups and probes among them. */
  readonly ended: () => number;
  readonly inFlight: () => number;
  readonly failed: () => number;
  /** Requests that were sent. */
  readonly requests: () => number;
  /** Null where no variant has a price and no reply says a cost. */
  readonly spend: () => Spend | null;
  /** The latest outputs, the earliest of them first. */
  readonly latest: () => readonly ArrivedOutput[];
}

/** What is no fault of the service's and no result either is neither done well nor failed. */
const NO_FAILURE: ReadonlySet<Outcome> = new Set(['ok', 'moderated', 'cancelled', 'dropped']);

interface Counting {
  readonly planned: number;
  readonly price: Price | null;
  ended: number;
  failed: number;
  isAbandoned: boolean;
  readonly latenciesMs: number[];
}

/** A trial without a sample yet. */
interface Open {
  readonly variant: string;
  readonly mostUsd: number | null;
}

/**
 * Counts the events of a journal, and forgets them.
 *
 * @param outputs how many of the latest are kept
 */
export function createTally(run: Pick<Run, 'variants' | 'merged'>, outputs: number): Tally {
  const variants = new Map<string, Counting>(
    run.variants.map((variant) => [
      variant.name,
      {
        planned: variant.plannedTrials,
        price: priceOf(variant),
        ended: 0,
        failed: 0,
        isAbandoned: false,
        latenciesMs: [],
      },
    ]),
  );
  const open = new Map<string, Open>();
  const latest: ArrivedOutput[] = [];
  let measuring: Measuring = { state: 'waiting' };
  let isPriced = run.variants.some(({ price }) => price !== null);
  let spend = addSpend((run.merged?.shards ?? []).flatMap(({ spendLeftOut }) => Object.values(spendLeftOut)));
  const ended = new Set<string>();
  let failed = 0;
  let arrived = 0;

  const end = (sample: Sample): void => {
    const { trial, outcome } = sample;
    const counting = variants.get(trial.variant);
    const mostUsd = open.get(trial.id)?.mostUsd ?? null;
    open.delete(trial.id);
    // A request without an answer may be sent once more: then its trial ends twice.
    const isAgain = ended.has(trial.id);
    ended.add(trial.id);
    isPriced ||= sample.reported.costUsd !== null;
    spend = addSpend([spend, spendOf({ sample, price: counting?.price ?? null, mostUsd })]);
    if (!NO_FAILURE.has(outcome)) failed += 1;
    if (outcome === 'ok') {
      arrived += 1;
      const [output] = sample.outputs;
      const { variant, prompt, seed, repeat } = trial;
      latest.push({ number: arrived, output, variant, prompt, seed, repeat });
      if (latest.length > outputs) latest.shift();
    }
    if (counting === undefined || !isMeasured(trial)) return;
    if (!isAgain) counting.ended += 1;
    if (!NO_FAILURE.has(outcome)) counting.failed += 1;
    if (outcome === 'ok' && trial.step === undefined) {
      counting.latenciesMs.push(sample.marks.doneMs - beganMs(sample));
    }
  };

  return {
    add: (event) => {
      if (event.event === 'segment') {
        measuring = event.state === 'started' ? { state: 'measuring' } : { state: 'ended', stop: event.stop };
        // What an earlier process left without a sample is sent again, polled again, or not counted.
        open.clear();
      } else if (event.event === 'intent') {
        open.set(event.trial.id, { variant: event.trial.variant, mostUsd: event.mostUsd ?? null });
      } else if (event.event === 'abandoned') {
        const counting = variants.get(event.variant);
        if (counting !== undefined) counting.isAbandoned = true;
      } else if (event.event === 'sample') end(event.sample);
    },
    measuring: () => measuring,
    variants: () =>
      [...variants].map(([name, counting]) => ({
        name,
        ...counting,
        inFlight: [...open.values()].filter(({ variant }) => variant === name).length,
      })),
    ended: () => ended.size,
    inFlight: () => open.size,
    failed: () => failed,
    requests: () => spend.requests,
    spend: () => (isPriced ? spend : null),
    latest: () => latest,
  };
}
