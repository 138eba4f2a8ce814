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
  /** Null where nobody knows what became of them, or the job still runs. */
  readonly sample: Sample | null;
}

/**
 * In US dollars, once the trial's end is known. Each submit counts at its most, but the last at what its reply says: a
 * cost, or an output that is paid for by its size. A failure counts like a success.
 */
export function chargeOf({ attempts, sample }: Omit<Submitted, 'trial'>, bounds: CostBounds): number {
  if (attempts === 0) return 0;
  return (attempts - 1) * bounds.mostUsd + (sample === null ? bounds.mostUsd : lastCharge(sample, bounds));
}

/** A started second or megapixel counts whole, as services bill them: but no more than was asked for, or came. */
function lastCharge(sample: Sample, { mostUsd, delivered }: CostBounds): number {
  if (sample.reported.costUsd !== null) return sample.reported.costUsd;
  const units = delivered === null ? null : deliveredUnits(delivered, sample);
  if (delivered === null || units === null) return mostUsd;
  return Math.min(Math.ceil(units) * delivered.usd, Math.max(units * delivered.usd, mostUsd));
}

/** In US dollars. Null for a price per request, and where the sample alone does not say how much was delivered. */
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
  /** Null: no price is declared. */
  readonly price: Price | null;
  /** By the price, for one request; null: no upper bound. */
  readonly mostUsd: number | null;
  /** By the price, for the last request, as examination of its output found; null: not known. */
  readonly examinedUsd?: number | null;
}

/** A price per request is owed for every attempt, whatever came of it. */
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

/** Adds in billionths of a dollar, so that decimal prices add up exactly. */
export function addSpend(spends: readonly Spend[]): Spend {
  let [requests, usd, unknownRequests, mostUsd]: [number, number, number, number | null] = [0, 0, 0, 0];
  for (const each of spends) {
    requests += each.requests;
    usd += each.usd;
    unknownRequests += each.unknownRequests;
    mostUsd = mostUsd === null || each.mostUsd === null ? null : mostUsd + each.mostUsd;
  }
  return {
    requests,
    usd: wholeBillionths(usd),
    unknownRequests,
    mostUsd: mostUsd === null ? null : wholeBillionths(mostUsd),
  };
}

/** US dollars in whole billionths, so that decimal prices add up and divide as on paper. */
export function wholeBillionths(usd: number): number {
  return Math.round(usd * 1e9) / 1e9;
}

/** The reference service of the run costs nothing without a price. */
export function priceOf({ price, baseUrl }: Pick<RunVariant, 'price' | 'baseUrl'>): Price | null {
  // A price of nothing is free by the request too: then no cost is unknown.
  if (price === null) return baseUrl === EMBEDDED ? FREE : null;
  return price.usd === 0 ? FREE : price;
}

const FREE: Price = { per: 'request', usd: 0 };

/** These events are not in the merged record. */
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
  return Object.fromEntries([...spends].map(([variant, own]) => [variant, addSpend(own)]));
}

/** What the requests to a judge may have cost: each counts at its most, until its reply says what it cost. */
export class JudgeSpend {
  requests = 0;
  /** In US dollars, of the requests whose cost is known. */
  usd = 0;
  /** How many have an unknown cost. */
  unknown = 0;
  /** The most of the last request with a key. */
  readonly #open = new Map<string, number | null>();

  /** @param lines of a record, in their order */
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
