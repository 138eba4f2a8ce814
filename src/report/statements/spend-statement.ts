import type { Analysis } from '../../analysis/analysis.ts';
import type { Spend } from '../../record/model/run.ts';
import { count, plural, usd } from '../../text/wording.ts';

/** More variants are left to measures.csv and analysis.json. */
const MOST_VARIANTS = 4;

/**
 * What a run may have been charged: `Spent: $4.10 (standard $2.10, fast $2.00); unknown for 3 of 41 requests, at most
 * $0.300 more`. Null where no price is known, or nothing was sent.
 */
export function spendSentence({ run, variants }: Pick<Analysis, 'run' | 'variants'>): string | null {
  const { spend } = run;
  if (spend === null || spend.requests === 0) return null;
  const spenders = variants.flatMap(({ name, spend: own }) =>
    own === null || own.requests === 0 ? [] : [`${name} ${knownUsd(own)}`],
  );
  const each = spenders.length > 1 && spenders.length <= MOST_VARIANTS ? ` (${spenders.join(', ')})` : '';
  if (spend.unknownRequests === 0) return `Spent: ${usd(spend.usd)}${each}`;
  const of = `unknown for ${count(spend.unknownRequests)} of ${plural(spend.requests, 'request')}`;
  const isAllUnknown = spend.unknownRequests === spend.requests;
  const known = isAllUnknown ? '' : `${usd(spend.usd)}${each}; `;
  return `Spent: ${known}${of}${atMost(spend, isAllUnknown)}`;
}

function knownUsd(spend: Spend): string {
  return spend.unknownRequests === spend.requests ? 'unknown' : usd(spend.usd);
}

/** The cost of requests whose cost is unknown, by the declared prices. */
function atMost({ usd: knownUsd, mostUsd }: Spend, isAll: boolean): string {
  if (mostUsd === null) return '';
  return `, at most ${usd(mostUsd - knownUsd)}${isAll ? '' : ' more'}`;
}
