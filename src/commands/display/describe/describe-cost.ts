import type { CostEstimate, VariantEstimate } from '../../../plan/estimate.ts';
import type { Unbounded } from '../../../targets/request/cost-bounds.ts';
import { plural, usd } from '../../../text/quantity.ts';
import { visibleLine } from '../../../text/visible.ts';

/** What a plan would cost, as `retake plan` prints it: in all, then each variant. */
export function describeCost({ variants, ...all }: CostEstimate, limitUsd: number | null): readonly string[] {
  const priced = variants.filter((each) => !('unknown' in each));
  const unknown = variants.length - priced.length;
  const whole =
    priced.length === 0 ? 'unknown' : `${costRange(all)} by the declared prices, if each request is sent once`;
  const without = unknown === 0 || priced.length === 0 ? '' : `; without ${plural(unknown, 'variant')} of unknown cost`;
  const stops =
    limitUsd !== null && all.mostUsd > limitUsd
      ? [`  limits.usd (${usd(limitUsd)}) may stop the run before the end of the plan`]
      : [];
  const each = variants.length === 1 && unknown === 0 ? [] : variants.map((one) => `  ${describeVariant(one)}`);
  return [`Cost: ${whole}${without}`, ...each, ...stops];
}

/** `$1.20 to $2.40`, or one amount. */
function costRange({ leastUsd, mostUsd }: Pick<CostEstimate, 'leastUsd' | 'mostUsd'>): string {
  return leastUsd === mostUsd ? usd(mostUsd) : `${usd(leastUsd)} to ${usd(mostUsd)}`;
}

function describeVariant(estimate: VariantEstimate): string {
  const cost = 'unknown' in estimate ? `unknown: ${UNKNOWN[estimate.unknown]}` : costRange(estimate);
  return visibleLine(`${estimate.variant}: ${cost}`);
}

const UNKNOWN: Readonly<Record<Unbounded, string>> = {
  no_price: 'no price is declared',
  no_output_count: 'one reply may hold several outputs, and the price has no most',
  no_seconds: 'nothing limits the seconds',
  no_size: 'nothing limits the size',
  wrong_most: 'most of the price is not a number above 0',
};
