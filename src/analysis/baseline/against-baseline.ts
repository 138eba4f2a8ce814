import { isList, isObject, type Json } from '../../kit/json.ts';
import type { Baseline, BaselineCell, BaselinePrompt } from '../../record/kept-run.ts';
import type { Missing, Run } from '../../record/run.ts';
import type { AnalysedRun } from '../analyse.ts';
import type { LevelsByVariant } from '../cells/pair-levels.ts';
import { compareCodeUnits } from '../grouping.ts';
import type { Metric } from '../measures/metric.ts';
import { keptCells } from './keep.ts';

/** The ids by which two runs ask for different things: an id made from a text may move to another prompt. */
export function changedPrompts(before: readonly BaselinePrompt[], now: readonly BaselinePrompt[]): ReadonlySet<string> {
  const then = new Map(before.map((prompt) => [prompt.id, asked(prompt)]));
  const changed = now.filter((prompt) => then.has(prompt.id) && then.get(prompt.id) !== asked(prompt));
  return new Set(changed.map(({ id }) => id));
}

function asked({ text, image, inputs }: BaselinePrompt): string {
  return JSON.stringify([text, image, Object.entries(inputs).sort(([a], [b]) => compareCodeUnits(a, b))]);
}

export interface AgainstBaseline {
  /** Without the cells of prompts that ask for something else now. */
  readonly baseline: Baseline;
  readonly cells: readonly BaselineCell[];
  /** The levels between outputs of both, where examination compared them. */
  readonly levelOf: LevelsByVariant;
  /** What one of the two does not have. */
  readonly missing: readonly Missing[];
}

export function againstBaseline(
  baseline: Baseline,
  run: Run,
  analysed: AnalysedRun,
  metrics: readonly Metric[],
): AgainstBaseline {
  const cells = keptCells(analysed, metrics);
  const changed = changedPrompts(baseline.prompts, run.prompts);
  const asksTheSame = ({ prompt }: BaselineCell) => !changed.has(prompt);
  const comparable = { ...baseline, cells: baseline.cells.filter(asksTheSame) };
  const missing = missingBetween(comparable, cells.filter(asksTheSame), run);
  return {
    baseline: comparable,
    cells,
    levelOf: analysed.levelOf,
    missing: [...missing, ...[...changed].map((id): Missing => ({ what: 'changed_prompt', id, side: 'baseline' }))],
  };
}

/** What one side has and the other does not, and whether the suite or a target is another version. */
function missingBetween(baseline: Baseline, cells: readonly BaselineCell[], run: Run): readonly Missing[] {
  const version: readonly Missing[] = isSameVersion(baseline, run)
    ? []
    : [{ what: 'suite_version', id: run.suite.digest, side: 'baseline' }];
  const asked = baseline.cells.filter(mayBeMissing(run));
  const differing = (what: keyof typeof ID_OF) => [
    ...absent(cells, baseline.cells, what).map((id): Missing => ({ what, id, side: 'baseline' })),
    ...absent(asked, cells, what).map((id): Missing => ({ what, id, side: 'run' })),
  ];
  return [...version, ...differing('variant'), ...differing('prompt'), ...differing('seed'), ...differing('cell')];
}

const ID_OF = {
  variant: ({ variant }: BaselineCell) => variant,
  prompt: ({ prompt }: BaselineCell) => prompt,
  seed: ({ seed }: BaselineCell) => String(seed),
  cell: ({ variant, prompt, seed }: BaselineCell) => `${variant}/${prompt}/${seed}`,
} as const;

/** Whether a cell that a run lacks is missing. It is not where the run planned it and ended before sending it. */
function mayBeMissing({ plan: { looks, seeds }, variants, prompts }: Run): (cell: BaselineCell) => boolean {
  if (looks === null || looks.parts.length === looks.of) return () => true;
  const names = new Set(variants.map(({ name }) => name));
  const ids = new Set(prompts.map(({ id }) => id));
  const planned = new Set(seeds);
  return ({ variant, prompt, seed }) => !(names.has(variant) && ids.has(prompt) && seed !== null && planned.has(seed));
}

/**
 * What the first cells have and the second do not, in the order of the first. A cell is not named where its variant,
 * prompt or seed is.
 */
function absent(
  some: readonly BaselineCell[],
  others: readonly BaselineCell[],
  what: keyof typeof ID_OF,
): readonly string[] {
  const isKnown = (part: keyof typeof ID_OF) => {
    const known = new Set(others.map(ID_OF[part]));
    return (cell: BaselineCell) => known.has(ID_OF[part](cell));
  };
  const parts = what === 'cell' ? (['variant', 'prompt', 'seed'] as const).map(isKnown) : [];
  const isThere = isKnown(what);
  const lacking = some.filter((cell) => !isThere(cell) && parts.every((known) => known(cell)));
  return [...new Set(lacking.map(ID_OF[what]))];
}

function isSameVersion(baseline: Pick<Baseline, 'suite' | 'targets'>, { suite, targets }: Run): boolean {
  const before = new Map(baseline.targets.map(({ id, declared }) => [id, measured(declared)]));
  return (
    measured(suite.declared) === measured(baseline.suite.declared) &&
    targets.every(({ id, declared }) => !before.has(id) || before.get(id) === measured(declared))
  );
}

/** The keys of a suite or a target that change what is said of a measurement, not what is measured. */
const NOT_MEASURED: ReadonlySet<string> = new Set(['description', 'gate', 'on_inconclusive', 'reports', 'scorers']);

/** What a suite or a target declares of its measurement, as text that is equal where that is. */
function measured(declared: Json): string {
  if (typeof declared !== 'object' || declared === null || Array.isArray(declared)) return JSON.stringify(declared);
  const kept = Object.entries(declared).filter(([key]) => !NOT_MEASURED.has(key));
  return JSON.stringify(kept.map(([key, value]) => [key, key === 'prompts' ? withoutExpectations(value) : value]));
}

/** What a prompt expects of its output is never sent. */
function withoutExpectations(prompts: Json): Json {
  if (!isList(prompts)) return prompts;
  return prompts.map((prompt) => {
    if (!isObject(prompt)) return prompt;
    const { expect: _expect, ...sent } = prompt;
    return sent;
  });
}
