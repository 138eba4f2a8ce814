import { wholeBillionths } from '../../kit/most-usd.ts';
import type { Spend } from '../../record/run.ts';
import { addSpend } from '../../record/trial-histories.ts';
import { sum } from '../../statistics/mean.ts';
import { type EffectiveOutput, type EffectiveSample, madeOutputs, sumOver } from '../effective-sample.ts';
import { type Finding, gatedFindings, isWhole, type Metric, type Subject, type ValueReading } from '../metric.ts';
import { noted } from '../note.ts';

/** Null where the amount is not known. */
type AmountOf = (output: EffectiveOutput) => number | null;

const ONE: AmountOf = () => 1;

/** US dollars per ok output, including known costs of failures. Null unless all ok trials have a known cost. */
const costPerOutput: Metric = {
  name: 'cost.per_output',
  meaning: 'US dollars per accepted output. The cost of failed, refused and blank outputs is included.',
  unit: 'usd',
  better: 'lower',
  whenCached: 'as_is',
  takes: [readingPer(ONE)],
  gate: { statistics: gatedFindings('mean') },
  measure: (subject) => (isWhole(subject) ? [spendPer(subject, ONE)] : []),
};

/** As `cost.per_output`, per second of delivered video; no measure without any. */
const costPerSecond: Metric = {
  name: 'cost.per_second',
  meaning: 'US dollars per second of accepted video.',
  unit: 'usd',
  better: 'lower',
  whenCached: 'as_is',
  takes: [readingPer(secondsOf)],
  gate: { statistics: gatedFindings('mean') },
  measure: (subject) => {
    const video = subject.samples.some(({ output }) => output !== null && output.durationS !== null);
    return isWhole(subject) && video ? [spendPer(subject, secondsOf)] : [];
  },
};

/** Null without a known cost. */
const costPerRequest: Metric = {
  name: 'cost.per_request',
  meaning: 'US dollars for one request, whatever came of it; requests of unknown cost are left out.',
  unit: 'usd',
  better: 'lower',
  whenCached: 'as_is',
  gate: { statistics: gatedFindings('mean') },
  measure: (subject) => {
    if (!isWhole(subject)) return [];
    const [all, priced] = [spendOn(subject.samples), spendOn(subject.samples.filter(isPriced))];
    const known = priced.requests - priced.unknownRequests;
    if (known === 0 && (all.unknownRequests === 0 || all.mostUsd === null)) return [];
    const value = known === 0 ? null : wholeBillionths(priced.usd / known);
    const notes = known === 0 ? [noted('no_price')] : [];
    return [withUnknown({ statistic: 'mean', value, n: known, method: 'spend_per_output', notes }, all, all.requests)];
  },
};

export const costs: readonly Metric[] = [costPerOutput, costPerSecond, costPerRequest];

function secondsOf({ durationS }: EffectiveOutput): number | null {
  return durationS;
}

function readingPer(amountOf: AmountOf): ValueReading {
  return {
    statistic: 'mean',
    effect: 'ratio',
    read: (take) => {
      const { spend: spent, costUsd } = take;
      const amount = sumOver(madeOutputs(take), amountOf);
      // A take that was sent again may cost more than the reply that delivered it.
      const isKnown = costUsd !== null && spent.unknownRequests === 0;
      return isKnown && amount !== null && amount > 0 ? spent.usd / amount : null;
    },
  };
}

function spendPer(subject: Subject, amountOf: AmountOf): Finding {
  const ok = subject.samples.filter((take) => madeOutputs(take).length > 0);
  const amounts = ok.map((take) => sumOver(madeOutputs(take), amountOf));
  const amount = sum(amounts.filter((part) => part !== null));
  const isMeasured = amount > 0 && amounts.every((part) => part !== null);
  const priced = isMeasured && ok.every(isPriced);
  const all = spendOn(subject.samples);
  const notes = priced ? [] : [ok.length === 0 ? noted('no_ok_trial') : noted('no_price')];
  const value = priced ? wholeBillionths(all.usd / amount) : null;
  const n = sum(ok.map((take) => madeOutputs(take).length));
  const found = { statistic: 'mean', value, n, method: 'spend_per_output', notes } as const;
  return isMeasured ? withUnknown(found, all, amount) : { ...found, interval: null };
}

function spendOn(samples: readonly EffectiveSample[]): Spend {
  return addSpend(samples.map((sample) => sample.spend));
}

function isPriced({ costUsd }: EffectiveSample): boolean {
  return costUsd !== null;
}

/** Money by so many outputs, seconds or requests, with what it can be beside requests of unknown cost. */
function withUnknown(
  found: Omit<Finding, 'interval' | 'possible'>,
  { usd, mostUsd, unknownRequests }: Spend,
  by: number,
): Finding {
  const isOpen = found.value === null && mostUsd === null;
  if (unknownRequests === 0 || isOpen) return { ...found, interval: null };
  const possible = { low: wholeBillionths(usd / by), high: wholeBillionths((mostUsd ?? Infinity) / by) };
  return { ...found, interval: null, possible, notes: [...found.notes, noted('unknown_cost', unknownRequests)] };
}

/** US dollars that all requests may have cost, as far as known. No measure if no price is known. */
export const spend: Metric = {
  name: 'spend',
  meaning:
    'US dollars that all requests of the variant may have been charged: warm-ups, probes, failures and repeated attempts included.',
  unit: 'usd',
  better: 'lower',
  whenCached: 'as_is',
  gate: { statistics: gatedFindings('total'), ofVariant: true },
  measure: (subject) => {
    const { spend: amount } = subject.variant;
    if (!isWhole(subject) || amount === null || amount.requests === 0) return [];
    const known = amount.requests - amount.unknownRequests;
    const notes = known === 0 ? [noted('no_price')] : [];
    const value = known === 0 ? null : amount.usd;
    return [withUnknown({ statistic: 'total', value, n: known, method: 'sum', notes }, amount, 1)];
  },
};
