import { FEWEST_RUNS } from '../analysis/earlier-runs.ts';
import { groupBy } from '../analysis/grouping.ts';
import type { NumberOfRun, SequentialNumbers, SequentialRatio } from '../analysis/sequential.ts';
import { tellsMost, type VariantStability } from '../analysis/stability.ts';
import type { SequentialRate, SequentialScore, TwoRuns } from '../analysis/two-runs.ts';
import type { Verdict } from '../analysis/verdict.ts';
import { voidVariants, warningWords } from '../analysis/warnings.ts';
import { eachVariant } from '../kit/names.ts';
import { printedBeside, roughSpeedWords, speedInterval, speedWords } from '../kit/value-words.ts';
import {
  count,
  duration,
  durationInterval,
  durationUnit,
  listed,
  listedInShort,
  plural,
  share,
  shareInterval,
} from '../kit/wording.ts';
import type { Missing } from '../record/run.ts';
import { LEVEL_WORDS } from './level-words.ts';

export function twoRunsSentences({
  before,
  after,
  vantages,
  unfit,
  latency,
  rates,
  scores = [],
  stability,
  missing,
}: TwoRuns): readonly string[] {
  const sides = sideWords(vantages);
  const { earlier } = sides;
  const byVariant = groupBy(
    stability.filter(({ common }) => common > 0),
    ({ variant }) => variant,
  );
  return [
    `${after} against ${before}`,
    ...(vantages === undefined ? [] : [vantageSentence(vantages)]),
    ...latencySentences({ latency, unfit }, sides),
    ...rates.filter(isWorthSaying).map((each) => rateSentence(each, earlier)),
    ...new Set(scores.map((each) => scoreSentence(each, earlier))),
    ...stabilitySentences([...byVariant.values()].flatMap(tellsMost), 'run'),
    ...missingBetween(missing, { run: after, baseline: before }),
  ];
}

/** `Vantage (where calls were sent from): us against eu`. */
function vantageSentence({ before, after }: NonNullable<TwoRuns['vantages']>): string {
  const words = before === after ? `${after} in both runs` : `${after ?? 'not known'} against ${before ?? 'not known'}`;
  return `Vantage (where calls were sent from): ${words}`;
}

/** Names both runs in a sentence: two places may have been measured at the same time. */
function sideWords(vantages: TwoRuns['vantages']): { readonly earlier: string; readonly later: string } {
  const { before = null, after = null } = vantages ?? {};
  if (before === null || after === null || before === after) return { earlier: 'before', later: '' };
  return { earlier: `from ${before}`, later: ` from ${after}` };
}

function isWorthSaying({ before, after }: SequentialRate): boolean {
  return (before.value ?? 0) > 0 || (after.value ?? 0) > 0;
}

const RATE_NOUNS = { error_rate: 'errors', block_rate: 'blocked' } as const;

/** `fast: errors 8.3 % [1.7 – 22.5 %] of 36 takes, before 0 % [0 – 9.8 %] of 36`. */
function rateSentence({ variant, metric, before, after }: SequentialRate, earlier: string): string {
  const now = `${rateWords(after)} of ${plural(after.n, 'take')}`;
  return `${variant}: ${RATE_NOUNS[metric]} ${now}, ${earlier} ${rateWords(before)} of ${count(before.n)}`;
}

/** `fast: score.hps 0.29 [0.28 – 0.30] of 12 cells, before 0.24 [0.23 – 0.25] of 12`. */
function scoreSentence({ variant, metric, unit, means }: SequentialScore, earlier: string): string {
  if (means === null) return `${metric}: not compared, because its scorer differs between the runs`;
  const words = ({ value, ciLow, ciHigh }: NumberOfRun): string => {
    if (value === null) return 'not known';
    const ends = ciLow === null || ciHigh === null ? null : { low: ciLow, high: ciHigh };
    const print = printedBeside(ends, unit);
    return `${print.value(value)}${ends === null ? '' : ` [${print.valueInterval(ends.low, ends.high)}]`}`;
  };
  return `${variant}: ${metric} ${words(means.after)} of ${plural(means.after.n, 'cell')}, ${earlier} ${words(means.before)} of ${count(means.before.n)}${beyondWords(means)}`;
}

function rateWords({ value, ciLow, ciHigh }: NumberOfRun): string {
  if (value === null) return 'not known';
  return ciLow === null || ciHigh === null ? share(value) : `${share(value)} [${shareInterval(ciLow, ciHigh)}]`;
}

export const NO_VERDICT =
  'No verdict: these numbers include all that differs between the runs (service, machine, network)';

/** Why latencies of a run are not to be used, or may be those of its machine: said before its numbers. */
export function unfitSentences({ unfit }: Pick<TwoRuns, 'unfit'>): readonly string[] {
  return unfit.map(({ run, warning }) => `${run}: ${warningWords(warning).what}`);
}

