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
    const { spend: found } = subject.variant;
    if (!isWhole(subject) || found === null || found.requests === 0) return [];
    const known = found.requests - found.unknownRequests;
    return [
      {
        statistic: 'total',
        value: known === 0 ? null : found.usd,
        n: known,
        interval: null,
        method: 'sum',
        notes: [
          ...(known === 0 ? [noted('no_price')] : []),
          ...(found.unknownRequests > 0 ? [noted('unknown_cost', found.unknownRequests)] : []),
        ],
      },
    ];
  },
};
