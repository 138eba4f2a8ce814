import { epochMs } from '../../kit/time.ts';
import type { Outcome } from '../../record/codes.ts';
import type { JournalEvent, Output, Sample, Stop } from '../../record/journal.ts';
import type { Run, Spend } from '../../record/run.ts';
import { createRunTally, plannedInRun, type RunTally } from '../../record/run-tally.ts';
import { addSpend, NO_SPEND, priceOf, spendOf } from '../../record/trial-histories.ts';

/** What the journal says of the last process that measured: none has begun, one has, or it ended by itself. */
export type Measuring =
  | { readonly state: 'waiting' }
  | { readonly state: 'measuring' }
  | { readonly state: 'ended'; readonly stop: Stop };

export interface ArrivedOutput {
  /** From 1, in the order of arrival. */
  readonly number: number;
  readonly output: Output;
  readonly variant: string;
  readonly prompt: string;
  readonly seed: number | null;
  readonly repeat: number;
}

/** Trials of a variant that ended without an output, for one reason. */
export interface Undelivered {
  readonly variant: string;
  readonly outcome: Outcome;
  readonly code: string;
  /** The message of the last one. */
  readonly message: string;
  readonly times: number;
}

export interface Tally extends Pick<RunTally, 'variants' | 'ended' | 'inFlight' | 'failed'> {
  readonly add: (event: JournalEvent) => void;
  readonly measuring: () => Measuring;
  /** Why trials ended without an output, blocked ones among them: the most frequent reasons first. */
  readonly undelivered: () => readonly Undelivered[];
  /** Null where no variant has a price and no reply says a cost. */
  readonly spend: () => Spend | null;
  /** The latest first. */
  readonly latest: () => readonly ArrivedOutput[];
  /** Null if not known yet, or nothing is sent any more. @param nowMs milliseconds since 1970 */
  readonly left: (nowMs: number) => RemainingTime | null;
  /** Milliseconds without a record; null if nothing is measured. @param nowMs milliseconds since 1970 */
  readonly quietMs: (nowMs: number) => number | null;
}

export interface RemainingTime {
  readonly ms: number;
  /** The gate may be decided before the whole plan is sent. */
  readonly mayEndEarly: boolean;
}

/** Distinct reasons that are kept: their number is up to services. */
const MOST_REASONS = 100;

const LATEST_OUTPUTS = 24;

/** Counts the events of a journal, and forgets them. */
export function createTally(run: Pick<Run, 'variants' | 'merged' | 'plan' | 'shard'>): Tally {
  const counts = createRunTally(plannedInRun(run), run.plan.load.concurrency);
  const prices = new Map(run.variants.map((variant) => [variant.name, priceOf(variant)]));
  const reasons = new Map<string, Undelivered>();
  let isPriced = run.variants.some(({ price }) => price !== null);
  let spend = NO_SPEND;
  let latest: readonly ArrivedOutput[] = [];
  let arrived = 0;
  /** The zero of the clock of the process that measures, milliseconds since 1970. */
  let originMs: number | null = null;
  /** The latest event, by the same clock. */
  let lastMs = 0;
  let measuring: Measuring = { state: 'waiting' };

  const end = (sample: Sample): void => {
    isPriced ||= sample.reported.costUsd !== null;
    const price = prices.get(sample.trial.variant) ?? null;
    spend = addSpend([spend, spendOf({ sample, price, mostUsd: null })]);
    if (sample.error !== null) addReason(reasons, sample);
    if (sample.outcome !== 'ok') return;
    arrived += 1;
    const { variant, prompt, seed, repeat } = sample.trial;
    const output = { number: arrived, output: sample.outputs[0], variant, prompt, seed, repeat };
    latest = [output, ...latest.slice(0, LATEST_OUTPUTS - 1)];
  };

  return {
    ...counts,
    add: (event) => {
      counts.add(event);
      if (event.event === 'segment') {
        measuring = event.state === 'started' ? { state: 'measuring' } : { state: 'ended', stop: event.stop };
        if (event.state === 'started') {
          originMs = epochMs(event.originAt);
          lastMs = 0;
        }
      } else if (event.event === 'intent') {
        lastMs = Math.max(lastMs, event.atMs);
      } else if (event.event === 'sample') {
        lastMs = Math.max(lastMs, event.sample.endedMs);
        end(event.sample);
      }
    },
    measuring: () => measuring,
    undelivered: () => [...reasons.values()].sort((a, b) => b.times - a.times),
    spend: () => (isPriced ? spend : null),
    latest: () => latest,
    left: (nowMs) => {
      if (measuring.state !== 'measuring' || originMs === null) return null;
      const ms = counts.leftMs(nowMs - originMs);
      return ms === null || ms <= 0 ? null : { ms, mayEndEarly: run.plan.looks !== null && !counts.isDecided() };
    },
    quietMs: (nowMs) =>
      measuring.state !== 'measuring' || originMs === null ? null : Math.max(0, nowMs - originMs - lastMs),
  };
}

function addReason(reasons: Map<string, Undelivered>, { trial: { variant }, outcome, error }: Sample): void {
  if (error === null) return;
  const { code, message } = error;
  const key = JSON.stringify([variant, outcome, code]);
  const times = (reasons.get(key)?.times ?? 0) + 1;
  if (times > 1 || reasons.size < MOST_REASONS) reasons.set(key, { variant, outcome, code, message, times });
}
