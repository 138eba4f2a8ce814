import { compareCodeUnits, groupBy } from '../kit/grouping.ts';
import { comparedWith, isTwin } from '../record/compared-variants.ts';
import type { RunPrompt } from '../record/run.ts';
import type { Load } from '../suite/load.ts';
import { type BlockComparison, compareBlocks } from './compare-blocks.ts';
import type { Comparison, Scope } from './comparison.ts';
import { isFlagged } from './effective-outcome.ts';
import { type EffectiveSample, headlineLatency, type TimedSample } from './effective-sample.ts';
import { type FloorEvidence, markBelowFloor } from './medians.ts';
import { isOfMarks, type Metric, type TakeReading } from './metric.ts';
import { hasNote, type Note, noted } from './note.ts';
import {
  adjustedByFamily,
  pairTakes,
  readBlocks,
  type TakePair,
  type UnitKind,
  unitKindOfReading,
} from './pair-units.ts';
import type { VariantSummary } from './summaries.ts';
import type { TakeIndex } from './take-index.ts';
import type { Better } from './unit.ts';

export interface CompareInput extends FloorEvidence {
  readonly variants: readonly VariantSummary[];
  readonly prompts: readonly RunPrompt[];
  readonly load: Load;
  readonly takes: TakeIndex;
  /** Variants whose latencies are not fit for use. */
  readonly unfitLatencies: ReadonlyMap<string, string>;
  /** The run of the stored baseline whose variants were sent again; null without one. */
  readonly baselineRun: string | null;
}

/** In the order of variants, then of metrics: over all blocks, then by tag and by prompt; in a sweep at each step. */
export function compareRun(input: CompareInput): readonly Comparison[] {
  const comparisons = sidesOf(input.variants).flatMap((sides) => {
    // All metrics are read from the same pairs.
    const of = (counts: (take: TimedSample) => boolean) => {
      const takesOfSide = (variant: VariantSummary) => input.takes.ofVariant(variant.name).filter(counts);
      return pairsByStep(takesOfSide(sides.baseline), takesOfSide(sides.candidate));
    };
    const pairs = { all: of(() => true), timed: of(({ timed }) => timed) };
    return input.metrics.flatMap((metric) =>
      (metric.takes ?? []).flatMap((reading) =>
        (metric.whenCached === 'first_takes' ? pairs.timed : pairs.all).flatMap(([step, takePairs]) =>
          compareScopes(input, { ...sides, metric, step }, reading, takePairs),
        ),
      ),
    );
  });
  return markBelowFloor(adjustedByFamily(comparisons), input);
}

type Sides = Pick<ComparedSubject, 'candidate' | 'baseline'>;

function sidesOf(variants: readonly VariantSummary[]): readonly Sides[] {
  return variants.flatMap((candidate) =>
    comparedWith(candidate, variants).map((baseline): Sides => ({ candidate, baseline })),
  );
}

interface ComparedSubject {
  readonly candidate: VariantSummary;
  readonly baseline: VariantSummary;
  readonly metric: Metric;
  readonly step: number | null;
}

type Takes = readonly EffectiveSample[];

function pairsByStep(baseline: Takes, candidate: Takes): readonly (readonly [number | null, readonly TakePair[]])[] {
  const stepOf = ({ sample }: EffectiveSample) => sample.trial.step ?? null;
  const [a, b] = [groupBy(baseline, stepOf), groupBy(candidate, stepOf)];
  return [...new Set([...a.keys(), ...b.keys()])]
    .sort((one, other) => (one ?? 0) - (other ?? 0))
    .map((step) => [step, pairTakes(a.get(step) ?? [], b.get(step) ?? [], isFlagged)] as const);
}

