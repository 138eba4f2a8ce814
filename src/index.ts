/*
 * The library's one face: what a program needs to load a suite, see its plan, and read and analyse records.
 * The command line is the way to measure.
 */
export { analyse } from './analysis/analyse.ts';
export type {
  Analysis,
  Cell,
  EffectiveSample,
  FailureGroup,
  Measure,
  VariantSummary,
  Warning,
} from './analysis/analysis.ts';
export type { Finding } from './analysis/measures/measure.ts';
export type { Metric, Subject } from './analysis/measures/metric.ts';
export { METRICS } from './analysis/metrics.ts';
export { type Note, noted } from './analysis/note.ts';
export { expandPlan } from './plan/expand.ts';
export type { PlanInput } from './plan/plan-input.ts';
export type { Plan, Slice, Trial } from './plan/trial.ts';
export type { Fact } from './record/model/fact.ts';
export type { JournalEvent } from './record/model/journal.ts';
export type { Run } from './record/model/run.ts';
export type { Outcome, Sample } from './record/model/sample.ts';
export type { StoredRun } from './record/model/stored-run.ts';
export { readRecord } from './record/read-record.ts';
export { type Checked, type Diagnostic, formatDiagnostic } from './suite/document/diagnostic.ts';
export type { Case, Kind, Suite } from './suite/format/suite.ts';
export { loadDocument, loadSuite } from './suite/load.ts';
export { parseTarget } from './targets/format/parse-target.ts';
export { namedBodyFile } from './targets/format/stored-body.ts';
export type { Target } from './targets/model/target.ts';
export type { Variant } from './targets/model/variant.ts';
export { resolveVariants } from './targets/resolve.ts';
