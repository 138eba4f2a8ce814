import { groupBy } from '../kit/grouping.ts';
import { wholeBillionths } from '../kit/most-usd.ts';
import { trialsIn } from '../plan/plan.ts';
import type { PlannedPart } from '../plan/recorded-plan.ts';
import type { Trial } from '../plan/trial.ts';
import type { Price } from '../suite/load.ts';
import type { CostBounds } from '../targets/cost-bounds.ts';
import { EMBEDDED } from '../targets/origins.ts';
import type { Marks } from '../targets/recorded.ts';
import { NOTHING_REPORTED } from '../targets/wire.ts';
import type { Outcome } from './codes.ts';
import type {
  Accepted,
  Attempt,
  Cancel,
  Intent,
  JournalEvent,
  LoadEnded,
  Look,
  Sample,
  SegmentEnded,
  SegmentStarted,
  VariantAbandoned,
} from './journal.ts';
import type { StoredRun } from './kept-run.ts';
import type { RunVariant, Spend } from './run.ts';
import type { RequestLine, ScoreLine } from './score.ts';
import { isRequest } from './score-key.ts';

export interface TrialHistory {
  /** Null if due under open load and never begun. */
  readonly intent: Intent | null;
  readonly started: SegmentStarted | null;
  readonly attempts: readonly Attempt[];
  /** Null if no job was accepted. */
  readonly accepted: Accepted | null;
  readonly cancel: Cancel | null;
  /** The last, as a later process may have polled the job. Null if no process saw the end. */
  readonly sample: Sample | null;
}

interface TrialHistories {
  /** In the order of their first begin. */
  readonly latest: ReadonlyMap<string, TrialHistory>;
  /** Replaced by a later begin of the same trial. */
  readonly replaced: readonly TrialHistory[];
}

type HistoryDraft = { -readonly [Key in keyof TrialHistory]: TrialHistory[Key] } & { attempts: Attempt[] };

const NOTHING = { intent: null, started: null, accepted: null, cancel: null, sample: null };

export function trialHistories(events: readonly JournalEvent[]): TrialHistories {
  const latest = new Map<string, HistoryDraft>();
  const replaced: TrialHistory[] = [];
  const segments = new Map<number, SegmentStarted>();
  const of = (trial: string): HistoryDraft => {
    const known = latest.get(trial);
    if (known !== undefined) return known;
    const made: HistoryDraft = { ...NOTHING, attempts: [] };
    latest.set(trial, made);
    return made;
  };
  for (const event of events) {
    if (event.event === 'segment' && event.state === 'started') segments.set(event.segment, event);
    else if (event.event === 'intent') {
      const before = latest.get(event.trial.id);
      if (before !== undefined) replaced.push(before);
      const started = segments.get(event.segment) ?? null;
      latest.set(event.trial.id, { ...NOTHING, intent: event, started, attempts: [] });
    } else if (event.event === 'attempt') of(event.trial).attempts.push(event);
    else if (event.event === 'accepted') of(event.trial).accepted = event;
    else if (event.event === 'cancel') of(event.trial).cancel = event;
    else if (event.event === 'sample') of(event.sample.trial.id).sample = event.sample;
  }
  return { latest, replaced };
}

const CODES = { request: 'no_answer', job: 'job_left' } as const;

/**
 * The sample of a request without an answer: whether it was charged is unknown, and it has no durations. Null if the
 * trial has a sample or never began.
 */
export function unansweredSample({ intent, attempts, accepted, started, sample }: TrialHistory): Sample | null {
  if (sample !== null || intent === null) return null;
  const { trial, slice, segment, atMs } = intent;
  const originMs = started === null ? 0 : Date.parse(started.originAt);
  return {
    trial,
    slice,
    segment,
    scheduledAt: new Date(originMs + atMs).toISOString(),
    endedMs: atMs,
    attempts: attempts.length + 1,
    ...NOTHING_CAME,
    flags: [],
    marks: { startedMs: atMs },
    outcome: 'unknown_charged',
    // Reports have the words for the code.
    error: { code: accepted === null ? CODES.request : CODES.job, message: '' },
  };
}

/** Of a sample whose service did not answer. */
export const NOTHING_CAME = {
  throttleWaitMs: 0,
  polls: 0,
  downloads: 0,
  httpStatus: null,
  reported: NOTHING_REPORTED,
  connection: null,
} as const;

export function isUnanswered({ outcome, error }: Pick<Sample, 'outcome' | 'error'>): boolean {
  return outcome === 'unknown_charged' && (error?.code === CODES.request || error?.code === CODES.job);
}

/** The record at a look at its gate: planned and measured until then. */
export function recordAtLook(record: StoredRun, look: number): StoredRun {
  const parts = record.run.plan.looks?.parts.slice(0, look) ?? [];
  const last = parts.at(-1);
  if (last === undefined) throw new Error(`the plan has no look ${look}`);
  return {
    ...planned(record, parts),
    looks: record.looks.filter((earlier) => earlier.look < look),
    samples: record.samples.filter(({ slice }) => slice <= last.lastSlice),
  };
}

