import type { Analysis } from '../analysis/analysis.ts';
import type { EffectiveOutput, TimedSample } from '../analysis/effective-sample.ts';
import type { CellLikeness, ComparedCells } from '../analysis/output-summaries.ts';
import { STABILITY_METRICS } from '../analysis/stability.ts';
import type { Cell, VariantSummary } from '../analysis/summaries.ts';
import type { RuleResult } from '../gate/verdict.ts';
import type { DurationUnit } from '../kit/wording.ts';
import { extensionOf } from '../media/header.ts';
import { cellOf } from '../plan/plan.ts';
import { baselineOf, behindTwins, twinOf } from '../record/compared-variants.ts';
import type { ShownFirst } from '../record/kept-run.ts';
import { mediaName } from '../record/output-files.ts';
import type { RunPrompt } from '../record/run.ts';
import { byChange, isComparedPair, likenessToBaseline } from '../report/likeness-statement.ts';
import type { KeptFact, ReportSource } from '../report/reporter.ts';
import { answersByKind } from '../report/run-answer.ts';
import { byKind, latencyUnits } from '../report/statement.ts';
import { orderedVariants } from '../report/variant-order.ts';
import { type Kind, takesImage } from '../suite/kind.ts';
import { type Change, firstOfEachOutput, usualFirst } from './cell-outputs.ts';
import { cellAnchor, cellsByPlace, type FailedTakes, failedTakes, type Places } from './markup/section.ts';
import { Images } from './sections/images/embedded-images.ts';
import { worstCell } from './worst-cell.ts';

/** Shared by the strips and the contact sheet of a page. */
export interface Sheet {
  readonly places: Places;
  readonly images: Images;
  readonly outputs: ReadonlyMap<string, EffectiveOutput>;
  readonly failed: FailedTakes;
  /** The output's own file, relative to the page; null where it is not beside it. */
  readonly originalOf: (output: { readonly sha256: string; readonly mime: string | null }) => string | null;
  /** The thumbnail was written and is no longer there. */
  readonly gone: Set<string>;
  readonly kinds: readonly SheetKind[];
  /** Masks and further inputs, by digest: each once in the page. Without those that found no room. */
  readonly layers: ReadonlyMap<string, string>;
  readonly unitOf: (variant: string) => DurationUnit;
  /** Null of a variant that is compared with none. */
  readonly likenessOf: (cell: Cell) => CellLikeness | null;
  /** Null of a cell that still gives the output of the stored baseline, and where none was compared. */
  readonly changeOf: (cell: Cell) => Change | null;
  readonly keptFact: ReportSource['keptFact'];
  /** The label of the run of the stored baseline, else its name. */
  readonly baselineRun: string | null;
  /** Both ends of the scale of likeness; null of a variant that none is compared with. */
  readonly scaleOf: (cell: Cell) => Pick<ComparedCells, 'repeatSsim' | 'otherSeed'> | null;
}

export interface SheetKind {
  readonly kind: Kind;
  readonly variants: readonly VariantSummary[];
  /** The most changed first. */
  readonly prompts: readonly RunPrompt[];
  readonly seeds: readonly number[];
  /** By prompt; empty where the kind has none, or the record does not hold them. */
  readonly inputs: ReadonlyMap<string, PromptInputs>;
  /**
   * All prompts and seeds: those with outputs that the stored baseline does not have, then the most changed against
   * another variant; what was not compared comes last, in the order of the suite.
   */
  readonly rows: readonly RankedRow[];
  readonly strip: PromptSeed | null;
  /** Nothing can be compared, since repeats of the baseline variant differ. */
  readonly varies: boolean;
  /**
   * The variants in the order of the first images: those that changed since the stored baseline, the baseline variant, the
   * one that failed, then the others; of many the fastest.
   */
  readonly shownFirst: readonly VariantSummary[];
}

export interface PromptInputs {
  readonly image: KeptFact;
  /** Its further images. */
  readonly others: readonly KeptFact[];
  readonly mask: KeptFact | null;
}

export interface PromptSeed {
  readonly prompt: RunPrompt;
  readonly seed: number;
}

export interface RankedRow extends PromptSeed {
  /** Of the variants, what changed most; null where nothing was compared. */
  readonly most: ComparedCells | null;
  /** Of the cells that changed since the stored baseline. */
  readonly changed: readonly Cell[];
}

