import type { FailureWarning } from './failure-warning.ts';
import type { HarnessWarning } from './harness-warning.ts';
import type { LoadWarning } from './load-warning.ts';
import type { OutputWarning } from './output-warning.ts';
import type { ProbeWarning } from './probe-warning.ts';
import type { RunWarning } from './run-warning.ts';
import type { SeedWarning } from './seed-warning.ts';

/** A warning as data: what was found, by a code and the numbers and names that belong to it. The reports put it into words. */
export type CodedWarning =
  | RunWarning
  | FailureWarning
  | HarnessWarning
  | LoadWarning
  | OutputWarning
  | SeedWarning
  | ProbeWarning;
