import type { Warning } from './analysis.ts';
import type { Evidence, WarningRule } from './warnings/evidence.ts';
import { defects, failures, missingPairs, throttling, undecodable } from './warnings/failure-warnings.ts';
import { droppedStarts, flagsDisagree, lateStarts, machineTooSlow, orphaned } from './warnings/harness-warnings.ts';
import { unfitMachine } from './warnings/machine-warnings.ts';
import { blankPictures, flagged, otherSizes, seedsWithoutEffect, unexamined } from './warnings/output-warnings.ts';
import { coarsePolls } from './warnings/poll-warnings.ts';
import {
  companyChanges,
  omittedSeed,
  seedProbe,
  servedFromCache,
  unjudgedProbes,
  unprobed,
} from './warnings/probe-warnings.ts';
import {
  ceiling,
  coldStart,
  fewTakes,
  incomplete,
  leftOut,
  order,
  singleTakes,
  unanswered,
} from './warnings/run-warnings.ts';
import { closedStalls } from './warnings/stall-warnings.ts';

/** What voids numbers comes before what bends them, and that before what they only cannot say. */
const RULES: readonly WarningRule[] = [
  machineTooSlow,
  incomplete,
  leftOut,
  unanswered,
  defects,
  failures,
  missingPairs,
  undecodable,
  blankPictures,
  servedFromCache,
  droppedStarts,
  lateStarts,
  closedStalls,
  coarsePolls,
  flagsDisagree,
  orphaned,
  unfitMachine,
  throttling,
  order,
  ceiling,
  seedProbe,
  seedsWithoutEffect,
  omittedSeed,
  companyChanges,
  unjudgedProbes,
  unprobed,
  coldStart,
  otherSizes,
  flagged,
  unexamined,
  singleTakes,
  fewTakes,
];

/** Everything that may have bent the numbers, the gravest first. */
export function warningsOf(evidence: Evidence): Warning[] {
  return RULES.flatMap((rule) => rule(evidence));
}
