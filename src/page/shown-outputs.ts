import type { Analysis } from '../analysis/analysis.ts';
import type { EffectiveOutput, TimedSample } from '../analysis/effective-sample.ts';
import type { CellLikeness, ComparedCells } from '../analysis/output-summaries.ts';
import type { Cell, Take, VariantSummary } from '../analysis/summaries.ts';
import type { DurationUnit } from '../kit/wording.ts';
import { extensionOf } from '../media/header.ts';
import { cellOf } from '../plan/plan.ts';
import { baselineOf, behindTwins, twinOf } from '../record/compared-variants.ts';
import type { ShownFirst } from '../record/kept-run.ts';
import { mediaName } from '../record/output-files.ts';
import type { RunPrompt } from '../record/run.ts';
import { byChange, isComparedPair, likenessToBaseline } from '../report/likeness-statement.ts';
import type { InputImageFact, ReportSource } from '../report/reporter.ts';
import { byKind, latencyUnits } from '../report/statement.ts';
import { orderedVariants } from '../report/variant-order.ts';
import { type Kind, takesImage } from '../suite/kind.ts';
import { cellAnchor, cellsByPlace, type FailedTakes, failedTakes, type Places } from './markup/section.ts';
import { Images } from './sections/images/embedded-images.ts';

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
  /** All prompts and seeds, the most changed first; what was not compared comes last, in the order of the suite. */
  readonly rows: readonly RankedRow[];
  readonly strip: PromptSeed | null;
  /** The variants in the order of the first images: the baseline variant, then the others; of many the fastest. */
  readonly shownFirst: readonly VariantSummary[];
}

export interface PromptInputs {
  readonly image: InputImageFact;
  /** Its further images. */
  readonly others: readonly InputImageFact[];
  readonly mask: InputImageFact | null;
}

export interface PromptSeed {
  readonly prompt: RunPrompt;
  readonly seed: number;
}

export interface RankedRow extends PromptSeed {
  /** Of the variants, what changed most; null where nothing was compared. */
  readonly most: ComparedCells | null;
}

export type DeliveredTake = Take & { readonly sha256: string };

/** The baseline variant and three others; further variants of a kind are folded below. */
export const MOST_AT_SIGHT = 4;

