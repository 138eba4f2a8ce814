import type { Analysis } from '../../analysis/analysis.ts';
import type { Warning } from '../../analysis/warning.ts';
import { unfitKinds, warningKinds } from '../../analysis/warnings.ts';
import { groupBy } from '../../kit/grouping.ts';
import { variantNames } from '../../kit/names.ts';
import { count, plural } from '../../kit/wording.ts';
import { failureCauses } from '../run-statement.ts';
import {
  blockOf,
  type CauseBlock,
  fold,
  moreWords,
  type SentenceBlock,
  type StoryLine,
  sentences,
  type WarningBlock,
} from '../story-block.ts';

/** Warnings that void numbers: a reader must know of them first. */
export function unfitWarnings({ warnings }: Pick<Analysis, 'warnings'>): WarningBlock {
  const unfit = unfitKinds(warnings).map(([warning, ...like]) => {
    return { warning, like, end: moreAfter(moreLike(like)) };
  });
  return blockOf('warnings', 'unfit', 'warning', fold(unfit));
}

function moreLike(like: readonly Warning[]): readonly string[] {
  return like.length === 0 ? [] : [`${count(like.length)} more like it`];
}

function moreAfter(counted: readonly string[]): string {
  return counted.length === 0 ? '' : ` (${counted.join(', ')})`;
}

/** Where the gate passed, nobody has to act on warnings. */
const MOST_OF_PASSED = 1;
const MOST_KINDS = 2;

/** What is said without a warning: that the run is incomplete, failures, and what probes found. */
const SAID: ReadonlySet<Warning['code']> = new Set([
  'incomplete',
  'many_failures',
  'undecodable_outputs',
  'blank_outputs',
  'seed_ignored',
  'seed_unstable',
  'seed_similar',
  'omitted_seed_constant',
  'omitted_seed_random',
  'served_from_cache',
  'batch_dependent',
  'probe_not_testable',
]);

/** What was found, once for each code, the most serious first. @param hasPage whether the report has the rest */
export function otherWarnings(
  { warnings, flagged }: Analysis,
  { hasPage, hasPassed }: { readonly hasPage: boolean; readonly hasPassed: boolean },
): WarningBlock {
  const others = warnings.filter((warning) => warning.unfit === undefined && !(hasPage && SAID.has(warning.code)));
  const unfit = warnings.filter((warning) => warning.unfit !== undefined).length;
  const most = hasPassed && hasPage ? MOST_OF_PASSED : MOST_KINDS;
  const kinds = fold(warningKinds(others), Math.max(1, most - unfit));
  const more = moreWords(kinds.folded, 'kind');
  const agrees = flagged.length > 0 && flagged.every(({ agree }) => agree === true);
  const shown = kinds.shown.map(([warning, ...like], at) => {
    const counted = [
      ...moreLike(like),
      ...(hasPage && more !== null && at === kinds.shown.length - 1
        ? [`${plural(kinds.folded.flat().length, 'other warning')} in the report`]
        : []),
    ];
    const end = warning.code === 'flagged_samples' && agrees ? '; p50 is about the same without them' : '';
    return { warning, like, end: end + moreAfter(counted) };
  });
  const folded = kinds.folded.map(([warning, ...like]) => ({ warning, like, end: '' }));
  const untold = hasPage || more === null ? null : `${more} of warnings`;
  return blockOf('warnings', 'warnings', 'kind', { shown, folded }, untold);
}

/** @param most at sight */
export function causes(analysis: Pick<Analysis, 'failures' | 'variants'>, most: number): CauseBlock {
  return blockOf('causes', 'failures', 'cause', fold(failureCauses(analysis), most));
}

const MOST_BAD = 4;

/** What probes found that needs a remedy, each with its evidence; the rest in one sentence. */
export function probeAnswers({ probes, variants, warnings }: Analysis): SentenceBlock {
  const ignored = new Set(warnings.flatMap((warning) => (warning.code === 'seed_ignored' ? warning.variants : [])));
  const told = probes.filter(({ question, variant }) => !(question === 'seed' && ignored.has(variant)));
  const whose = (answers: typeof probes) =>
    variantNames(
      answers.map(({ variant }) => variant),
      variants.length,
    );
  const alike = (needsRemedy: boolean) =>
    groupBy(
      told.filter(({ remedy }) => (remedy !== null) === needsRemedy),
      ({ sentence, evidence }) => JSON.stringify([sentence, needsRemedy && evidence]),
    );
  const bad = [...alike(true).values()].map((answers): StoryLine => {
    const [{ sentence, evidence }] = answers;
    return { sentence: `${whose(answers)}: ${sentence} (${evidence})`, tone: 'warn' };
  });
  const good = [...alike(false).values()].map((answers) => {
    const who = answers.length === variants.length ? '' : ` (${whose(answers)})`;
    return `${answers[0].sentence}${who}`;
  });
  const { shown, folded } = fold(bad, MOST_BAD);
  const others = sentences('probes', good.length === 0 ? [] : [`Probes: ${good.join('; ')}`]).shown;
  return blockOf('sentences', 'probes', 'answer of a probe', { shown: [...shown, ...others], folded });
}