/** Over all blocks; rates, scores and the headline latency also by tag and by prompt. */
function compareScopes(
  { load, prompts, baselineRun, unfitLatencies }: CompareInput,
  subject: ComparedSubject,
  reading: TakeReading,
  pairs: readonly TakePair[],
): readonly Comparison[] {
  const units = unitKindOfReading(reading, load);
  const storedIn = isTwin(subject.baseline) ? baselineRun : null;
  const isUnfit =
    isOfMarks(subject.metric) && [subject.candidate, subject.baseline].some(({ name }) => unfitLatencies.has(name));
  const compared = comparer({ ...subject, baselineRun: storedIn, isUnfit }, reading, load, pairs);
  const asked = prompts.filter(({ kinds }) => kinds.includes(subject.candidate.kind));
  const all = compared({ of: units }, units, null);
  if (all === null) return [];
  if (asked.length < 2) return [all];
  const detailed =
    reading.effect === 'rate' || reading.centre !== undefined || subject.metric.name === headlineLatency(load);
  const places = detailed ? placesOf(asked) : [];
  return [all, ...places.map(({ scope, among }) => compared(scope, units, among))].filter(
    (comparison) => comparison !== null,
  );
}

/** Tags by code units, then prompts as declared. */
function placesOf(
  prompts: readonly RunPrompt[],
): readonly { readonly scope: Scope; readonly among: ReadonlySet<string> }[] {
  const tags = [...new Set(prompts.flatMap((prompt) => prompt.tags))].sort(compareCodeUnits);
  return [
    ...tags.map((tag) => ({
      scope: { of: 'tag', tag } as const,
      among: new Set(prompts.filter((prompt) => prompt.tags.includes(tag)).map(({ id }) => id)),
    })),
    ...prompts.map(({ id }) => ({ scope: { of: 'prompt', id } as const, among: new Set([id]) })),
  ];
}

/** Compares the blocks of some prompts (null: all); null if neither side has a value. */
function comparer(
  {
    candidate,
    baseline: other,
    baselineRun,
    metric,
    step,
    isUnfit,
  }: ComparedSubject & Pick<Comparison, 'baselineRun'> & { readonly isUnfit: boolean },
  reading: TakeReading,
  load: Load,
  pairs: readonly TakePair[],
): (scope: Scope, units: UnitKind, among: ReadonlySet<string> | null) => Comparison | null {
  const { unit, better } = { ...metric, ...metric.statistics?.[reading.statistic] };
  const compare = blockComparer(reading, better, pairs);
  const orderNotes = reading.outputUnits === undefined ? notesOfOrder(load) : [];
  const isHeadline = metric.name === headlineLatency(load);
  return (scope, units, among) => {
    const comparison = compare(units, among);
    if (comparison === null) return null;
    const unfitNotes = isUnfit && comparison.value !== null ? [noted('unfit_machine')] : [];
    // What reports show first: headline latency, and scores, over all blocks.
    const isCounted = among === null && (isHeadline || reading.centre !== undefined);
    const isDrift = units === 'rounds' && step === null && hasNote(orderNotes, 'sequential');
    return {
      variant: candidate.name,
      baseline: other.name,
      baselineRun,
      kind: candidate.kind,
      scope,
      step,
      metric: metric.name,
      statistic: reading.statistic,
      unit: comparison.effect === 'ratio' ? '1' : unit,
      better,
      ...comparison,
      ...(isDrift ? NOT_COMPARED : {}),
      unitValues: isCounted && !isDrift ? comparison.unitValues : [],
      pAdjusted: null,
      family: 1,
      notes: isDrift ? orderNotes : [...comparison.notes, ...orderNotes, ...unfitNotes],
    };
  };
}

/** Variants in one slice each are not compared: drift would look like a difference, and no repeat shows its size. */
const NOT_COMPARED = {
  value: null,
  ciLow: null,
  ciHigh: null,
  ciLevel: null,
  p: null,
  valueUnflagged: null,
  finding: 'too_few',
} as const;

type CompareSome = (units: UnitKind, among: ReadonlySet<string> | null) => BlockComparison | null;

function blockComparer(reading: TakeReading, better: Better, pairs: readonly TakePair[]): CompareSome {
  const { effect, centre } = reading;
  const blocks = readBlocks(pairs, reading);
  return (kind, among) => {
    const some = among === null ? blocks : blocks.filter(({ prompt }) => among.has(prompt));
    const answered = some.some(({ baseline, candidate }) => baseline !== null || candidate !== null);
    return answered ? compareBlocks(some, { effect, centre, kind, better }) : null;
  };
}

function notesOfOrder(load: Load): readonly Note[] {
  if (load.mode === 'open' || load.order === 'sequential') return [noted('sequential')];
  return load.order === 'mixed' ? [noted('contended')] : [];
}