/** The record with only the sent part of its plan, for a run that was decided early. */
export function asSent(record: StoredRun): StoredRun {
  const decided = record.looks.find((look) => look.decided);
  const parts = record.run.plan.looks?.parts ?? [];
  const sent = decided === undefined ? record : planned(record, parts.slice(0, decided.look));
  const { plan } = sent.run;
  if (plan.looks?.kind !== 'claim') return sent;
  // A claim may need a few of many seeds: a report has no place for the others.
  const seeds = new Set(record.samples.map(({ trial }) => trial.seed));
  return { ...sent, run: { ...sent.run, plan: { ...plan, seeds: plan.seeds.filter((seed) => seeds.has(seed)) } } };
}

function planned(record: StoredRun, parts: readonly PlannedPart[]): StoredRun {
  const { run } = record;
  const { looks } = run.plan;
  if (looks === null) return record;
  return {
    ...record,
    run: {
      ...run,
      variants: run.variants.map((variant) => ({ ...variant, plannedTrials: trialsIn(parts, variant.name) })),
      plan: { ...run.plan, looks: { ...looks, parts } },
    },
  };
}

/** An ended call. Times are milliseconds on the segment's clock. */
export interface OrphanCall {
  readonly outcome: Outcome;
  readonly marks: Marks;
  readonly endedMs: number;
  readonly timeoutMs: number;
  readonly cancel?: { readonly cancelled: boolean } | null;
}

/** Whether the service may still work on it: sent, without result, not refused, its job not cancelled. */
export function mayGoOn({ outcome, marks, cancel }: Pick<OrphanCall, 'outcome' | 'marks' | 'cancel'>): boolean {
  if (cancel?.cancelled === true) return false;
  if (outcome !== 'timed_out' && outcome !== 'cancelled') return false;
  const { sentMs, refusedMs, acceptedMs, lastPendingMs, readyMs } = marks;
  if (sentMs === undefined || refusedMs !== undefined || readyMs !== undefined) return false;
  return acceptedMs === undefined || lastPendingMs !== undefined;
}

export interface Submitted {
  readonly trial: Trial;
  readonly attempts: number;
  /** Null if the result is unknown, or the job still runs. */
  readonly sample: Sample | null;
}

/**
 * US dollars of an ended trial. Each submit costs its most, except the last if its reply states a cost or a paid
 * amount. Failures cost as much as successes.
 */
export function chargeOf({ attempts, sample }: Omit<Submitted, 'trial'>, bounds: CostBounds): number {
  if (attempts === 0) return 0;
  return (attempts - 1) * bounds.mostUsd + (sample === null ? bounds.mostUsd : lastCharge(sample, bounds));
}

/** Services bill started seconds and megapixels whole, but no more than was requested or delivered. */
function lastCharge(sample: Sample, { mostUsd, delivered }: CostBounds): number {
  if (sample.reported.costUsd !== null) return sample.reported.costUsd;
  const units = delivered === null ? null : deliveredUnits(delivered, sample);
  if (delivered === null || units === null) return mostUsd;
  return Math.min(Math.ceil(units) * delivered.usd, Math.max(units * delivered.usd, mostUsd));
}

/** US dollars; null for a price per request, or if the sample does not say how much was delivered. */
export function deliveredUsd(price: Price, sample: Sample): number | null {
  const units = deliveredUnits(price, sample);
  return units === null ? null : price.usd * units;
}

function deliveredUnits({ per }: Price, sample: Sample): number | null {
  if (per === 'request' || (sample.outcome !== 'ok' && sample.outcome !== 'invalid_media')) return null;
  if (per === 'output') return sample.outputs.length;
  let sum = 0;
  for (const { units } of sample.outputs) {
    if (units === undefined) return null;
    sum += units;
  }
  return sum;
}

export const NO_SPEND: Spend = { requests: 0, usd: 0, unknownRequests: 0, mostUsd: 0 };

export interface Charged {
  readonly sample: Sample;
  /** Null: no declared price. */
  readonly price: Price | null;
  /** By the price, for one request; null: unlimited. */
  readonly mostUsd: number | null;
  /** By the price, for the last request, from the examined output; null: unknown. */
  readonly examinedUsd?: number | null;
}

/** Cost of a sample's requests. A price per request is due for every attempt, whatever its result. */
export function spendOf({ sample, price, mostUsd, examinedUsd = null }: Charged): Spend {
  const { attempts, reported } = sample;
  if (attempts === 0) return NO_SPEND;
  const flatUsd = price?.per === 'request' ? price.usd : null;
  const delivered = price === null ? null : (examinedUsd ?? deliveredUsd(price, sample));
  const lastUsd = reported.costUsd ?? flatUsd ?? delivered;
  const unknownRequests = (lastUsd === null ? 1 : 0) + (flatUsd === null ? attempts - 1 : 0);
  const usd = (lastUsd ?? 0) + (attempts - 1) * (flatUsd ?? 0);
  return { requests: attempts, usd, unknownRequests, mostUsd: withUnknown(usd, unknownRequests, mostUsd) };
}

