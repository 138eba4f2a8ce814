import { compareCodeUnits, groupBy } from '../kit/grouping.ts';
import { isList, isObject, type Json, pick } from '../kit/json.ts';
import type { LevelLimits } from '../media/difference.ts';
import { HELD_LEVELS, type HeldLevel } from '../media/level.ts';
import { cellOf } from '../plan/plan.ts';
import { BASELINE_FORMAT } from '../record/codes.ts';
import type { Baseline, BaselineCell, BaselineOutput, BaselinePrompt } from '../record/kept-run.ts';
import { outputGroupsOf } from '../record/output-pairs.ts';
import type { Missing, Run } from '../record/run.ts';
import { extendedMedian } from '../statistics/quantile.ts';
import type { GateEvent } from '../suite/gate.ts';
import type { GateRule } from '../suite/rule.ts';
import type { AnalysedRun } from './analyse.ts';
import { deliveredDigest } from './cells/cells.ts';
import type { TimedSample } from './effective-sample.ts';
import type { Metric } from './metric.ts';
import { type LevelsByVariant, levelsOf } from './pair-levels.ts';
import { needsMedia, type Stability, type StabilityLevel, stabilityOf } from './stability-of.ts';

/** What a stored baseline keeps of a run. */
export function baselineFrom(run: Run, analysed: AnalysedRun, metrics: readonly Metric[]): Baseline {
  const { measures } = analysed.analysis;
  // Twins come from an older baseline.
  const variants = run.variants.filter(({ twinOf }) => twinOf === null);
  const names = new Set(variants.map(({ name }) => name));
  return {
    format: BASELINE_FORMAT,
    run: run.id,
    ...(run.label === undefined ? {} : { label: run.label }),
    createdAt: run.createdAt,
    retake: run.machine.retake,
    suite: pick(run.suite, 'name', 'digest', 'declared', 'environment'),
    targets: run.targets
      .filter(({ id }) => variants.some(({ target }) => target === id))
      .map((target) => pick(target, 'id', 'digest', 'declared', 'storedBody', 'environment')),
    machine: run.machine,
    floorMs: run.calibration?.floorMs ?? null,
    variants: variants.map((variant) => pick(variant, 'name', 'kind', 'target', 'baseline', 'constants', 'baseUrl')),
    prompts: run.prompts.map((prompt) => pick(prompt, 'id', 'text', 'media', 'inputs')),
    measures: measures
      .filter(({ prompt, variant }) => prompt === null && names.has(variant))
      .map((measure) =>
        pick(measure, 'variant', 'step', 'metric', 'statistic', 'value', 'unit', 'n', 'ciLow', 'ciHigh'),
      ),
    cells: keptCells(analysed, metrics),
  };
}

/** The cells of the run's own variants. Cells of a sweep have no values: takes of all steps share a cell. */
function keptCells({ analysis, takes }: AnalysedRun, metrics: readonly Metric[]): readonly BaselineCell[] {
  const taken = groupBy(takes.all, ({ sample }) => cellOf(sample.trial));
  const names = new Set(analysis.variants.filter(({ twinOf }) => twinOf === null).map(({ name }) => name));
  return analysis.cells.flatMap(({ variant, kind, prompt, seed }): BaselineCell[] => {
    if (!names.has(variant)) return [];
    const takes = taken.get(cellOf({ variant, prompt, seed })) ?? [];
    if (takes.length === 0) return [];
    const steps = new Set(takes.map(({ sample }) => sample.trial.step ?? null));
    return [
      {
        variant,
        kind,
        prompt,
        seed,
        takes: takes.length,
        censored: takes.filter(({ outcome }) => outcome === 'timed_out').length,
        values: steps.size > 1 ? {} : valuesOf(takes, metrics),
        outputs: outputsOf(takes),
        ...modelsOf(takes),
      },
    ];
  });
}

