import type { Comparison } from '../analysis/comparison.ts';
import { headlineLatency } from '../analysis/effective-sample.ts';
import { NOT_KEPT_UP } from '../analysis/note.ts';
import type { VariantSummary } from '../analysis/summaries.ts';
import { unfitLatencies } from '../analysis/warnings.ts';
import type { Tone } from '../gate/verdict-statement.ts';
import { groupBy } from '../kit/grouping.ts';
import { ratioInterval } from '../kit/value-words.ts';
import { count, listed, listedInShort, plural } from '../kit/wording.ts';
import { HELD_LEVELS } from '../media/level.ts';
import { sweepSteps } from '../suite/sweep.ts';
import { type AnswerSource, unequal } from './answer-statement.ts';
import {
  doubtOf,
  headlineComparisons,
  isCompared,
  isNoise,
  pairsWords,
  tellsApart,
  tooFewWords,
} from './comparison-statement.ts';
import { undecidedLoads } from './hold-statement.ts';
import { isUntellable, likenessTo } from './likeness-statement.ts';

import { equalWords, sameOutputs } from './sameness-statement.ts';
import { latencyStatement, latencyUnits, measuresOf } from './statement.ts';

/** Answers to a question in a line; `tone` where they are bad or need care. */
export interface ShortAnswer {
  readonly words: string;
  readonly tone: Tone;
}

/** Whether the speeds hold, by the pairs of images that show them: with a stored baseline those against it alone. */
export function isItSure(
  analysis: AnswerSource,
  comparisons: readonly Comparison[],
  variants: readonly VariantSummary[],
): ShortAnswer {
  const names = new Set(variants.map(({ name }) => name));
  const { load } = analysis.run.plan;
  const all = headlineComparisons(comparisons, load).filter(({ variant }) => names.has(variant));
  const isVoidSweep = sweepSteps(load) !== null && unfitLatencies(analysis.warnings).size > 0;
  if (!all.some(isCompared) || isVoidSweep) return medianIsSure(analysis, variants);
  const stored = all.filter(({ baselineRun }) => baselineRun !== null);
  return areSure(stored.length > 0 ? stored : all, analysis);
}

/** @param all at least one */
function areSure(all: readonly Comparison[], analysis: AnswerSource): ShortAnswer {
  const doubts = all.flatMap((comparison) => {
    const doubt = doubtOf(comparison);
    return doubt === null ? [] : [[comparison.variant, doubt] as const];
  });
  const told = all.filter((comparison) => doubtOf(comparison) === null && tellsApart(comparison));
  const sure = told.filter((comparison) => !isNoise(comparison));
  if (sure.length > 0) {
    const yes = sure.length < all.length ? 'In part' : all.length === 2 ? 'Yes, both' : 'Yes';
    const isLikenessKnown = sure.every(({ variant, baseline }) => {
      const tally = likenessTo(baseline, { name: variant }, analysis);
      return tally === null || !isUntellable(tally);
    });
    return isLikenessKnown
      ? { words: `${yes}: ${sureWords(sure, all.length)}`, tone: null }
      : { words: `Of the speed alone: ${sureWords(sure, all.length)}`, tone: 'warn' };
  }
  const [few, ...others] = all.filter(({ finding }) => finding === 'too_few');
  const needs = few === undefined ? [] : [tooFewWords([few, ...others])];
  if (doubts.length > 0) return notSure('No', doubts, all.length, needs);
  if (told.length > 0) return { words: 'No: too small to trust', tone: 'warn' };
  if (needs.length > 0) return { words: `Not yet: ${needs.join()}`, tone: 'warn' };
  if (unequal(all, analysis).length === 0) return { words: 'Nothing to compare: the files are the same', tone: null };
  return { words: `No difference was found; ${widestWords(all)}`, tone: null };
}

/** `each could be [0.94, 1.06] as fast`: from the lowest to the highest end of all intervals. */
function widestWords(all: readonly Comparison[]): string {
  const low = Math.min(...all.map(({ ciHigh }) => 1 / (ciHigh ?? Infinity)));
  const high = Math.max(...all.map(({ ciLow }) => 1 / (ciLow ?? 0)));
  const interval = ratioInterval(low === 0 ? null : low, high === Infinity ? null : high);
  return `${all.length === 1 ? 'it' : 'each'} could be ${interval} as fast`;
}

