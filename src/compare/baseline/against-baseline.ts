import type { AnalysedRun } from '../../analysis/analyse.ts';
import type { LevelsByVariant } from '../../analysis/cells/pair-levels.ts';
import type { Metric } from '../../analysis/measures/metric.ts';
import type { Baseline, BaselineCell } from '../../record/model/baseline.ts';
import type { Missing } from '../../record/model/missing.ts';
import type { Run } from '../../record/model/run.ts';
import type { Json } from '../../suite/document/json.ts';
import { keptCells } from './keep.ts';

/** A run beside the stored baseline that it is held against. */
export interface AgainstBaseline {
  readonly baseline: Baseline;
  /** The cells of the run, as they would be kept. */
  readonly cells: readonly BaselineCell[];
  /** The levels between outputs of both, where examination compared them. */
  readonly levelOf: LevelsByVariant;
  /** What one of the two does not have. */
  readonly missing: readonly Missing[];
}

/** Puts a run beside a stored baseline. */
export function againstBaseline(
  baseline: Baseline,
  run: Run,
  analysed: AnalysedRun,
  metrics: readonly Metric[],
): AgainstBaseline {
  const cells = keptCells(analysed, metrics);
  return { baseline, cells, levelOf: analysed.levelOf, missing: missingBetween(baseline, cells, run) };
}

/** The variants, prompts and seeds that one side has and the other does not, and whether the suite is another version. */
function missingBetween(baseline: Baseline, cells: readonly BaselineCell[], { suite }: Run): readonly Missing[] {
  const version: readonly Missing[] =
    measured(suite.declared) === measured(baseline.suite.declared)
      ? []
      : [{ what: 'suite_version', id: suite.digest, side: 'baseline' }];
  const differing = (what: 'variant' | 'prompt' | 'seed', idOf: (cell: BaselineCell) => string) => [
    ...absent(cells, baseline.cells, idOf).map((id): Missing => ({ what, id, side: 'baseline' })),
    ...absent(baseline.cells, cells, idOf).map((id): Missing => ({ what, id, side: 'run' })),
  ];
  return [
    ...version,
    ...differing('variant', ({ variant }) => variant),
    ...differing('prompt', ({ prompt }) => prompt),
    ...differing('seed', ({ seed }) => String(seed)),
  ];
}

/** What the first cells have and the second do not, in the order of the first. */
function absent(
  some: readonly BaselineCell[],
  others: readonly BaselineCell[],
  idOf: (cell: BaselineCell) => string,
): readonly string[] {
  const known = new Set(others.map(idOf));
  return [...new Set(some.map(idOf))].filter((id) => !known.has(id));
}

/** The keys of a suite that change what is said of a measurement, not what is measured. */
const NOT_MEASURED: ReadonlySet<string> = new Set(['description', 'gate', 'on_inconclusive', 'reports']);

/** What a suite declares of its measurement, as text that is equal where that is. */
function measured(declared: Json): string {
  if (typeof declared !== 'object' || declared === null || Array.isArray(declared)) return JSON.stringify(declared);
  return JSON.stringify(Object.entries(declared).filter(([key]) => !NOT_MEASURED.has(key)));
}