function modelsOf(takes: readonly TimedSample[]): Pick<BaselineCell, 'models'> {
  const models = [...new Set(takes.flatMap(({ sample }) => sample.reported.model ?? []))].sort(compareCodeUnits);
  return models.length === 0 ? {} : { models };
}

function valuesOf(takes: readonly TimedSample[], metrics: readonly Metric[]): Readonly<Record<string, number>> {
  const values = metrics.flatMap((metric) => {
    const reading = metric.takes?.find(({ effect }) => effect !== 'rate');
    if (reading === undefined || reading.effect === 'rate') return [];
    const { read } = reading;
    const counted = takes.filter(({ timed }) => metric.whenCached !== 'first_takes' || timed);
    const middle = extendedMedian(counted.map(read).filter((value) => value !== null));
    return middle === null || !Number.isFinite(middle) ? [] : [[metric.name, middle] as const];
  });
  return Object.fromEntries(values);
}

function outputsOf(takes: readonly TimedSample[]): readonly BaselineOutput[] {
  const ordered = takes.toSorted(({ sample: { trial: a } }, { sample: { trial: b } }) => a.repeat - b.repeat);
  const shown = new Map(ordered.flatMap(({ output }) => (output === null ? [] : [[output.sha256, output.shown]])));
  const digests = ordered.map(deliveredDigest).filter((digest) => digest !== null);
  return outputGroupsOf(digests).map(({ sha256, takes: count }) => {
    const facts = shown.get(sha256) ?? null;
    return {
      sha256,
      pixelSha256: facts?.pixelSha256 ?? null,
      pdq: facts?.pdq ?? null,
      pdqQuality: facts?.pdqQuality ?? null,
      takes: count,
    };
  });
}

/** Levels that digests alone can decide. */
export const DIGEST_LEVELS = ['byte', 'pixel', 'related'] as const satisfies readonly HeldLevel[];

/** The metric of each level; it needs a stored baseline, so a run alone has none. */
export const STABILITY_METRICS: ReadonlyMap<string, StabilityLevel> = new Map(
  ([...HELD_LEVELS, 'model'] as const).map((level) => [`stability.${level}`, level]),
);

export const STABILITY_EVENT: GateEvent = 'change';

export function comparesMedia({ metric }: Pick<GateRule, 'metric'>): boolean {
  const level = STABILITY_METRICS.get(metric);
  return level !== undefined && needsMedia(level);
}

/** Whether a rule may find outputs that changed, which its report shows beside those of the stored baseline. */
export function comparesOutputs({ metric }: Pick<GateRule, 'metric'>): boolean {
  const level = STABILITY_METRICS.get(metric);
  return level !== undefined && level !== 'model';
}

/** Ids with different prompts in two runs: an id made from text may move to another prompt. */
export function changedPrompts(before: readonly BaselinePrompt[], now: readonly BaselinePrompt[]): ReadonlySet<string> {
  const then = new Map(before.map((prompt) => [prompt.id, asked(prompt)]));
  const changed = now.filter((prompt) => then.has(prompt.id) && then.get(prompt.id) !== asked(prompt));
  return new Set(changed.map(({ id }) => id));
}

function asked({ text, media, inputs }: BaselinePrompt): string {
  const files = media.map(({ role, sha256 }) => [role, sha256]);
  return JSON.stringify([text, files, Object.entries(inputs).sort(([a], [b]) => compareCodeUnits(a, b))]);
}

