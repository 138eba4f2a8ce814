import { groupBy } from '../kit/grouping.ts';
import { caseSeedOf, cellOf, isMeasured } from '../plan/plan.ts';
import { type ComparableVariant, comparedWith } from '../record/compared-variants.ts';
import type { Fact, OutputFact, OutsideFact } from '../record/fact.ts';
import type { Sample } from '../record/journal.ts';
import type { BaselineCell, StoredRun } from '../record/kept-run.ts';
import {
  byTake,
  editInputsIn,
  factsByDigest,
  orderedPair,
  outputGroupsOf,
  probePairs,
  type ShownImages,
  shownImages,
  twoSeeds,
} from '../record/output-pairs.ts';
import type { Run } from '../record/run.ts';

export interface ExaminedRun extends Pick<StoredRun, 'samples' | 'facts'> {
  readonly run: { readonly variants: readonly ComparableVariant[]; readonly prompts?: Run['prompts'] };
}

/** Digests in ascending order. */
export type OutputPair = readonly [a: string, b: string];

/** If a cell has more distinct outputs, the first are compared with each other: 276 pairs. */
const MOST_DISTINCT = 24;

/**
 * The pairs to compare, each once: distinct images of a variant for one prompt and seed, pairs of probes, the usual
 * outputs of compared variants in each cell, and edits with their first input image. Leaves out undecodable outputs,
 * equal pixels, and compared pairs. Pairs of one output are adjacent, so that it is decoded once.
 */
export function pairsOf({ run, samples, facts }: ExaminedRun): readonly OutputPair[] {
  const shown = shownImages(facts);
  const usual = usualDigests(samples, facts);
  const usualPairs = [...variantPairs(run.variants, usual), ...seedPairs(run.variants, usual)];
  const groups = groupBy(usualPairs, ([usualOne]) => usualOne);
  const edits = editsOf({ run, samples }).map(({ image, output }) => [image, output] as const);
  const wanted = [...takePairs(samples, shown.imageOf), ...probePairs(samples), ...[...groups.values()].flat()];
  return uncompared([...wanted, ...edits], facts, shown);
}

/** Digests of an edit with a mask. */
export type MaskedEdit = Pick<OutsideFact, 'input' | 'mask' | 'output'>;

/** Edits with a mask that are not yet measured outside it: one for all outputs with equal pixels, if all decode. */
export function unmeasuredEdits({ run, samples, facts }: ExaminedRun): readonly MaskedEdit[] {
  const { imageOf } = shownImages(facts);
  const keyOf = ({ input, mask, output }: MaskedEdit) => [input, mask, imageOf(output)].join(' ');
  const known = new Set(facts.flatMap((fact) => (fact.fact === 'outside' ? [keyOf(fact)] : [])));
  return editsOf({ run, samples }).flatMap(({ image: input, mask, output }): readonly MaskedEdit[] => {
    if (mask === null || [input, mask, output].some((sha256) => imageOf(sha256) === null)) return [];
    const edit = { input, mask, output };
    return known.size === known.add(keyOf(edit)).size ? [] : [edit];
  });
}

function editsOf({ run: { variants, prompts = [] }, samples }: Omit<ExaminedRun, 'facts'>) {
  const inputsOf = editInputsIn({ variants, prompts });
  return samples.flatMap((sample) => {
    const inputs = sample.outcome === 'ok' ? inputsOf(sample.trial) : null;
    return sample.outcome === 'ok' && inputs !== null ? [{ ...inputs, output: sample.outputs[0].sha256 }] : [];
  });
}

/** The pairs within one prompt and seed, from its samples and facts, without those of probes. */
export function pairsWithin({ run, samples, facts }: ExaminedRun): readonly OutputPair[] {
  const shown = shownImages(facts);
  const variants = variantPairs(run.variants, usualDigests(samples, facts));
  return uncompared([...takePairs(samples, shown.imageOf), ...variants], facts, shown);
}

