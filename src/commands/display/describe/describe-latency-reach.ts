import { groupBy } from '../../../analysis/grouping.ts';
import type { Trial } from '../../../plan/trial.ts';
import { variantNames } from '../../../report/words/run/variant-names.ts';
import { fewestForInterval } from '../../../statistics/samples/quantile-interval.ts';
import type { Variant } from '../../../targets/model/target.ts';
import { visibleLine } from '../../../text/visible.ts';
import { plural } from '../../../text/wording.ts';

const LEVEL = 0.95;

export function describeReaches(
  variants: readonly Variant[],
  measured: readonly Trial[],
  steps: number,
): readonly string[] {
  const takes = new Map(variants.map(({ name }) => [name, 0]));
  for (const { variant } of measured) takes.set(variant, (takes.get(variant) ?? 0) + 1);
  const groups = groupBy([...takes], ([, of]) => String(of));
  return [...groups.values()].map((group) => {
    const names = group.map(([name]) => name);
    return visibleLine(
      `  ${variantNames(names, variants.length)}: ${describeReach((group[0]?.[1] ?? 0) / steps, names.length > 1)}`,
    );
  });
}

function describeReach(takes: number, isEach: boolean): string {
  const quantiles = [50, 90, 95, 99];
  const reached = quantiles.filter((percent) => takes >= fewestForInterval(percent, LEVEL));
  const next = quantiles.find((percent) => takes < fewestForInterval(percent, LEVEL));
  const shown =
    reached.length === 0 ? 'no interval' : `intervals for ${reached.map((percent) => `p${percent}`).join(', ')}`;
  const missing = next === undefined ? '' : `; p${next} needs ${fewestForInterval(next, LEVEL)}`;
  return `${plural(takes, 'take')}${isEach ? ' each' : ''}, ${shown}${missing}`;
}