export interface AgainstBaseline {
  /** Without cells whose prompt changed. */
  readonly baseline: Baseline;
  readonly cells: readonly BaselineCell[];
  /** Levels between outputs of both, where they were compared. */
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

/** Whether a cell that a run lacks is missing; false if the run ended before sending it. */
function mayBeMissing({ plan: { looks, seeds }, variants, prompts }: Run): (cell: BaselineCell) => boolean {
  if (looks === null || looks.parts.length === looks.of) return () => true;
  const names = new Set(variants.map(({ name }) => name));
  const ids = new Set(prompts.map(({ id }) => id));
  const planned = new Set(seeds);
  return ({ variant, prompt, seed }) => !(names.has(variant) && ids.has(prompt) && seed !== null && planned.has(seed));
}

/** What only the first cells have, in their order. A missing variant, prompt or seed stands for its cells. */
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

/** Keys of a suite or target that do not change what is measured. */
const NOT_MEASURED: ReadonlySet<string> = new Set(['description', 'gate', 'on_inconclusive', 'reports', 'scorers']);

/** The measuring part of a declaration, as text that is equal for equal measurements. */
function measured(declared: Json): string {
  if (typeof declared !== 'object' || declared === null || Array.isArray(declared)) return JSON.stringify(declared);
  const kept = Object.entries(declared).filter(([key]) => !NOT_MEASURED.has(key));
  return JSON.stringify(kept.map(([key, value]) => [key, key === 'prompts' ? withoutExpectations(value) : value]));
}

/** Expectations of a prompt are never sent. */
function withoutExpectations(prompts: Json): Json {
  if (!isList(prompts)) return prompts;
  return prompts.map((prompt) => {
    if (!isObject(prompt)) return prompt;
    const { expect: _expect, ...sent } = prompt;
    return sent;
  });
}

export interface VariantStability extends Pick<Stability, 'common' | 'stable' | 'compared' | 'changed'> {
  readonly variant: string;
  readonly level: HeldLevel;
  readonly cells: number;
}

interface VariantWithLevels {
  readonly name: string;
  readonly levels: Pick<LevelLimits, 'related'>;
}

interface LevelRule {
  readonly variant: string;
  readonly rule: Pick<GateRule, 'metric'>;
}

/**
 * The stability of each measured variant at the first level of a rule at which it changed, else at its most informative
 * level; twins have none.
 */
export function stabilityOfVariants(
  against: AgainstBaseline,
  variants: readonly VariantWithLevels[],
  rules: readonly LevelRule[],
): readonly VariantStability[] {
  return variants.flatMap((variant) => {
    const all = stabilityAt(HELD_LEVELS, variant, against);
    const asked = rules.filter((rule) => rule.variant === variant.name);
    const levels = asked.map(({ rule }) => STABILITY_METRICS.get(rule.metric));
    const changed = levels.flatMap(
      (asked) => all.find(({ level, changed }) => level === asked && changed.length > 0) ?? [],
    );
    return changed.length > 0 ? changed.slice(0, 1) : tellsMost(all);
  });
}

/** The stability of a variant at each level; empty without cells. */
export function stabilityAt(
  levels: readonly HeldLevel[],
  { name, levels: limits }: VariantWithLevels,
  { baseline, cells, levelOf }: Pick<AgainstBaseline, 'baseline' | 'cells' | 'levelOf'>,
): readonly VariantStability[] {
  const ownCells = cells.filter(({ variant }) => variant === name);
  if (ownCells.length === 0) return [];
  const knowledge = { limits, levelOf: levelsOf(levelOf, name) };
  return levels.map((level) => {
    const { common, stable, compared, changed } = stabilityOf(ownCells, baseline.cells, level, knowledge);
    return { variant: name, level, cells: ownCells.length, common, stable, compared, changed };
  });
}

/**
 * The strictest level that all cells hold, among those that compare the most cells; `pixel` if none holds, since equal
 * pixels may have different bytes. `related` is only a last choice: related outputs may come from another model.
 */
function tellsMost(all: readonly VariantStability[]): readonly VariantStability[] {
  const alike = all.filter(({ level, compared }) => level !== 'related' && compared > 0);
  const usable = alike.length > 0 ? alike : all;
  const most = Math.max(...usable.map(({ compared }) => compared));
  const counted = usable.filter(({ compared }) => compared === most);
  const best =
    most === 0
      ? counted.toSorted((a, b) => b.stable - a.stable)[0]
      : (counted.find(({ changed }) => changed.length === 0) ??
        counted.find(({ level }) => level !== 'byte') ??
        counted[0]);
  return best === undefined ? [] : [best];
}
