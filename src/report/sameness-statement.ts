import type { Analysis } from '../analysis/analysis.ts';
import { hasNote, noteWords } from '../analysis/note.ts';
import { STABILITY_METRICS, type VariantStability } from '../analysis/stability.ts';
import type { Cell, Measure, VariantSummary } from '../analysis/summaries.ts';
import { changedPictures } from '../gate/changed-words.ts';
import type { Verdict } from '../gate/verdict.ts';
import { groupBy } from '../kit/grouping.ts';
import { eachVariant, outputNoun, pictureOf, variantNames } from '../kit/names.ts';
import { count, listed, plural, share, shareAtMost, shareInterval } from '../kit/wording.ts';
import { HELD_LEVELS, type HeldLevel } from '../media/level.ts';
import { LEVEL_WORDS } from './level-words.ts';
import { type Measures, measuresOf, ownVariants } from './statement.ts';

/** More variants with different takes share a sentence; the largest shares of such cells have their own. */
const MOST_DIFFERENT = 3;

type RepeatSource = Pick<Analysis, 'variants' | 'cells' | 'measures'>;

/** Equality of repeats of each variant that repeats of this run can show. */
export function repeatsOf(analysis: RepeatSource): readonly (SameOutputs & { readonly variant: string })[] {
  const measures = measuresOf(analysis);
  return ownVariants(analysis)
    .map((variant) => ({ ...sameOutputs(variant, analysis.cells, measures), variant: variant.name }))
    .filter(({ value }) => value !== null);
}

export function areEqualRepeats(repeats: readonly Pick<SameOutputs, 'same' | 'testable'>[]): boolean {
  return repeats.every(({ same, testable }) => same === testable);
}

/** Of variants of this run whose repeats come from a cache; nothing where none do. */
export function cachedSentences(analysis: RepeatSource): readonly string[] {
  const own = ownVariants(analysis).map(({ name }) => name);
  const measures = measuresOf(analysis);
  const cached = own.filter((name) => hasNote(measures(name, 'determinism.byte', 'departure')?.notes ?? [], 'cached'));
  if (cached.length === 0) return [];
  return [
    `Repeats of ${variantNames(cached, own.length)} come from a cache, so nothing shows whether new ones would be equal`,
  ];
}

/** Variants whose takes differ, then a sentence for each level, then variants whose repeats come from a cache. */
export function samenessSentences(analysis: RepeatSource): readonly string[] {
  const ofAll = ownVariants(analysis).length;
  const repeats = repeatsOf(analysis);
  const differing = repeats
    .filter(({ same, testable }) => same < testable)
    .toSorted((a, b) => a.same / a.testable - b.same / b.testable);
  const equal = groupBy(
    repeats.filter(({ same, testable }) => same === testable),
    ({ level }) => level,
  );
  const more = differing.slice(MOST_DIFFERENT);
  return [
    ...differing
      .slice(0, MOST_DIFFERENT)
      .map(
        ({ variant, level, same, testable }) =>
          `Repeats of ${variant} are not ${LEVEL_WORDS[level].same} in ${count(testable - same)} of ${plural(testable, 'prompt x seed')}`,
      ),
    ...(more.length === 0 ? [] : [`Repeats of ${plural(more.length, 'more variant')} differ for some prompts x seeds`]),
    ...[...equal].map(([level, group]) => {
      const cells = group.reduce((sum, { testable }) => sum + testable, 0);
      const names = group.map(({ variant }) => variant);
      return `Repeats of ${eachVariant(names, ofAll)} are ${LEVEL_WORDS[level].same} in ${count(cells)} of ${plural(cells, 'prompt x seed')}`;
    }),
    ...cachedSentences(analysis),
  ];
}

export interface SameOutputs {
  readonly level: HeldLevel;
  readonly same: number;
  readonly testable: number;
  readonly tooFew: number;
  /** `36 of 36 prompts x seeds`. Null where none has two takes. */
  readonly value: string | null;
  /** The bound of `value`, or how many takes differ. */
  readonly bound: string;
  /** For narrow places: `≤ 4.1 % differ`; without the sign, the share of takes that differ. */
  readonly shortBound: string;
}

