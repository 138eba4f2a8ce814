import type { Analysis } from '../analysis/analysis.ts';
import type { CellLikeness, ComparedCells } from '../analysis/output-summaries.ts';
import type { VariantSummary } from '../analysis/summaries.ts';
import { groupBy } from '../kit/grouping.ts';
import { type OutputNoun, outputNoun, pictureOf } from '../kit/names.ts';
import { valueWords } from '../kit/value-words.ts';
import { count, listed, plural } from '../kit/wording.ts';
import { cellOf } from '../plan/plan.ts';
import { baselineOf } from '../record/compared-variants.ts';
import { compareChange, likenessWords, UNLIKENESS_WORDS } from './level-words.ts';
import { measuresOf, ownVariants } from './statement.ts';

/** How like a variant's outputs are to those of what it is compared with, counted by word. It says nothing of quality. */
export interface LikenessTally {
  readonly variant: string;
  readonly baseline: string;
  /** Pairs of a prompt and seed that have a word. */
  readonly compared: number;
  readonly similar: number;
  readonly changed: number;
  readonly another: number;
  /** Pairs without a word, by what kept them from it, the most frequent first. */
  readonly unknown: readonly { readonly why: Unlikeness; readonly pairs: number }[];
  readonly noun: OutputNoun;
  readonly pairs: readonly CellLikeness[];
}

type Unlikeness = Extract<CellLikeness, { readonly word: 'unknown' }>['why'];
type AnalysedLikeness = Pick<Analysis, 'likeness' | 'cells' | 'variants'>;

/** Every sentence, table and picture asks for it. */
const known = new WeakMap<
  Analysis['likeness'],
  { readonly cells: Analysis['cells']; readonly tallies: ReadonlyMap<string, LikenessTally> }
>();

function talliesOf({ likeness, cells }: AnalysedLikeness): ReadonlyMap<string, LikenessTally> {
  const before = known.get(likeness);
  if (before?.cells === cells) return before.tallies;
  const mimes = new Map(cells.flatMap(({ variant, takes }) => takes.map(({ mime }) => [variant, mime] as const)));
  const unsent = new Set(cells.filter(({ takes }) => takes.length === 0).map(cellOf));
  // What was never sent is said of the run, and is no pair.
  const sent = likeness.filter(
    (pair) =>
      pair.word !== 'unknown' || !(unsent.has(cellOf(pair)) || unsent.has(cellOf({ ...pair, variant: pair.baseline }))),
  );
  const tallies = new Map(
    [...groupBy(sent, ({ variant, baseline }) => keyOf(variant, baseline))].map(
      ([key, pairs]) => [key, tallyOf(pairs[0], pairs, mimes.get(pairs[0].variant) ?? null)] as const,
    ),
  );
  known.set(likeness, { cells, tallies });
  return tallies;
}

function keyOf(variant: string, baseline: string): string {
  return JSON.stringify([variant, baseline]);
}

function tallyOf(
  { variant, baseline, kind }: CellLikeness,
  pairs: readonly CellLikeness[],
  mime: string | null,
): LikenessTally {
  const compared = pairs.filter(isComparedPair);
  const of = (wanted: ComparedCells['word']) => compared.filter(({ word }) => word === wanted).length;
  const whys = pairs.flatMap((pair) => (pair.word === 'unknown' ? [pair.why] : []));
  const noun = outputNoun(kind);
  const moves = compared.some(({ difference }) => (difference?.frames ?? 1) > 1);
  const isAnimation = noun === 'video' ? mime?.startsWith('image/') === true : moves;
  return {
    variant,
    baseline,
    compared: compared.length,
    similar: of('similar'),
    changed: of('changed'),
    another: of('another'),
    unknown: [...groupBy(whys, (why) => why)]
      .map(([why, { length }]) => ({ why, pairs: length }))
      .toSorted((a, b) => b.pairs - a.pairs),
    noun: isAnimation ? 'animation' : noun,
    pairs,
  };
}