export function sheetOf(source: ReportSource): Sheet {
  const { analysis, samples } = source;
  const places = cellsByPlace(analysis);
  const likenessOf = likenessByCell(analysis);
  const kinds = byKind(analysis.variants).map(([kind, variants]) =>
    kindOf(kind, variants, source, { places, likenessOf }),
  );
  const inputAt = ({ inputs }: SheetKind, { id }: RunPrompt) => [inputs.get(id)?.image.sha256 ?? []].flat();
  const strips = kinds.flatMap((kind) =>
    kind.strip === null
      ? []
      : [{ input: inputAt(kind, kind.strip.prompt), outputs: firstOutputsAt(kind.shownFirst, kind.strip, places) }],
  );
  const groups = kinds.map((kind) =>
    kind.prompts.flatMap((prompt) =>
      kind.seeds.map((seed) => [
        ...inputAt(kind, prompt),
        ...outputsAt(kind.variants, { prompt, seed }, places).flat(),
      ]),
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
    places,
    images,
    outputs: decodedOutputs(samples),
    failed: failedTakes(source),
    originalOf: originals(source),
    gone: new Set(),
    kinds,
    layers: layersOf(kinds, images),
    unitOf: latencyUnits(analysis),
    likenessOf,
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

/** Strip of the first kind that has one; null where nothing was delivered. */
export function outputsShownFirst({
  analysis,
  comparisons,
}: Pick<ReportSource, 'analysis' | 'comparisons'>): ShownFirst | null {
  const [places, likenessOf] = [cellsByPlace(analysis), likenessByCell(analysis)];
  const source = { analysis, comparisons, input: () => null };
  for (const [kind, variants] of byKind(analysis.variants)) {
    const { strip, shownFirst } = kindOf(kind, variants, source, { places, likenessOf });
    if (strip === null) continue;
    const shown = shownFirst.slice(0, MOST_AT_SIGHT);
    const outputs = outputsAt(shown, strip, places).flatMap(([sha256], at) => {
      const variant = shown[at];
      if (sha256 === undefined || variant === undefined) return [];
      const { similar, compared } = likenessToBaseline(variant, analysis) ?? { similar: 0, compared: 0 };
      return [{ variant: variant.name, baseline: variant.baseline, sha256, similar, compared }];
    });
    return { kind, prompt: strip.prompt.id, seed: strip.seed, outputs };
  }
  return null;
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
  { analysis, comparisons, input }: Pick<ReportSource, 'analysis' | 'comparisons' | 'input'>,
  { places, likenessOf }: Pick<Sheet, 'places' | 'likenessOf'>,
): SheetKind {
  const { seeds } = analysis.run.plan;
  const planned = analysis.prompts.filter(({ kinds }) => kinds.includes(kind));
  const rows = planned
    .flatMap((prompt) =>
      seeds.map((seed): RankedRow => {
        const cells = variants.flatMap(({ name }) => places.cell(name, prompt.id, seed) ?? []);
        const pairs = cells.flatMap((cell) => likenessOf(cell) ?? []).filter(isComparedPair);
        return { prompt, seed, most: pairs.toSorted(byChange)[0] ?? null };
      }),
    )
    .toSorted(({ most: a }, { most: b }) =>
      a === null || b === null ? Number(a === null) - Number(b === null) : byChange(a, b),
    );
  const prompts = rows.length === 0 ? planned : [...new Set(rows.map(({ prompt }) => prompt))];
  const delivers = (place: PromptSeed) => outputsAt(variants, place, places).filter(({ length }) => length > 0).length;
  const strip = rows.find((row) => delivers(row) === variants.length) ?? rows.find((row) => delivers(row) > 0) ?? null;
  return {
    kind,
    variants,
    prompts,
    seeds,
    rows,
    inputs: takesImage(kind) ? inputsOf(prompts, input) : new Map(),
    strip,
    shownFirst: behindTwins([
      ...variants.filter(({ baseline }) => baseline),
      ...orderedVariants(variants, { analysis, comparisons }).map(({ variant }) => variant),
    ]),
  };
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

function inputsOf(prompts: readonly RunPrompt[], find: ReportSource['input']): SheetKind['inputs'] {
  return new Map(
    prompts.flatMap((prompt) => {
      const known = prompt.media.map(({ role, sha256 }) => ({ role, fact: find(sha256) }));
      const of = (wanted: 'image' | 'mask') => known.flatMap(({ role, fact }) => (role === wanted ? fact : null) ?? []);
      const [image, ...others] = known[0]?.fact ? of('image') : [];
      return image === undefined ? [] : [[prompt.id, { image, others, mask: of('mask')[0] ?? null }] as const];
    }),
  );
}

function outputsAt(
  variants: readonly VariantSummary[],
  { prompt, seed }: PromptSeed,
  places: Places,
): readonly (readonly string[])[] {
  return variants.map(({ name }) => {
    const cell = places.cell(name, prompt.id, seed);
    return cell === null ? [] : firstOfEachOutput(cell).map(({ sha256 }) => sha256);
  });
}

/** The first output of each variant that delivered one. */
export function firstOutputsAt(
  variants: readonly VariantSummary[],
  place: PromptSeed,
  places: Places,
): readonly string[] {
  return outputsAt(variants, place, places).flatMap((outputs) => outputs.slice(0, 1));
}

function inTurn<T>(lists: readonly (readonly T[])[]): readonly T[] {
  const longest = lists.reduce((most, { length }) => Math.max(most, length), 0);
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat();
}

/** The first take of each distinct output, in the order of takes. */
export function firstOfEachOutput(cell: Cell): readonly DeliveredTake[] {
  const known = new Set<string>();
  return [...cell.takes]
    .sort((a, b) => (a.step ?? 0) - (b.step ?? 0) || a.repeat - b.repeat)
    .filter((take): take is DeliveredTake => {
      if (take.sha256 === null || take.outcome !== 'ok' || known.has(take.sha256)) return false;
      known.add(take.sha256);
      return true;
    });
}

function decodedOutputs(samples: readonly TimedSample[]): ReadonlyMap<string, EffectiveOutput> {
  const outputs = new Map<string, EffectiveOutput>();
  for (const { output } of samples) if (output?.width && output.height) outputs.set(output.sha256, output);
  return outputs;
}
