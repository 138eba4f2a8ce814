import type { NumberOfRun, SequentialRatio } from '../../compare/baseline/sequential.ts';
import type { Verdict } from '../../compare/gate/verdict.ts';
import type { Missing } from '../../record/model/run.ts';
import { count, duration, durationInterval, durationUnit, listedInShort, plural } from '../../text/wording.ts';
import { speedInterval, speedWords } from '../words/measures/speed-words.ts';

/** What keeps a run and its stored baseline from being compared whole, a sentence each. */
export function missingSentences({
  missing,
  baselineRun,
}: Pick<Verdict, 'missing' | 'baselineRun'>): readonly string[] {
  if (baselineRun === null) return [];
  return missingBetween(missing, { run: 'this run', baseline: 'the stored baseline' });
}

export function missingBetween(
  missing: readonly Missing[],
  sides: Readonly<Record<Missing['side'], string>>,
): readonly string[] {
  const other = missing.some(({ what }) => what === 'suite_version');
  const changed = missing.flatMap(({ what, id }) => (what === 'changed_prompt' ? [id] : []));
  const lacks = (side: Missing['side']) => {
    const parts = (['variant', 'prompt', 'seed', 'cell'] as const).flatMap((what) => {
      const ids = missing.filter((each) => each.what === what && each.side === side).map(({ id }) => id);
      return ids.length === 0 ? [] : [`${ids.length === 1 ? what : `${what}s`} ${listedInShort(ids)}`];
    });
    return parts.length === 0 ? [] : [`${sides[side]} lacks ${parts.join('; ')}`];
  };
  return [
    ...(other
      ? [`${sides.baseline} is of another version of the suite or of a target: only common cells are compared`]
      : []),
    ...lacks('baseline'),
    ...lacks('run'),
    ...(changed.length === 0
      ? []
      : [
          `${sides.baseline} has another text, image or input of ${plural(changed.length, 'prompt')}, not compared: ${listedInShort(changed)}`,
        ]),
  ];
}

export const NO_VERDICT =
  'No verdict: whatever changed between the runs, at the service or on this machine, is in these numbers';

/**
 * A variant in two runs: `fast takes 1.20x as long as before [1.12, 1.29] (drift included), faster in 1 of 12 cells`,
 * then the median of each: `fast: p50 490 ms [472 – 510 ms] of 36 takes, before 408 ms [401 – 420 ms] of 36 takes`.
 *
 * @param before names the earlier one: `before`, `in the stored baseline`
 */
export function sequentialSentences(found: SequentialRatio, before: string): readonly string[] {
  const medians = medianSentence(found, before);
  return [ratioSentence(found, before), ...(medians === null ? [] : [medians])];
}

function ratioSentence({ variant, ratio, ciLow, ciHigh, cells, faster }: SequentialRatio, before: string): string {
  if (ratio === null) return `${variant}: no latency of a common cell`;
  const interval = ciLow === null ? '' : ` ${speedInterval(ratio, ciLow, ciHigh)} (drift included)`;
  const verb = ratio < 1 ? 'is' : 'takes';
  return `${variant} ${verb} ${speedWords(ratio)} as ${before}${interval}, faster in ${count(faster)} of ${plural(cells, 'cell')}`;
}

/** Null where neither run has a median. */
function medianSentence({ variant, p50Ms }: SequentialRatio, before: string): string | null {
  if (p50Ms === null) return null;
  const { before: earlier, after: later } = p50Ms;
  if (earlier.value === null && later.value === null) return null;
  const unit = durationUnit([earlier.value, later.value]);
  const words = ({ value, ciLow, ciHigh, n }: NumberOfRun) => {
    if (value === null) return 'not known';
    const interval = ciLow === null || ciHigh === null ? '' : ` [${durationInterval(ciLow, ciHigh, unit)}]`;
    return `${duration(value, unit)}${interval} of ${plural(n, 'take')}`;
  };
  const beyond = p50Ms.sameCells ? '' : '; over all cells of each run, not only common ones';
  return `${variant}: p50 ${words(later)}, ${before} ${words(earlier)}${beyond}`;
}