/** Outputs of a cell side by side, where repeats of the baseline variant differ: style is judged by eye. */
export const MOST_REPEATS = 3;

/** The baseline variant and three others; further variants of a kind are folded below. */
export const MOST_AT_SIGHT = 4;

export function sheetOf(source: ReportSource): Sheet {
  const { analysis, samples, keptFact, verdict } = source;
  const looks = looksOf(source);
  const kinds = byKind(analysis.variants).map(([kind, variants]) => kindOf(kind, variants, source, looks));
  const inputAt = ({ inputs }: SheetKind, { id }: RunPrompt) => [inputs.get(id)?.image.sha256 ?? []].flat();
  const strips = kinds.flatMap((kind) =>
    kind.strip === null
      ? []
      : [{ input: inputAt(kind, kind.strip.prompt), outputs: firstOutputsAt(kind, kind.strip, looks) }],
  );
  const groups = kinds.map((kind) =>
    kind.prompts.flatMap((prompt) =>
      kind.seeds.map((seed) => [...inputAt(kind, prompt), ...outputsAt(kind.variants, { prompt, seed }, looks).flat()]),
    ),
  );
  const atSight = strips.map(({ input, outputs }) => [...input, ...outputs.slice(0, MOST_AT_SIGHT)]);
  const inStrips = strips.map(({ input, outputs }) => [...input, ...outputs]);
  const images = new Images(source, {
    strips: inStrips,
    sheet: groups.flat(2),
    groups: [...atSight, ...inTurn(groups)],
  });
  return {
    ...looks,
    images,
    keptFact,
    baselineRun: verdict.baselineLabel ?? verdict.baselineRun,
    outputs: decodedOutputs(samples),
    failed: failedTakes(source),
    originalOf: originals(source),
    gone: new Set(),
    kinds,
    layers: layersOf(kinds, images),
    unitOf: latencyUnits(analysis),
    scaleOf: scaleByCell(analysis),
  };
}

function layersOf(kinds: readonly SheetKind[], images: Images): Sheet['layers'] {
  const inputs = kinds.flatMap((kind) => [...kind.inputs.values()]);
  const masks = new Map(inputs.flatMap(({ mask }) => (mask === null ? [] : [[mask.sha256, 'thumbnail'] as const])));
  const others = inputs.flatMap((input) =>
    furtherShown(input).map(({ sha256 }) => [sha256, 'smallThumbnail'] as const),
  );
  return new Map(
    [...new Map([...others, ...masks])].flatMap(([sha256, size]) => {
      const image = images.small(sha256, size);
      return image === null ? [] : [[sha256, image] as const];
    }),
  );
}

const MOST_FURTHER = 3;

export function furtherShown({ others }: PromptInputs): PromptInputs['others'] {
  return others.slice(0, MOST_FURTHER);
}

function scaleByCell(analysis: LikenedVariants): Sheet['scaleOf'] {
  const byCell = new Map(
    shownPairs(analysis)
      .filter(isComparedPair)
      .map((pair) => [cellOf({ ...pair, variant: pair.baseline }), pair]),
  );
  return (cell) => byCell.get(cellOf(cell)) ?? null;
}

function originals({ isBeside }: Pick<ReportSource, 'isBeside'>): Sheet['originalOf'] {
  return ({ sha256, mime }) => {
    const extension = extensionOf(mime);
    const file = extension === null ? null : mediaName(sha256, extension);
    return file !== null && isBeside(file) ? file : null;
  };
}

type ShownSource = Pick<ReportSource, 'analysis' | 'comparisons' | 'stability' | 'verdict'>;

/** Strip of the first kind that has one; null where nothing was delivered. */
export function outputsShownFirst({ analysis, ...judged }: ShownSource): ShownFirst | null {
  const source = { analysis, ...judged, keptFact: () => null };
  const looks = looksOf(source);
  for (const [kind, variants] of byKind(analysis.variants)) {
    const { strip, shownFirst } = kindOf(kind, variants, source, looks);
    if (strip === null) continue;
    const outputs = shownFirst.slice(0, MOST_AT_SIGHT).flatMap((variant) => {
      const cell = looks.places.cell(variant.name, strip.prompt.id, strip.seed);
      const [usual] = cell === null ? [] : usualFirst(cell, looks);
      if (cell === null || usual === undefined) return [];
      const { stored } = looks.changeOf(cell) ?? {};
      const { similar, compared } = likenessToBaseline(variant, analysis) ?? { similar: 0, compared: 0 };
      const { name, baseline } = variant;
      return [
        { variant: name, baseline, sha256: usual.sha256, ...(stored !== undefined && { stored }), similar, compared },
      ];
    });
    return { kind, prompt: strip.prompt.id, seed: strip.seed, outputs };
  }
  return null;
}