/** `No: ...`; of some, `Not all: ... (fast)`. What a warning says of the machine is not said again. @param doubted variant and doubt */
function notSure(
  ofSome: string,
  doubted: readonly (readonly [string, string])[],
  ofAll: number,
  also: readonly string[] = [],
): ShortAnswer {
  const isAll = doubted.length === ofAll;
  const reasons = [...groupBy(doubted, ([, doubt]) => doubt)].flatMap(([doubt, alike]) => {
    const who = listedInShort(alike.map(([variant]) => variant));
    if (doubt === NOT_KEPT_UP) return isAll ? [] : [`not ${who}`];
    return isAll ? [doubt] : [`${doubt} (${who})`];
  });
  const words = [...(reasons.length === 0 ? [] : [listed(reasons)]), ...also].join('; ');
  return { words: `${isAll ? 'No' : ofSome}${words === '' ? '' : `: ${words}`}`, tone: isAll ? 'bad' : 'warn' };
}

/** `faster in 12 of 12 pairs`, `fast: faster in 12 of 12 pairs`. @param ofAll comparisons */
function sureWords(sure: readonly Comparison[], ofAll: number): string {
  const isAll = sure.length === ofAll;
  const [first, ...others] = new Set(sure.map(pairsWords));
  const alike = first !== undefined && others.length === 0 ? first : null;
  if (alike !== null && isAll) return `${ofAll > MOST_NAMED ? `all ${count(ofAll)} ` : ''}${alike}`;
  if (sure.length > MOST_NAMED)
    return `${count(sure.length)} of ${plural(ofAll, 'variant')} differ in speed from the baseline variant`;
  return alike === null
    ? sure.map((comparison) => `${comparison.variant} ${pairsWords(comparison)}`).join(', ')
    : `${listed([...new Set(sure.map(({ variant }) => variant))])} ${alike}`;
}

const MOST_NAMED = 3;

function medianIsSure(analysis: AnswerSource, variants: readonly VariantSummary[]): ShortAnswer {
  const { load } = analysis.run.plan;
  const delivered = variants.filter(({ outcomes }) => (outcomes.ok ?? 0) > 0);
  const [first] = delivered;
  if (first === undefined) return { words: 'Nothing was measured', tone: 'bad' };
  const doubts = [...unfitLatencies(analysis.warnings)].filter(([variant]) =>
    delivered.some(({ name }) => name === variant),
  );
  if (doubts.length > 0) return notSure('Not all', doubts, delivered.length);
  if (analysis.run.hold !== undefined) {
    const open = delivered.reduce((sum, { name }) => sum + undecidedLoads(name, analysis).length, 0);
    return open === 0
      ? { words: 'Yes: such answers are wrong in at most 1 of 20 runs', tone: null }
      : { words: `Not yet: ${plural(open, 'load')} not decided`, tone: 'warn' };
  }
  const isApart = load.mode === 'open' && delivered.length > 1;
  if (isApart) return { words: 'Not compared', tone: 'warn' };
  const median = measuresOf(analysis)(first.name, headlineLatency(load), 'p50');
  const { interval, n } = latencyStatement(median, latencyUnits(analysis)(first.name));
  return interval === null
    ? { words: `Not yet: ${plural(n, 'take')} ${n === 1 ? 'is' : 'are'} too few for an interval`, tone: 'warn' }
    : { words: 'Yes, to its 95 % interval', tone: null };
}

/** Whether the same prompt and seed gave the same output again. */
export function isItTheSame(analysis: AnswerSource, variants: readonly VariantSummary[]): ShortAnswer {
  const measures = measuresOf(analysis);
  const all = variants.map((variant) => ({ variant: variant.name, ...sameOutputs(variant, analysis.cells, measures) }));
  const tested = all.filter(({ value }) => value !== null);
  if (tested.length === 0) {
    const isCached = all.some(({ shortBound }) => shortBound === 'cached');
    return {
      words: isCached ? 'Not known: repeats come from a cache' : 'Not asked: nothing was sent twice',
      tone: null,
    };
  }
  const testable = tested.reduce((sum, outputs) => sum + outputs.testable, 0);
  const differing = tested.filter(({ same, testable: of }) => same < of);
  if (differing.length === 0) {
    const level = HELD_LEVELS.findLast((held) => tested.some((outputs) => outputs.level === held)) ?? 'byte';
    const untested = all.reduce((sum, { tooFew }) => sum + tooFew, 0);
    const others = untested === 0 ? '' : `, ${count(untested)} not tested`;
    return { words: `Yes: ${equalWords({ level, same: testable, testable })}${others}`, tone: 'good' };
  }
  const worst = differing
    .toSorted((a, b) => a.same / a.testable - b.same / b.testable)
    .slice(0, 2)
    .map((outputs) => `${outputs.variant} ${equalWords(outputs)}`);
  const more = differing.length - worst.length;
  return { words: `No: ${worst.join(', ')}${more > 0 ? ` and ${count(more)} more` : ''}`, tone: 'warn' };
}
