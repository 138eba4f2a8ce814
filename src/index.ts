export { analyse } from './analysis/analyse.ts';
export type { Analysis } from './analysis/analysis.ts';
export type { Comparison } from './analysis/comparison.ts';
export type { EffectiveSample } from './analysis/effective-sample.ts';
export type { Metric } from './analysis/metric.ts';
export { METRICS, metricsOf, metricsOfRecord } from './analysis/metrics.ts';
export type { Cell, FailureGroup, Measure, VariantSummary } from './analysis/summaries.ts';
export type { Warning } from './analysis/warning.ts';
export { type Assessment, assess } from './gate/assess.ts';
export type { RuleResult, Verdict } from './gate/verdict.ts';
export { type Checked, type Diagnostic, formatDiagnostic } from './kit/diagnostic.ts';
export type { Plan, Slice } from './plan/plan.ts';
export type { Trial } from './plan/trial.ts';
export type { Outcome } from './record/codes.ts';
export type { Fact } from './record/fact.ts';
export { type FoundRun, findRun } from './record/find-run.ts';
export type { Sample } from './record/journal.ts';
export type { StoredRun } from './record/kept-run.ts';
export { readRecord } from './record/read-record.ts';
export type { Run } from './record/run.ts';
export { type PreparedSuite, type PrepareOptions, prepareSuite } from './run/prepare-suite.ts';
export type { Suite } from './suite/suite.ts';
export type { Variant } from './targets/target.ts';

/*
 * The library's one face: to see what a suite would send, and to read and analyse records. Nothing here sends a
 * request: measuring is the command line's. What can go wrong with files is in what a function gives (`Checked`);
 * nothing is thrown for it. Durations are in milliseconds and named so (`totalMs`); times of day are ISO 8601 in UTC.
 */
