import { gatedFindings, isWhole, type Metric } from '../metric.ts';
import { noted } from '../note.ts';

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