function withUnknown(usd: number, unknown: number, mostUsd: number | null): number | null {
  if (unknown === 0) return usd;
  return mostUsd === null ? null : usd + unknown * mostUsd;
}

/** Sums in billionths of a dollar, so that decimal prices add up exactly. */
export function addSpend(spends: readonly Spend[]): Spend {
  let [requests, usd, unknownRequests, mostUsd]: [number, number, number, number | null] = [0, 0, 0, 0];
  for (const spend of spends) {
    requests += spend.requests;
    usd += spend.usd;
    unknownRequests += spend.unknownRequests;
    mostUsd = mostUsd === null || spend.mostUsd === null ? null : mostUsd + spend.mostUsd;
  }
  return {
    requests,
    usd: wholeBillionths(usd),
    unknownRequests,
    mostUsd: mostUsd === null ? null : wholeBillionths(mostUsd),
  };
}

/** The declared price; the reference service of the run is free without one. */
export function priceOf({ price, baseUrl }: Pick<RunVariant, 'price' | 'baseUrl'>): Price | null {
  // Free per request too, so that no cost is unknown.
  if (price === null) return baseUrl === EMBEDDED ? FREE : null;
  return price.usd === 0 ? FREE : price;
}

const FREE: Price = { per: 'request', usd: 0 };

/** Spend of events that are not in the merged record. */
export function leftOutSpend(
  events: readonly JournalEvent[],
  variants: readonly RunVariant[],
): Readonly<Record<string, Spend>> {
  const { latest, replaced } = trialHistories(events);
  const spends = [...replaced, ...latest.values()].flatMap((history) => {
    const sample = history.sample ?? unansweredSample(history);
    const variant = variants.find(({ name }) => name === sample?.trial.variant);
    if (sample === null || variant === undefined) return [];
    const spend = spendOf({ sample, price: priceOf(variant), mostUsd: history.intent?.mostUsd ?? null });
    return [{ variant: variant.name, spend }];
  });
  const byVariant = groupBy(spends, ({ variant }) => variant);
  return Object.fromEntries([...byVariant].map(([variant, own]) => [variant, addSpend(own.map(({ spend }) => spend))]));
}

/** What requests to a judge may have cost: each its most, until its reply states the cost. */
export class JudgeSpend {
  requests = 0;
  /** US dollars, where known. */
  usd = 0;
  /** Requests of unknown cost. */
  unknown = 0;
  /** The highest cost of the last request of a key. */
  readonly #open = new Map<string, number | null>();

  /** `lines` of a record, in order. */
  constructor(scorer: string, lines: readonly ScoreLine[]) {
    for (const line of lines) if (isRequest(line) && line.scorer === scorer) this.count(line);
  }

  count(line: RequestLine): void {
    const isAsked = line.line === 'asked';
    const most = isAsked ? line.mostUsd : this.#open.get(line.key);
    if (isAsked) this.requests += 1;
    if (most === undefined) return;
    if (isAsked) this.#open.set(line.key, most);
    else this.#open.delete(line.key);
    if (most === null) this.unknown += isAsked ? 1 : -1;
    this.usd = wholeBillionths(this.usd + (isAsked ? (most ?? 0) : line.usd - (most ?? 0)));
  }
}

/**
 * Sorts events by kind, in written order. Each trial that began has one sample, its last; where no process saw the end,
 * one that says so comes after all others.
 */
export function sortEvents(
  events: readonly JournalEvent[],
): Pick<
  StoredRun,
  'segments' | 'intents' | 'attempts' | 'abandoned' | 'endedLoads' | 'looks' | 'samples' | 'unended' | 'replaced'
> {
  const started: SegmentStarted[] = [];
  const ended = new Map<number, SegmentEnded>();
  const intents: Intent[] = [];
  const attempts: Attempt[] = [];
  const abandoned: VariantAbandoned[] = [];
  const endedLoads: LoadEnded[] = [];
  const looks: Look[] = [];
  const { latest, replaced } = trialHistories(events);
  const samples: Sample[] = [];
  for (const event of events) {
    if (event.event === 'sample') {
      if (latest.get(event.sample.trial.id)?.sample === event.sample) samples.push(event.sample);
    } else if (event.event === 'intent') intents.push(event);
    else if (event.event === 'attempt') attempts.push(event);
    else if (event.event === 'abandoned') abandoned.push(event);
    else if (event.event === 'load_ended') endedLoads.push(event);
    else if (event.event === 'look') looks.push(event);
    else if (event.event === 'segment' && event.state === 'started') started.push(event);
    else if (event.event === 'segment') ended.set(event.segment, event);
  }
  const segments = started.map((segment) => ({ started: segment, ended: ended.get(segment.segment) ?? null }));
  const unended = [...latest.values()].flatMap((history) => unansweredSample(history) ?? []);
  samples.push(...unended);
  return {
    segments,
    intents,
    attempts,
    abandoned,
    endedLoads,
    looks,
    samples,
    unended: unended.length,
    replaced: replaced.flatMap((history) => history.sample ?? unansweredSample(history) ?? []),
  };
}