/**
 * The pairs that tell whether a run still gives the outputs of a stored baseline: in each common cell the baseline's
 * most frequent output with its other ones and with the run's, as a stable cell must match it. `facts`: of the run and
 * of the baseline's outputs.
 */
export function baselinePairs(
  samples: readonly Sample[],
  cells: readonly BaselineCell[],
  facts: readonly Fact[],
): readonly OutputPair[] {
  const delivered = groupBy(measuredOutputs(samples), ({ trial }) => cellOf(trial));
  const pairs = cells.flatMap((cell): readonly OutputPair[] => {
    const [usual, ...others] = cell.outputs.slice(0, MOST_DISTINCT).map(({ sha256 }) => sha256);
    const takes = delivered.get(cellOf(cell));
    if (usual === undefined || takes === undefined) return [];
    const now = [...new Set(takes.map(({ sha256 }) => sha256))].slice(0, MOST_DISTINCT);
    return [...others, ...now].map((other) => [usual, other]);
  });
  return uncompared(pairs, facts);
}

/** Digests of a stored baseline's outputs to compare with the run's cells. */
export function baselineOutputs(samples: readonly Sample[], cells: readonly BaselineCell[]): ReadonlySet<string> {
  const measured = new Set(samples.flatMap(({ trial }) => (isMeasured(trial) ? [cellOf(trial)] : [])));
  return new Set(
    cells.flatMap((cell) =>
      measured.has(cellOf(cell)) ? cell.outputs.slice(0, MOST_DISTINCT).map(({ sha256 }) => sha256) : [],
    ),
  );
}

/**
 * Of each cell whose usual output has other pixels than the one that the stored baseline always gave: that of the
 * baseline, then its own.
 */
export function changedPairs(
  samples: readonly Sample[],
  cells: readonly BaselineCell[],
  facts: readonly Fact[],
): readonly (readonly [stored: string, now: string])[] {
  const { imageOf } = shownImages(facts);
  const usual = usualDigests(samples, facts);
  return cells.flatMap(({ variant, prompt, seed, outputs: [stored, ...others] }) => {
    const now = usual.get(variant)?.get(caseSeedOf({ prompt, seed }))?.sha256;
    if (stored === undefined || now === undefined || now === stored.sha256) return [];
    const isStable = others.every(({ pixelSha256 }) => pixelSha256 !== null && pixelSha256 === stored.pixelSha256);
    return isStable && imageOf(now) !== stored.pixelSha256 ? [[stored.sha256, now] as const] : [];
  });
}

/** Number of outputs without a fact or with a missing or broken decoder, and of pairs and edits not yet measured. */
export function unexamined({ run, samples, facts }: ExaminedRun): number {
  const known = factsByDigest(facts);
  const outputs = new Set(
    samples.flatMap((sample) => ('outputs' in sample ? sample.outputs.map(({ sha256 }) => sha256) : [])),
  );
  const open = [...outputs].filter((sha256) => !isFinal(known.get(sha256)));
  const record = { run, samples, facts };
  return open.length + pairsOf(record).length + unmeasuredEdits(record).length;
}

/** Whether no version of a package decodes it; otherwise decoding is tried again once the package is installed. */
function isFinal(fact: OutputFact | undefined): boolean {
  if (fact === undefined) return false;
  return fact.decodes !== null || !(fact.reason.code === 'package_missing' || fact.reason.code === 'package_broken');
}

/** Pairs that both decode, with different pixels and no fact about them. */
export function uncompared(
  pairs: readonly (readonly [string, string])[],
  facts: readonly Fact[],
  { imageOf, pairOf }: ShownImages = shownImages(facts),
): readonly OutputPair[] {
  const known = new Set(facts.flatMap((fact) => (fact.fact === 'pair' ? [pairOf(fact.a, fact.b)] : [])));
  return pairs.flatMap(([one, other]): readonly OutputPair[] => {
    const [first, second] = [imageOf(one), imageOf(other)];
    const key = pairOf(one, other);
    if (first === null || second === null || first === second || known.has(key)) return [];
    known.add(key);
    return [orderedPair(one, other)];
  });
}