/** Of several variants as if of one, in the words of the first; null of none. */
export function jointTally(tallies: readonly LikenessTally[]): LikenessTally | null {
  const [first] = tallies;
  const pairs = tallies.flatMap((tally) => tally.pairs);
  const [pair] = pairs;
  return first === undefined || pair === undefined ? null : { ...tallyOf(pair, pairs, null), noun: first.noun };
}

export function isComparedPair(pair: CellLikeness): pair is ComparedCells {
  return pair.word !== 'unknown';
}

/** With the baseline variant of its kind; null for that variant, and where there is none. */
export function likenessToBaseline(
  variant: Pick<VariantSummary, 'name' | 'kind'>,
  analysis: AnalysedLikeness,
): LikenessTally | null {
  const baseline = baselineOf(variant, analysis.variants);
  return baseline === null ? null : likenessTo(baseline.name, variant, analysis);
}

/** @param baseline any variant, such as the twin of a stored baseline; null where the two were not compared */
export function likenessTo(
  baseline: string,
  { name }: Pick<VariantSummary, 'name'>,
  analysis: AnalysedLikeness,
): LikenessTally | null {
  return talliesOf(analysis).get(keyOf(name, baseline)) ?? null;
}

/** Whether nothing can be said of likeness since repeats differ: the service gives another picture each time. */
export function isUntellable({ compared, unknown }: Pick<LikenessTally, 'compared' | 'unknown'>): boolean {
  return compared === 0 && (unknown[0]?.why === 'baseline_varies' || unknown[0]?.why === 'candidate_varies');
}

/**
 * A clause, for a sentence about the variant: `12 of 12 images stay visually similar`, `none of 12 images stays similar:
 * 11 changed, 1 shows another picture`. All images are in it. It says what changed, never which is better.
 */
export function likenessClause(tally: LikenessTally): string {
  const { compared, similar, changed, another, noun } = tally;
  if (compared === 0) return unlikenessClause(tally);
  const unknown = tally.unknown.length === 0 ? '' : `, ${unknownWords(tally)}`;
  const of = `of ${plural(compared, noun)}`;
  const others = [
    ...(changed === 0 ? [] : [`${count(changed)} changed`]),
    ...(another === 0 ? [] : [`${count(another)} ${another === 1 ? 'shows' : 'show'} another ${pictureOf(noun)}`]),
  ];
  // An edit that stays similar might be read as one that leaves its input as it is.
  const [stays, stay, alike] =
    noun === 'edit' ? ['is', 'are', `similar to ${tally.baseline}'s`] : ['stays', 'stay', 'visually similar'];
  if (similar > 0) {
    const some = `${count(similar)} ${of} ${similar === 1 ? stays : stay} ${alike}`;
    return `${[some, ...others].join(', ')}${unknown}`;
  }
  return `none ${of} ${stays} ${noun === 'edit' ? alike : 'similar'}${another === 0 ? '' : `: ${others.join(', ')}`}${unknown}`;
}

/** Where nothing has a likeness. */
function unlikenessClause({ variant, baseline, noun, unknown }: LikenessTally): string {
  const whys = unknown.map(({ why }) => why);
  const isAll = (why: Unlikeness) => whys.length === 1 && whys.includes(why);
  const varies = `gives another ${pictureOf(noun)} each time, so what`;
  if (isAll('baseline_varies')) return `${baseline} ${varies} ${variant} changed cannot be told`;
  if (isAll('candidate_varies')) return `${variant} ${varies} it changed cannot be told`;
  return `${noun}s not compared with those of ${baseline}: ${reasons({ unknown })}`;
}

/** `2 not compared: the baseline delivered nothing`. */
function unknownWords(tally: Pick<LikenessTally, 'unknown'>): string {
  const pairs = tally.unknown.reduce((sum, reason) => sum + reason.pairs, 0);
  return `${count(pairs)} not compared: ${reasons(tally)}`;
}

/** The count of each where there are several. */
function reasons({ unknown }: Pick<LikenessTally, 'unknown'>): string {
  return unknown
    .map(({ why, pairs }) => `${UNLIKENESS_WORDS[why]}${unknown.length === 1 ? '' : ` (${count(pairs)})`}`)
    .join(', ');
}