/** What every surface says in short: `36 of 36 byte-identical`, `0/120 pixel-identical`. */
export function equalWords(
  { level, same, testable }: Pick<SameOutputs, 'level' | 'same' | 'testable'>,
  fraction = (part: number, whole: number) => `${count(part)} of ${count(whole)}`,
): string {
  return `${fraction(same, testable)} ${LEVEL_WORDS[level].same}`;
}

/** At the strictest level that all takes of all cells hold, else at that of pixels. */
export function sameOutputs(variant: VariantSummary, cells: readonly Cell[], measures: Measures): SameOutputs {
  const held = HELD_LEVELS.find((level) => measures(variant.name, `determinism.${level}`, 'unstable')?.value === 0);
  const pixels = measures(variant.name, 'determinism.pixel', 'unstable');
  return sameAt(held ?? (pixels === null || pixels.value === null ? 'byte' : 'pixel'), variant, cells, measures);
}

/** A search of all cells for each variant would take quadratic time. */
const known = new WeakMap<readonly Cell[], ReadonlyMap<string, readonly Cell[]>>();

function cellsOf({ name }: VariantSummary, cells: readonly Cell[]): readonly Cell[] {
  const byVariant = known.get(cells) ?? groupBy(cells, ({ variant }) => variant);
  known.set(cells, byVariant);
  return byVariant.get(name) ?? [];
}

/** Equality at a level over a variant's cells, with the bound for a further take where none differed. */
function sameAt(level: HeldLevel, variant: VariantSummary, cells: readonly Cell[], measures: Measures): SameOutputs {
  const metric = `determinism.${level}`;
  const cellsOfVariant = cellsOf(variant, cells);
  const tooFew = cellsOfVariant.filter((cell) => cell.byte === 'too_few_takes').length;
  const unstable = measures(variant.name, metric, 'unstable');
  const counts = { level, ...countCells(unstable), tooFew };
  const { same, testable } = counts;
  const departure = measures(variant.name, metric, 'departure');
  const none = (bound: string, shortBound: string) => ({ ...counts, value: null, bound, shortBound });
  const isNoted = (code: 'cached' | 'not_compared') => hasNote(departure?.notes ?? [], code);
  if (isNoted('cached')) return none('repeats come from a cache', 'cached');
  if (testable === 0 && isNoted('not_compared')) return none('its takes were not compared', 'not compared');
  if (testable === 0) return none('no prompt x seed has two delivered takes', 'too few takes');
  const value = `${count(same)} of ${plural(testable, 'prompt x seed')}`;
  return { ...counts, value, ...boundOf(departure, unstable, same === testable) };
}

function countCells(unstable: Measure | null): Pick<SameOutputs, 'same' | 'testable'> {
  if (unstable === null || unstable.value === null) return { same: 0, testable: 0 };
  return { same: unstable.n - Math.round(unstable.value * unstable.n), testable: unstable.n };
}

function boundOf(
  departure: Measure | null,
  unstable: Measure | null,
  allSame: boolean,
): Pick<SameOutputs, 'bound' | 'shortBound'> {
  if (departure === null || departure.value === null) {
    const bound = departure === null ? 'not measured' : noteWords(departure.notes);
    return { bound, shortBound: 'no bound' };
  }
  const { value, ciHigh, n } = departure;
  if (!allSame || value > 0) {
    const takes = `${share(value)} of takes differ from the usual output of their prompt and seed (n = ${count(n)})`;
    const cells = unstable === null ? '' : `; ${shareOfCells(unstable)}`;
    return { bound: takes + cells, shortBound: `${share(value)} differ` };
  }
  if (ciHigh === null)
    return { bound: noteWords(departure.notes) || `no bound (n = ${count(n)})`, shortBound: 'no bound' };
  const most = shareAtMost(ciHigh);
  return {
    bound: `at most ${most} of further takes would differ (one-sided 95 % bound, n = ${count(n)})`,
    shortBound: `≤ ${most} differ`,
  };
}

function shareOfCells({ value, ciLow, ciHigh }: Measure): string {
  if (value === null || ciLow === null || ciHigh === null) return 'no interval over prompts x seeds';
  return `in ${share(value)} of prompts x seeds [${shareInterval(ciLow, ciHigh)}]`;
}