/** Tells whether a pair compares two variants: only such pairs have a heat map. */
export function isOfVariants({ run, samples, facts }: ExaminedRun): (pair: OutputPair) => boolean {
  const { pairOf } = shownImages(facts);
  const known = new Set<string>();
  for (const [one, other] of variantPairs(run.variants, usualDigests(samples, facts))) known.add(pairOf(one, other));
  return ([a, b]) => known.has(pairOf(a, b));
}

type UsualDigests = ReadonlyMap<string, ReadonlyMap<string, UsualDigest>>;

/** One pair per cell: the usual output of the variant compared with, then that of the variant. */
function* variantPairs(
  variants: readonly ComparableVariant[],
  usual: UsualDigests,
): Generator<readonly [string, string]> {
  for (const variant of variants) {
    for (const { name } of comparedWith(variant, variants)) {
      for (const { prompt, seed, sha256 } of usual.get(variant.name)?.values() ?? []) {
        const other = usual.get(name)?.get(caseSeedOf({ prompt, seed }));
        if (other !== undefined) yield [other.sha256, sha256];
      }
    }
  }
}

/** One pair per prompt, of two seeds, of each variant that others are compared with. */
function* seedPairs(variants: readonly ComparableVariant[], usual: UsualDigests): Generator<readonly [string, string]> {
  for (const name of new Set(
    variants.flatMap((variant) => comparedWith(variant, variants).map((other) => other.name)),
  )) {
    const prompts = twoSeeds([...(usual.get(name)?.values() ?? [])]);
    for (const [one, other] of prompts.values()) yield [one.sha256, other.sha256];
  }
}

interface UsualDigest extends Pick<Sample['trial'], 'prompt' | 'seed'> {
  readonly sha256: string;
}

/** By variant, then by prompt and seed. Leaves out blank and undecodable outputs. */
function usualDigests(samples: readonly Sample[], facts: readonly Fact[]): UsualDigests {
  const useless = new Set(
    facts.flatMap((fact) =>
      fact.fact === 'output' && (fact.decodes === false || (fact.decodes === true && fact.shown.blank))
        ? [fact.sha256]
        : [],
    ),
  );
  const usual = new Map<string, Map<string, UsualDigest>>();
  const outputs = measuredOutputs(samples.toSorted((a, b) => byTake(a.trial, b.trial)));
  for (const takes of groupBy(
    outputs.filter(({ sha256 }) => !useless.has(sha256)),
    ({ trial }) => cellOf(trial),
  ).values()) {
    const [{ trial }] = takes;
    const { variant, prompt, seed } = trial;
    const digests = takes.map(({ sha256 }) => sha256);
    const [first] = outputGroupsOf(digests);
    if (first === undefined) continue;
    const byCaseSeed = usual.get(variant) ?? new Map<string, UsualDigest>();
    usual.set(variant, byCaseSeed.set(caseSeedOf(trial), { prompt, seed, sha256: first.sha256 }));
  }
  return usual;
}

function* takePairs(samples: readonly Sample[], imageOf: ShownImages['imageOf']): Generator<readonly [string, string]> {
  for (const takes of groupBy(measuredOutputs(samples), ({ trial }) => cellOf(trial)).values()) {
    const byImage = new Map<string, string>();
    for (const { sha256 } of takes) {
      const image = imageOf(sha256);
      if (image !== null && byImage.size < MOST_DISTINCT && !byImage.has(image)) byImage.set(image, sha256);
    }
    const outputs = [...byImage.values()];
    for (const [at, one] of outputs.entries()) for (const other of outputs.slice(at + 1)) yield [one, other];
  }
}

/** The first outputs of measured takes that came. */
function measuredOutputs(samples: readonly Sample[]): readonly (Pick<Sample, 'trial'> & { readonly sha256: string })[] {
  return samples.flatMap((sample) =>
    sample.outcome === 'ok' && isMeasured(sample.trial)
      ? [{ trial: sample.trial, sha256: sample.outputs[0].sha256 }]
      : [],
  );
}
