import type { Trial } from '../plan/trial.ts';
import type { Price } from '../suite/load.ts';
import { EMBEDDED } from '../targets/base-url.ts';
import type { CostBounds } from '../targets/cost-bounds.ts';
import type { JournalEvent, Sample } from './journal.ts';
import type { RunVariant, Spend } from './run.ts';
import type { RequestLine, ScoreLine } from './score.ts';
import { isRequest } from './score-key.ts';
import { trialHistories, unansweredSample } from './trial-histories.ts';

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

/** US dollars in whole billionths, so that decimal prices add up and divide exactly. */
export function wholeBillionths(usd: number): number {
  return Math.round(usd * 1e9) / 1e9;
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
  const spends = new Map<string, Spend[]>();
  for (const history of [...replaced, ...latest.values()]) {
    const sample = history.sample ?? unansweredSample(history);
    const variant = variants.find(({ name }) => name === sample?.trial.variant);
    if (sample === null || variant === undefined) continue;
    const spend = spendOf({ sample, price: priceOf(variant), mostUsd: history.intent?.mostUsd ?? null });
    spends.set(variant.name, [...(spends.get(variant.name) ?? []), spend]);
  }
  return Object.fromEntries([...spends].map(([variant, variantSpends]) => [variant, addSpend(variantSpends)]));
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