type Looks = Pick<Sheet, 'places' | 'likenessOf' | 'changeOf'>;

function looksOf({ analysis, stability }: Pick<ReportSource, 'analysis' | 'stability'>): Looks {
  const changes = new Map(
    stability.flatMap(({ variant, changed }) =>
      // A twin stands beside it already.
      (twinOf({ name: variant }, analysis.variants) === null ? changed : []).flatMap(({ prompt, seed, outputs }) =>
        outputs === null ? [] : [[cellOf({ variant, prompt, seed }), { stored: outputs[0], now: outputs[1] }] as const],
      ),
    ),
  );
  return {
    places: cellsByPlace(analysis),
    likenessOf: likenessByCell(analysis),
    changeOf: (cell) => changes.get(cellOf(cell)) ?? null,
  };
}

type LikenedVariants = Pick<Analysis, 'likeness' | 'variants'>;

/** What the outputs of a variant are shown beside: its twin of the stored baseline, else the baseline variant of its kind. */
export function shownAgainst(
  variant: Pick<VariantSummary, 'name' | 'kind'>,
  variants: readonly VariantSummary[],
): VariantSummary | null {
  return twinOf(variant, variants) ?? baselineOf(variant, variants);
}

/** Of each variant with what it is shown beside. */
export function shownPairs({ likeness, variants }: LikenedVariants): readonly CellLikeness[] {
  const against = new Map(variants.map((variant) => [variant.name, shownAgainst(variant, variants)?.name]));
  return likeness.filter(({ variant, baseline }) => against.get(variant) === baseline);
}

function likenessByCell(analysis: LikenedVariants): Sheet['likenessOf'] {
  const byCell = new Map(shownPairs(analysis).map((pair) => [cellOf(pair), pair]));
  return (cell) => byCell.get(cellOf(cell)) ?? null;
}

function kindOf(
  kind: Kind,
  variants: readonly VariantSummary[],
  { analysis, comparisons, keptFact, verdict }: ShownSource & Pick<ReportSource, 'keptFact'>,
  looks: Looks,
): SheetKind {
  const { places, likenessOf, changeOf } = looks;
  const { seeds } = analysis.run.plan;
  const planned = analysis.prompts.filter(({ kinds }) => kinds.includes(kind));
  const rows = planned
    .flatMap((prompt) =>
      seeds.map((seed): RankedRow => {
        const cells = variants.flatMap(({ name }) => places.cell(name, prompt.id, seed) ?? []);
        const pairs = cells.flatMap((cell) => likenessOf(cell) ?? []).filter(isComparedPair);
        const changed = cells.filter((cell) => changeOf(cell) !== null);
        return { prompt, seed, most: pairs.toSorted(byChange)[0] ?? null, changed };
      }),
    )
    .toSorted(
      (a, b) => Number(a.changed.length === 0) - Number(b.changed.length === 0) || byMostChange(a.most, b.most),
    );
  const prompts = rows.length === 0 ? planned : [...new Set(rows.map(({ prompt }) => prompt))];
  const delivers = (place: PromptSeed) => outputsAt(variants, place, looks).filter(({ length }) => length > 0).length;
  const about = answersByKind({ analysis, comparisons, verdict }).find((answer) => answer.kind === kind)?.about;
  const failed = about?.verdict === 'fail' ? about : null;
  const strip =
    (failed === null ? null : failedRow(failed, rows, analysis)) ??
    rows.find((row) => delivers(row) === variants.length) ??
    rows.find((row) => delivers(row) > 0) ??
    null;
  const changed = new Set(rows.flatMap((row) => row.changed.map(({ variant }) => variant)));
  const pairs = shownPairs(analysis).filter((pair) => pair.kind === kind);
  const varies =
    !pairs.some(isComparedPair) && pairs.some((pair) => pair.word === 'unknown' && pair.why === 'baseline_varies');
  const isFailed = ({ name }: VariantSummary) => name === failed?.variant;
  const hasChanged = variants.filter(({ name }) => changed.has(name));
  const shownFirst = new Set([
    ...hasChanged.filter(isFailed),
    ...hasChanged,
    ...variants.filter(({ baseline }) => baseline),
    ...variants.filter(isFailed),
    ...orderedVariants(variants, { analysis, comparisons }).map(({ variant }) => variant),
  ]);
  return {
    kind,
    variants,
    prompts,
    seeds,
    rows,
    inputs: takesImage(kind) ? inputsOf(prompts, keptFact) : new Map(),
    strip,
    varies,
    shownFirst: behindTwins([...shownFirst]),
  };
}

