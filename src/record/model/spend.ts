import { amount, count, type Recorded, shape } from '../../shape/declare.ts';

export const spendSchema = shape('Spend', 'What requests may have been charged. Each attempt is a request.', {
  requests: count.describe('How many were sent; each attempt is one.'),
  usd: amount.describe(
    'The sum over those of known cost, in US dollars: what the service reports (`meta.cost_usd` of the target), ' +
      'else the declared price of what was delivered; a price per request is owed for every attempt, whatever its ' +
      'outcome.',
  ),
  unknownRequests: count.describe('How many have an unknown cost, such as a failure with a price per output.'),
  mostUsd: amount
    .nullable()
    .describe(
      '`usd` plus the unknown ones at the highest cost that the declared price allows; null if one has no upper bound.',
    ),
});
export type Spend = Recorded<typeof spendSchema>;