/** Change of each variant, then its medians; no change is claimed of latencies that are not to be used. */
export function latencySentences(
  { latency, unfit }: Pick<TwoRuns, 'latency' | 'unfit'>,
  { earlier, later }: ReturnType<typeof sideWords>,
): readonly string[] {
  const isVoid = voidVariants(unfit.map(({ warning }) => warning));
  const sentences = latency.flatMap((each) => {
    const found = { ...each, variant: `${each.variant}${later}` };
    return [ratioSentence(found, earlier, isVoid.has(each.variant)), medianSentence(found, earlier) ?? []].flat();
  });
  return [...unfitSentences({ unfit }), ...sentences];
}

function ratioSentence(found: SequentialRatio, before: string, isVoid: boolean): string {
  const { variant, ratio, ciLow, ciHigh, earlierRuns, overCells, cells, faster, toldApart } = found;
  if (ratio === null) return `${variant}: no latency of a common cell`;
  const pairs = `faster in ${count(faster)} of ${plural(cells, 'cell')}`;
  if (ciLow === null) {
    const { low = null, high = null } = overCells ?? {};
    const speed = overCells === null ? `about ${roughSpeedWords(ratio)}` : speedWords(ratio, low, high);
    const over = overCells === null ? '' : `; ${speedInterval(ratio, low, high)} over cells`;
    const has = earlierRuns === 0 ? '' : `, has ${count(earlierRuns)}`;
    return `${variant}: ${speed} as ${before}${over}, ${pairs}; how much two runs differ without a change is not known (needs ${FEWEST_RUNS} comparable earlier runs${has})`;
  }
  const verb = isVoid || !toldApart ? ':' : ratio < 1 ? ' is' : ' takes';
  const runs = plural(earlierRuns, 'earlier run');
  const why = toldApart ? `the interval comes from how much ${runs} differ` : `not told apart: ${runs} differ as much`;
  return `${variant}${verb} ${speedWords(ratio, ciLow, ciHigh)} as ${before} ${speedInterval(ratio, ciLow, ciHigh)}, ${pairs}; ${why}`;
}

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
  return `${variant}: p50 ${words(later)}, ${before} ${words(earlier)}${beyondWords(p50Ms)}`;
}

function beyondWords({ sameCells }: SequentialNumbers): string {
  return sameCells ? '' : '; over all cells of each run, not only common ones';
}

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

const COMPARED_WITH = { baseline: 'the stored baseline', run: 'the earlier run' } as const;

/** More variants whose outputs changed share a sentence; the largest shares of such cells have their own. */
const MOST_CHANGED = 3;

/** Variants whose outputs changed, then a sentence for each level, then variants without compared cells. */
export function stabilitySentences(
  stability: readonly VariantStability[],
  against: keyof typeof COMPARED_WITH = 'baseline',
): readonly string[] {
  const kept = COMPARED_WITH[against];
  const compared = stability.filter((each) => each.compared > 0);
  const changed = compared
    .filter((each) => each.changed.length > 0)
    .toSorted((a, b) => b.changed.length / b.compared - a.changed.length / a.compared);
  const more = changed.slice(MOST_CHANGED);
  const equal = groupBy(
    compared.filter((each) => each.changed.length === 0),
    ({ level }) => level,
  );
  const none = stability.filter((each) => each.compared === 0);
  const who = (group: readonly VariantStability[]) =>
    eachVariant(
      group.map(({ variant }) => variant),
      stability.length,
    );
  return [
    ...changed.slice(0, MOST_CHANGED).map((each) => {
      const level = `not ${LEVEL_WORDS[each.level].same}`;
      const cells = `${count(each.changed.length)} of ${plural(each.compared, 'cell')}`;
      return `Usual outputs of ${each.variant} differ from those of ${kept} in ${cells} (${level}: ${listedInShort([...new Set(each.changed.map(({ prompt }) => prompt))])})${andNotCompared([each])}`;
    }),
    ...(more.length === 0
      ? []
      : [`Usual outputs of ${plural(more.length, 'more variant')} differ from those of ${kept} in some cells`]),
    ...[...equal].map(([level, group]) => {
      const cells = total(group, ({ compared: own }) => own);
      return `Usual outputs of ${who(group)} are ${LEVEL_WORDS[level].same} to those of ${kept} in ${count(cells)} of ${plural(cells, 'cell')}${andNotCompared(group)}`;
    }),
    ...(none.length === 0
      ? []
      : [`Usual outputs of ${who(none)} were not compared with those of ${kept}: ${notCompared(none)}`]),
  ];
}

function andNotCompared(group: readonly VariantStability[]): string {
  const cells = notCompared(group);
  return cells === '' ? '' : `; not compared: ${cells}`;
}

/** `2 cells not stable in it and 1 cell not in it`; empty where all were compared. */
function notCompared(group: readonly VariantStability[]): string {
  const parts: readonly (readonly [number, string])[] = [
    [total(group, ({ common, stable }) => common - stable), 'not stable in it'],
    [total(group, ({ stable, compared }) => stable - compared), 'without an output to compare'],
    [total(group, ({ cells, common }) => cells - common), 'not in it'],
  ];
  return listed(parts.flatMap(([cells, why]) => (cells === 0 ? [] : [`${plural(cells, 'cell')} ${why}`])));
}

function total(group: readonly VariantStability[], of: (each: VariantStability) => number): number {
  return group.reduce((sum, each) => sum + of(each), 0);
}