function byMostChange(a: ComparedCells | null, b: ComparedCells | null): number {
  return a === null || b === null ? Number(a === null) - Number(b === null) : byChange(a, b);
}

/** The outputs on which a variant failed; null where outputs do not tell. */
function failedRow(failed: RuleResult, rows: readonly RankedRow[], analysis: Analysis): RankedRow | null {
  if (STABILITY_METRICS.has(failed.rule.metric))
    return rows.find(({ changed }) => changed.some(({ variant }) => variant === failed.variant)) ?? null;
  const cell = worstCell(failed, analysis);
  if (cell === null || firstOfEachOutput(cell).length === 0) return null;
  return rows.find(({ prompt, seed }) => prompt.id === cell.prompt && seed === cell.seed) ?? null;
}

/** Null where the contact sheet has no place for a cell: without any output, and of seeds that open load added. */
export function sheetAnchor(cell: Cell | null, { kinds, places }: Sheet): string | null {
  if (cell === null || kinds.every(({ strip }) => strip === null)) return null;
  const isThere = kinds.some(
    ({ kind, prompts, seeds }) =>
      kind === cell.kind && seeds.includes(cell.seed) && prompts.some(({ id }) => id === cell.prompt),
  );
  return isThere ? cellAnchor(places, cell) : null;
}

function inputsOf(prompts: readonly RunPrompt[], find: ReportSource['keptFact']): SheetKind['inputs'] {
  return new Map(
    prompts.flatMap((prompt) => {
      const known = prompt.media.map(({ role, sha256 }) => ({ role, fact: find(sha256) }));
      const of = (wanted: 'image' | 'mask') => known.flatMap(({ role, fact }) => (role === wanted ? fact : null) ?? []);
      const [image, ...others] = known[0]?.fact ? of('image') : [];
      return image === undefined ? [] : [[prompt.id, { image, others, mask: of('mask')[0] ?? null }] as const];
    }),
  );
}

/** Of each variant; of one that changed, what the stored baseline has comes first. */
function outputsAt(
  variants: readonly VariantSummary[],
  { prompt, seed }: PromptSeed,
  { places, changeOf }: Pick<Looks, 'places' | 'changeOf'>,
): readonly (readonly string[])[] {
  return variants.map(({ name }) => {
    const cell = places.cell(name, prompt.id, seed);
    if (cell === null) return [];
    const { stored } = changeOf(cell) ?? {};
    return [...(stored === undefined ? [] : [stored]), ...usualFirst(cell, { changeOf }).map(({ sha256 }) => sha256)];
  });
}

/** What the strip shows. */
function firstOutputsAt(
  { shownFirst, varies, rows }: Pick<SheetKind, 'shownFirst' | 'varies' | 'rows'>,
  place: PromptSeed,
  looks: Pick<Looks, 'places' | 'changeOf'>,
): readonly string[] {
  const hasStored = rows.some(({ changed }) => changed.length > 0);
  const each = varies ? MOST_REPEATS : hasStored ? 2 : 1;
  return outputsAt(shownFirst, place, looks).flatMap((outputs) => outputs.slice(0, each));
}

function inTurn<T>(lists: readonly (readonly T[])[]): readonly T[] {
  const longest = lists.reduce((most, { length }) => Math.max(most, length), 0);
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat();
}

function decodedOutputs(samples: readonly TimedSample[]): ReadonlyMap<string, EffectiveOutput> {
  const outputs = new Map<string, EffectiveOutput>();
  for (const { output } of samples) if (output?.width && output.height) outputs.set(output.sha256, output);
  return outputs;
}
