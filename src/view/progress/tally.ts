import { epochMs } from '../../kit/time.ts';
import { beganMs, type Outcome } from '../../record/codes.ts';
import type { JournalEvent, Output, Sample, Stop } from '../../record/journal.ts';
import type { Run, Spend } from '../../record/run.ts';
import { createRunTally, plannedInRun, type RunTally } from '../../record/run-tally.ts';
import { addSpend, priceOf, spendOf } from '../../record/trial-histories.ts';

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
  /** Milliseconds measured, without the time between two processes; of a merged run those of its longest shard. */
  readonly durationMs: () => number;
  /** Number of requests sent. */
  readonly requests: () => number;
  /** Null where no variant has a price and no reply says a cost. */
  readonly spend: () => Spend | null;
  /** The latest outputs that are kept, the earliest of them first. */
  readonly latest: (most?: number) => readonly ArrivedOutput[];
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

/** Counts the events of a journal, and forgets them. @param outputs how many of the latest are kept */
export function createTally(run: Pick<Run, 'variants' | 'merged' | 'plan' | 'shard'>, outputs: number): Tally {
  const counts = createRunTally(plannedInRun(run), run.plan.load.concurrency);
  const charges = createCharges(run);
  /** From the first start to the last end, by process. */
  const spans = new Map<number, Span>();
  const reasons = new Map<string, Undelivered>();
  const latest: ArrivedOutput[] = [];
  let arrived = 0;
  /** The zero of the clock of the process that measures, milliseconds since 1970. */
  let originMs: number | null = null;
  /** The latest event, by the same clock. */
  let lastMs = 0;
  let measuring: Measuring = { state: 'waiting' };

  const end = (sample: Sample): void => {
    addSpan(spans, sample);
    charges.end(sample);
    if (sample.error !== null) addReason(reasons, sample);
    if (sample.outcome !== 'ok') return;
    arrived += 1;
    const { variant, prompt, seed, repeat } = sample.trial;
    latest.push({ number: arrived, output: sample.outputs[0], variant, prompt, seed, repeat });
    // In blocks, since each removal moves all others.
    if (latest.length >= 2 * outputs) latest.splice(0, latest.length - outputs);
  };

  return {
    ...counts,
    add: (event) => {
      counts.add(event);
      if (event.event === 'segment') {
        measuring = event.state === 'started' ? { state: 'measuring' } : { state: 'ended', stop: event.stop };
        charges.restart();
        if (event.state === 'started') {
          originMs = epochMs(event.originAt);
          lastMs = 0;
        }
      } else if (event.event === 'intent') {
        lastMs = Math.max(lastMs, event.atMs);
        if (event.mostUsd !== undefined) charges.intend(event.trial.id, event.mostUsd);
      } else if (event.event === 'sample') {
        lastMs = Math.max(lastMs, event.sample.endedMs);
        end(event.sample);
      }
    },
    measuring: () => measuring,
    undelivered: () => [...reasons.values()].sort((a, b) => b.times - a.times),
    durationMs: () => durationOf(spans, run.merged?.shards),
    requests: () => charges.spend().requests,
    spend: () => (charges.isPriced() ? charges.spend() : null),
    latest: (most = outputs) => latest.slice(Math.max(0, latest.length - Math.min(most, outputs))),
    left: (nowMs) => {
      if (measuring.state !== 'measuring' || originMs === null) return null;
      const ms = counts.leftMs(nowMs - originMs);
      return ms === null || ms <= 0 ? null : { ms, mayEndEarly: run.plan.looks !== null && !counts.isDecided() };
    },
    quietMs: (nowMs) =>
      measuring.state !== 'measuring' || originMs === null ? null : Math.max(0, nowMs - originMs - lastMs),
  };
}

interface Charges {
  readonly intend: (trial: string, mostUsd: number) => void;
  readonly end: (sample: Sample) => void;
  /** Forgets intents: what a process left without a sample is sent again, polled again, or not counted. */
  readonly restart: () => void;
  readonly spend: () => Spend;
  readonly isPriced: () => boolean;
}

function createCharges({ variants, merged }: Pick<Run, 'variants' | 'merged'>): Charges {
  const prices = new Map(variants.map((variant) => [variant.name, priceOf(variant)]));
  /** The most that a request without a sample yet costs, by the id of its trial. */
  const mostUsd = new Map<string, number>();
  let isPriced = variants.some(({ price }) => price !== null);
  let spend = addSpend((merged?.shards ?? []).flatMap(({ spendLeftOut }) => Object.values(spendLeftOut)));
  return {
    intend: (trial, usd) => mostUsd.set(trial, usd),
    end: (sample) => {
      const { trial, reported } = sample;
      isPriced ||= reported.costUsd !== null;
      const charged = { sample, price: prices.get(trial.variant) ?? null, mostUsd: mostUsd.get(trial.id) ?? null };
      spend = addSpend([spend, spendOf(charged)]);
      mostUsd.delete(trial.id);
    },
    restart: () => mostUsd.clear(),
    spend: () => spend,
    isPriced: () => isPriced,
  };
}

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

function addSpan(spans: Map<number, Span>, sample: Sample): void {
  const [fromMs, toMs] = [beganMs(sample), sample.endedMs];
  const span = spans.get(sample.segment) ?? { fromMs, toMs };
  spans.set(sample.segment, { fromMs: Math.min(span.fromMs, fromMs), toMs: Math.max(span.toMs, toMs) });
}

function durationOf(
  spans: ReadonlyMap<number, Span>,
  shards: NonNullable<Run['merged']>['shards'] | undefined,
): number {
  const ofSegments = (segments: Iterable<number>): number =>
    [...segments].reduce((sum, segment) => {
      const span = spans.get(segment);
      return span === undefined ? sum : sum + span.toMs - span.fromMs;
    }, 0);
  if (shards === undefined) return ofSegments(spans.keys());
  return shards.reduce((most, { segments }) => Math.max(most, ofSegments(segments)), 0);
}

function addReason(reasons: Map<string, Undelivered>, { trial: { variant }, outcome, error }: Sample): void {
  if (error === null) return;
  const { code, message } = error;
  const key = JSON.stringify([variant, outcome, code]);
  const times = (reasons.get(key)?.times ?? 0) + 1;
  if (times > 1 || reasons.size < MOST_REASONS) reasons.set(key, { variant, outcome, code, message, times });
}
