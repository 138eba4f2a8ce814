import { groupBy } from '../kit/grouping.ts';
import { shownName } from '../kit/names.ts';
import { count, plural } from '../kit/wording.ts';
import { abandonedRequests } from './warnings/abandoned-requests.ts';
import { batchDependent } from './warnings/batch-dependent.ts';
import { blankOutputs } from './warnings/blank-outputs.ts';
import { changedEnvironment } from './warnings/changed-environment.ts';
import { coarsePolls } from './warnings/coarse-polls.ts';
import { concurrencyNotReached } from './warnings/concurrency-not-reached.ts';
import { contended } from './warnings/contended.ts';
import { defects } from './warnings/defects.ts';
import { dependentTakes } from './warnings/dependent-takes.ts';
import { driftConfounded } from './warnings/drift-confounded.ts';
import { droppedStarts } from './warnings/dropped-starts.ts';
import { endAnnounced } from './warnings/end-announced.ts';
import { equalVariants } from './warnings/equal-variants.ts';
import { flaggedSamples } from './warnings/flagged-samples.ts';
import { flagsDisagree } from './warnings/flags-disagree.ts';
import { incomplete } from './warnings/incomplete.ts';
import { lateStarts } from './warnings/late-starts.ts';
import { manyFailures } from './warnings/many-failures.ts';
import { measuredInShards } from './warnings/measured-in-shards.ts';
import { missingPairs } from './warnings/missing-pairs.ts';
import { noSeedSent } from './warnings/no-seed-sent.ts';
import { notCompared } from './warnings/not-compared.ts';
import { notDecoded } from './warnings/not-decoded.ts';
import { notWarmedUp } from './warnings/not-warmed-up.ts';
import { omittedSeed } from './warnings/omitted-seed.ts';
import { otherModelAnswered } from './warnings/other-model-answered.ts';
import { otherSeedEchoed } from './warnings/other-seed-echoed.ts';
import { otherShape } from './warnings/other-shape.ts';
import { otherSize } from './warnings/other-size.ts';
import { probeLeftOut } from './warnings/probe-left-out.ts';
import { probeNotTestable } from './warnings/probe-not-testable.ts';
import { promptRewritten } from './warnings/prompt-rewritten.ts';
import { queueGrows } from './warnings/queue-grows.ts';
import { rateLimited } from './warnings/rate-limited.ts';
import { sameForAllSeeds } from './warnings/same-for-all-seeds.ts';
import { seedNotHonoured } from './warnings/seed-not-honoured.ts';
import { seedProbe } from './warnings/seed-probe.ts';
import { servedFromCache } from './warnings/served-from-cache.ts';
import { serviceStalled } from './warnings/service-stalled.ts';
import { singleTakes } from './warnings/single-takes.ts';
import { type LateVariant, tooManyLateStamps } from './warnings/too-many-late-stamps.ts';
import { unansweredRequests } from './warnings/unanswered-requests.ts';
import { unchangedEdits } from './warnings/unchanged-edits.ts';
import { undecodableOutputs } from './warnings/undecodable-outputs.ts';
import { unfitMachine } from './warnings/unfit-machine.ts';
import { valueEnds } from './warnings/value-ends.ts';
import { variantsLeftOut } from './warnings/variants-left-out.ts';
import { warmupFailed } from './warnings/warmup-failed.ts';
import type { Evidence, WarningRule, WarningText } from './warnings/warning.ts';

/** First warnings that make numbers void, then those that bias them, then those about missing evidence. */
const RULES = [
  queueGrows,
  tooManyLateStamps,
  incomplete,
  variantsLeftOut,
  unansweredRequests,
  defects,
  manyFailures,
  missingPairs,
  undecodableOutputs,
  blankOutputs,
  servedFromCache,
  droppedStarts,
  lateStarts,
  serviceStalled,
  coarsePolls,
  flagsDisagree,
  dependentTakes,
  abandonedRequests,
  unfitMachine,
  rateLimited,
  contended,
  driftConfounded,
  changedEnvironment,
  measuredInShards,
  concurrencyNotReached,
  otherModelAnswered,
  unchangedEdits,
  equalVariants,
  seedProbe,
  seedNotHonoured,
  otherSeedEchoed,
  promptRewritten,
  sameForAllSeeds,
  noSeedSent,
  omittedSeed,
  batchDependent,
  probeNotTestable,
  probeLeftOut,
  notWarmedUp,
  warmupFailed,
  otherSize,
  otherShape,
  flaggedSamples,
  notDecoded,
  notCompared,
  singleTakes,
  valueEnds,
  endAnnounced,
] as const;

const [{ shape: first }, ...others] = RULES;
export const WARNING_SHAPES = [first, ...others.map(({ shape }) => shape)] as const;

type AnyRule = WarningRule<(typeof WARNING_SHAPES)[number]>;

/** Something that may have affected the numbers: a code with its numbers and names. */
export type Warning = ReturnType<AnyRule['find']>[number];

/** All warnings of a run, the most serious first. */
export function warningsOf(evidence: Evidence): Warning[] {
  return RULES.flatMap((rule: AnyRule) => rule.find(evidence));
}

/** One of each code, for tests. */
export const WARNING_EXAMPLES = RULES.flatMap(({ examples }: AnyRule) => examples);

const BY_CODE = new Map(
  RULES.flatMap((rule: AnyRule) => [...rule.shape.shape.code.values].map((code): [string, AnyRule] => [code, rule])),
);

/** What is wrong, why, and the remedy. */
export function warningWords(warning: Warning): WarningText {
  const rule = BY_CODE.get(warning.code);
  if (rule === undefined) throw new Error(`no rule has the code ${warning.code}`);
  const { what, brief, cause, remedy } = rule.words(warning);
  const words = { what: shownName(what), cause: shownName(cause), remedy };
  return brief === undefined ? words : { ...words, brief: shownName(brief) };
}

export type WarningKind = readonly [Warning, ...Warning[]];

/** Warnings by code, in the order of the first of each. */
export function warningKinds(warnings: readonly Warning[]): readonly WarningKind[] {
  return [...groupBy(warnings, ({ code }) => code).values()];
}

/** What void numbers, to be told first: those of latencies each with its numbers, others by kind. */
export function unfitKinds(warnings: readonly Warning[]): readonly WarningKind[] {
  return warningKinds(warnings.filter(({ unfit }) => unfit !== undefined)).flatMap((kind) =>
    kind[0].unfit === 'comparison' ? [kind] : kind.map((warning): WarningKind => [warning]),
  );
}

/** `2 warnings`, `43 warnings of 4 kinds`; counts the rows in analysis.json. */
export function warningCount(warnings: readonly Warning[]): string {
  const kinds = warningKinds(warnings).length;
  const all = plural(warnings.length, 'warning');
  if (kinds === warnings.length) return all;
  return `${all} of ${kinds === 1 ? 'one kind' : `${count(kinds)} kinds`}`;
}

/** Variants with too many late timestamps. p50 is void unless it is the same without them. */
export function lateVariants(warnings: readonly Warning[]): readonly LateVariant[] {
  return warnings.flatMap((warning) => (warning.code === 'too_many_late_stamps' ? warning.variants : []));
}

/** Variants whose latencies are not to be used. */
export function voidVariants(warnings: readonly Warning[]): ReadonlySet<string> {
  const isVoid = lateVariants(warnings).filter(({ agree }) => agree !== true);
  return new Set(isVoid.map(({ variant }) => variant));
}
