import type { Warning } from './warning-codes/coded-warning.ts';
import { equalVariants } from './warnings/equal-variants.ts';
import type { Evidence, WarningRule } from './warnings/evidence.ts';
import { defects, failures, missingPairs, throttling, undecodable } from './warnings/failure-warnings.ts';
import { abandoned, droppedStarts, lateStarts, unfitMachine } from './warnings/harness-warnings.ts';
import { flagsDisagree, tooManyLateStamps } from './warnings/late-stamps.ts';
import { coarsePolls, dependentTakes, queueGrows } from './warnings/load-warnings.ts';
import { blankImages, flagged, otherSizes, uncompared, unexamined } from './warnings/output-warnings.ts';
import {
  batchDependent,
  omittedSeed,
  seedProbe,
  servedFromCache,
  skippedProbes,
  undecidedProbes,
} from './warnings/probe-warnings.ts';
import {
  ceiling,
  changedEnvironment,
  coldStart,
  incomplete,
  inShards,
  leftOut,
  order,
  singleTakes,
  unanswered,
} from './warnings/run-warnings.ts';
import { noSeedSent, otherSeedEchoed, sameForAllSeeds, seedNotHonoured } from './warnings/seed-warnings.ts';
import { closedStalls } from './warnings/stall-warnings.ts';

/** What voids numbers comes before what bends them, and that before what they only cannot say. */
const RULES: readonly WarningRule[] = [
  queueGrows,
  tooManyLateStamps,
  incomplete,
  leftOut,
  unanswered,
  defects,
  failures,
  missingPairs,
  undecodable,
  blankImages,
  servedFromCache,
  droppedStarts,
  lateStarts,
  closedStalls,
  coarsePolls,
  flagsDisagree,
  dependentTakes,
  abandoned,
  unfitMachine,
  throttling,
  order,
  changedEnvironment,
  inShards,
  ceiling,
  equalVariants,
  seedProbe,
  seedNotHonoured,
  otherSeedEchoed,
  sameForAllSeeds,
  noSeedSent,
  omittedSeed,
  batchDependent,
  undecidedProbes,
  skippedProbes,
  coldStart,
  otherSizes,
  flagged,
  unexamined,
  uncompared,
  singleTakes,
];

/** Everything that may have bent the numbers, the gravest first. */
export function warningsOf(evidence: Evidence): Warning[] {
  return RULES.flatMap((rule) => rule(evidence));
}