/** The most changed first. */
export function byChange(a: ComparedCells, b: ComparedCells): number {
  return compareChange({ word: a.word, ssim: ssimOf(a) }, { word: b.word, ssim: ssimOf(b) });
}

/** 1 where pixels are equal, of a video that of its worst frames; null where sizes differ. */
export function ssimOf({ difference }: Pick<ComparedCells, 'difference'>): number | null {
  return difference === null ? 1 : (difference.ssim?.p5 ?? null);
}

/** How many pairs of all variants have no likeness, and why; null where each has one. */
export function unknownLikeness(analysis: AnalysedLikeness): string | null {
  const tallies = analysis.variants.flatMap((variant) => likenessToBaseline(variant, analysis) ?? []);
  const all = tallies.reduce((sum, { pairs }) => sum + pairs.length, 0);
  const unknown = all - tallies.reduce((sum, { compared }) => sum + compared, 0);
  if (unknown === 0) return null;
  const whys = groupBy(
    tallies.flatMap((tally) => tally.unknown),
    ({ why }) => why,
  );
  const reasons = [...whys].map(
    ([why, alike]) =>
      `${UNLIKENESS_WORDS[why]}${whys.size === 1 ? '' : ` (${count(alike.reduce((sum, { pairs }) => sum + pairs, 0))})`}`,
  );
  return `Not compared for likeness: ${count(unknown)} of ${plural(all, 'pair')} (${listed(reasons)})`;
}

/** Of all variants against the baseline variant of their kind; null where nothing differs from it. */
export function mostChangedSentence(analysis: AnalysedLikeness): string | null {
  const pairs = analysis.variants.flatMap(
    (variant) => likenessToBaseline(variant, analysis)?.pairs.filter(isComparedPair) ?? [],
  );
  const [most] = pairs.toSorted(byChange);
  if (most === undefined || most.difference === null) return null;
  return `Most changed: ${most.variant}, ${most.prompt}, seed ${most.seed} (${likenessWords(most)})`;
}

/** What a paper or a summary says of the column. */
export const SIMILAR_MEANS =
  'Similar: outputs that are visually similar to those of the baseline variant for the same prompt and seed, not better or worse';

/** Whether all edits changed their input (a warning says where not), and what they changed outside the mask. */
export function editSentences(
  analysis: Pick<Analysis, 'variants' | 'measures'>,
  variants = ownVariants(analysis),
): readonly string[] {
  const measures = measuresOf(analysis);
  const told = <T>(read: (variant: string) => T | null) =>
    variants.flatMap(({ name }) => {
      const measured = read(name);
      return measured === null ? [] : [{ variant: name, ...measured }];
    });
  const edited = told((name) => measures(name, 'edit.unchanged', 'rate'));
  const masked = told((name) => {
    const [p50, most] = [measures(name, 'edit.outside', 'p50'), measures(name, 'edit.outside', 'max')];
    return most === null ? null : { n: most.n, p50: p50?.value ?? null, most: most.value ?? 0 };
  });
  const edits = (of: readonly { readonly n: number }[]) => of.reduce((sum, { n }) => sum + n, 0);
  const leaking = masked.filter(({ most }) => most > 0);
  return [
    ...(edited.length > 0 && edited.every(({ value }) => value === 0)
      ? [`All ${plural(edits(edited), 'edit')} changed their input`]
      : []),
    ...leaking.map(({ variant, p50, most, n }) => {
      const usual = p50 === null ? '' : `by ${valueWords(p50, 'levels')} of 255 in the median, `;
      return `${variant} changed what lies outside the mask: ${usual}by at most ${valueWords(most, 'levels')} of 255 (${plural(n, 'edit')})`;
    }),
    ...(leaking.length === 0 ? [] : masked.filter(({ most }) => most === 0)).map(
      ({ variant, n }) => `${variant} changed nothing outside the mask (${plural(n, 'edit')})`,
    ),
    ...(masked.length > 0 && leaking.length === 0
      ? [`None of ${plural(edits(masked), 'edit')} with a mask changed anything outside it`]
      : []),
  ];
}