/** More variants whose outputs changed share a sentence; the largest shares of such cells have their own. */
const MOST_CHANGED = 3;

interface StabilitySource {
  readonly stability: readonly VariantStability[];
  readonly verdict: Pick<Verdict, 'baselineRun' | 'baselineLabel' | 'rules'>;
  readonly analysis: { readonly variants: readonly Pick<VariantSummary, 'name' | 'kind'>[] };
}

/**
 * Variants whose outputs changed, then a sentence for each level, then variants without compared cells. A change that a
 * rule failed on is said there.
 *
 * @param isSaid whether a headline says that nothing changed
 */
export function stabilitySentences(
  { stability, verdict, analysis }: StabilitySource,
  isSaid: (result: VariantStability) => boolean = () => false,
): readonly string[] {
  const since = verdict.baselineLabel ?? verdict.baselineRun ?? 'the stored baseline';
  const isFailed = ({ variant }: VariantStability) =>
    verdict.rules.some(
      (result) => result.verdict === 'fail' && result.variant === variant && STABILITY_METRICS.has(result.rule.metric),
    );
  const compared = stability.filter((result) => result.compared > 0 && !isSaid(result));
  const changed = compared
    .filter((result) => result.changed.length > 0 && !isFailed(result))
    .toSorted((a, b) => b.changed.length / b.compared - a.changed.length / a.compared);
  const more = changed.slice(MOST_CHANGED);
  const equal = groupBy(
    compared.filter((result) => result.changed.length === 0),
    ({ level }) => level,
  );
  const others = `Outputs of ${plural(more.length, 'more variant')} changed since ${since} for some prompts x seeds`;
  const none = stability.filter((result) => result.compared === 0);
  const who = (group: readonly VariantStability[]) =>
    eachVariant(
      group.map(({ variant }) => variant),
      stability.length,
    );
  const kinds = new Map(analysis.variants.map(({ name, kind }) => [name, kind]));
  const pictures = ({ variant, level, changed }: VariantStability) => {
    const kind = kinds.get(variant);
    const noun = level === 'byte' || kind === undefined ? 'file' : pictureOf(outputNoun(kind));
    return changedPictures(
      changed.map(({ prompt }) => prompt),
      noun,
      since,
    );
  };
  return [
    ...changed.slice(0, MOST_CHANGED).map((result) => {
      const name = stability.length === 1 ? '' : `${result.variant}: `;
      const cells = `${count(result.changed.length)} of ${plural(result.compared, 'prompt x seed')}`;
      return `${pictures(result)} (${name}${cells} not ${LEVEL_WORDS[result.level].same})${andNotCompared([result])}`;
    }),
    ...(more.length === 0 ? [] : [others]),
    ...[...equal].map(([level, group]) => {
      const cells = total(group, (result) => result.compared);
      return `Usual outputs of ${who(group)} are ${LEVEL_WORDS[level].same} to those of ${since} in ${count(cells)} of ${plural(cells, 'prompt x seed')}${andNotCompared(group)}`;
    }),
    ...(none.length === 0
      ? []
      : [`Usual outputs of ${who(none)} were not compared with those of ${since}: ${notCompared(none)}`]),
  ];
}

function andNotCompared(group: readonly VariantStability[]): string {
  const cells = notCompared(group);
  return cells === '' ? '' : `; not compared: ${cells}`;
}

/** `2 prompts x seeds whose repeats differ in it`; empty where all were compared. */
function notCompared(group: readonly VariantStability[]): string {
  const parts: readonly (readonly [number, string])[] = [
    [total(group, ({ common, stable }) => common - stable), 'whose repeats differ in it'],
    [total(group, ({ stable, compared }) => stable - compared), 'without an output to compare'],
    [total(group, ({ cells, common }) => cells - common), 'not in it'],
  ];
  return listed(parts.flatMap(([cells, why]) => (cells === 0 ? [] : [`${plural(cells, 'prompt x seed')} ${why}`])));
}

function total(group: readonly VariantStability[], of: (result: VariantStability) => number): number {
  return group.reduce((sum, result) => sum + of(result), 0);
}
