import { groupBy } from '../../../analysis/grouping.ts';
import { variantNames } from '../../../report/words/run/variant-names.ts';
import type { Variant } from '../../../targets/model/target.ts';
import { visibleLine } from '../../../text/visible.ts';
import { count, plural } from '../../../text/wording.ts';
import type { Needed, ThroughputReach } from '../../setup/plan/throughput-reach.ts';

export function describeThroughput(
  reaches: readonly ThroughputReach[],
  variants: readonly Pick<Variant, 'name'>[],
): readonly string[] {
  if (reaches.length === 0) return [];
  const alike = groupBy(reaches, (reach) => `${reach.concurrency} ${reachWords(reach)}`);
  return [
    'Throughput, if no take fails:',
    ...[...alike.values()].flatMap(([first, ...more]) => {
      if (first === undefined) return [];
      const own = new Set([first, ...more].map(({ variant }) => variant));
      const names = variantNames(
        variants.map(({ name }) => name).filter((name) => own.has(name)),
        variants.length,
      );
      return [visibleLine(`  ${names} at concurrency ${count(first.concurrency)}: ${reachWords(first)}`)];
    }),
  ];
}

const GIVES: Readonly<Record<ThroughputReach['gives'], string>> = {
  interval: 'a value with an interval',
  value: 'a value',
  range: 'a range',
  nothing: 'nothing',
};

/** `2 slices of 180 takes: a value; an interval needs 84 repeats (1,008 takes)`. */
function reachWords(reach: ThroughputReach): string {
  const { concurrency, gives, slices, fewestTakes, mostTakes, valueNeeds, intervalNeeds } = reach;
  if (concurrency === 1) {
    const takes = intervalNeeds?.takes ?? null;
    return takes === null ? GIVES[gives] : `${GIVES[gives]}; an interval needs ${plural(takes, 'take')}`;
  }
  const takes =
    fewestTakes === mostTakes ? plural(mostTakes, 'take') : `${count(fewestTakes)} to ${plural(mostTakes, 'take')}`;
  const sent = `${plural(slices, 'slice')} of ${takes}: ${GIVES[gives]}`;
  if (valueNeeds !== null) {
    const more = intervalNeeds === null || intervalNeeds.takes === null ? '' : `, an interval ${needs(intervalNeeds)}`;
    return `${sent}; a value needs ${needs(valueNeeds)}${more}`;
  }
  return intervalNeeds === null ? sent : `${sent}; an interval needs ${needs(intervalNeeds)}`;
}

function needs({ takes, repeats }: Needed): string {
  return takes === null || repeats === null
    ? 'a sweep, as concurrency: [1, 2, 4]'
    : `${plural(repeats, 'repeat')} (${plural(takes, 'take')})`;
}
