import { wholeBillionths } from '../../kit/most-usd.ts';
import { sum } from '../../statistics/mean.ts';
import type { EffectiveOutput, EffectiveSample } from '../effective-sample.ts';
import { type Finding, gatedFindings, isWhole, type Metric, type Subject, type ValueReading } from '../metric.ts';
import { type Note, noted } from '../note.ts';

/** US dollars per ok output, including known costs of failures. Null unless all ok trials have a known cost. */
const costPerOutput: Metric = {
  name: 'cost.per_output',
  meaning: 'US dollars per accepted output: what failed, was refused or is blank is paid too.',
  unit: 'usd',
  better: 'lower',
  whenCached: 'as_is',
  takes: [readingPer(({ items }) => items)],
  gate: { statistics: gatedFindings('mean') },
  measure: (subject) => (isWhole(subject) ? [spendPer(subject, ({ items }) => items)] : []),
};

/** As `cost.per_output`, per second of delivered video; no measure without any. */
const costPerSecond: Metric = {
  name: 'cost.per_second',
  meaning: 'US dollars for one second of delivered video.',
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
    const sent = subject.samples.filter(({ outcome }) => outcome !== 'dropped');
    const known = sent.flatMap(({ costUsd }) => costUsd ?? []);
    if (!isWhole(subject) || known.length === 0) return [];
    const value = wholeBillionths(sum(known) / known.length);
    const notes = leftOut(sent.length - known.length);
    return [{ statistic: 'mean', value, n: known.length, interval: null, method: 'spend_per_output', notes }];
  },
};

export const costs: readonly Metric[] = [costPerOutput, costPerSecond, costPerRequest];

/** Null where the amount is not known. */
type AmountOf = (output: EffectiveOutput) => number | null;

function secondsOf({ durationS, items }: EffectiveOutput): number | null {
  return durationS === null ? null : durationS * items;
}

function readingPer(amountOf: AmountOf): ValueReading {
  return {
    statistic: 'mean',
    effect: 'ratio',
    read: ({ outcome, costUsd, output }) => {
      const amount = outcome === 'ok' && output !== null ? amountOf(output) : null;
      return costUsd === null || amount === null || amount === 0 ? null : costUsd / amount;
    },
  };
}

function spendPer(subject: Subject, amountOf: AmountOf): Finding {
  const sent = subject.samples.filter(({ outcome }) => outcome !== 'dropped');
  const ok = sent.filter(({ outcome }) => outcome === 'ok');
  const known = sent.map(({ costUsd }) => costUsd).filter((cost) => cost !== null);
  const amounts = ok.map(({ output }) => (output === null ? null : amountOf(output)));
  const amount = sum(amounts.filter((part) => part !== null));
  const priced = ok.length > 0 && amount > 0 && ok.every(isPriced) && amounts.every((part) => part !== null);
  const unpriced = sent.length - known.length;
  return {
    statistic: 'mean',
    value: priced ? wholeBillionths(sum(known) / amount) : null,
    n: sum(ok.map(({ output }) => output?.items ?? 0)),
    interval: null,
    method: 'spend_per_output',
    notes: priced ? leftOut(unpriced) : [ok.length === 0 ? noted('no_ok_trial') : noted('no_price')],
  };
}

function isPriced({ costUsd }: EffectiveSample): boolean {
  return costUsd !== null;
}

function leftOut(unpriced: number): Note[] {
  return unpriced === 0 ? [] : [noted('unpriced_left_out', unpriced)];
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
    return [
      {
        statistic: 'total',
        value: known === 0 ? null : amount.usd,
        n: known,
        interval: null,
        method: 'sum',
        notes: [
          ...(known === 0 ? [noted('no_price')] : []),
          ...(amount.unknownRequests > 0 ? [noted('unknown_cost', amount.unknownRequests)] : []),
        ],
      },
    ];
  },
};
