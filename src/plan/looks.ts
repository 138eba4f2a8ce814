import type { Random } from '../statistics/random.ts';
import type { Load } from '../suite/load.ts';
import type { CellTrials, KindTrials, PlanInput } from './order/order.ts';
import { caseSeedOf, isMeasured, type Plan, type Slice } from './plan.ts';
import type { LookKind, PlannedLooks, PlannedPart } from './recorded-plan.ts';

export type LooksFault =
  | { readonly code: 'open_load' | 'sweep' }
  | { readonly code: 'too_few_case_seeds'; readonly caseSeeds: number; readonly needs: number };

const LEAST_CASE_SEEDS = 8;

const MOST_PARTS = 4;

const FEWEST_PARTS = 2;

/** Why a plan cannot be sent in such parts; null if it can. */
export function findLooksFault(
  { load, variants, cases, seeds }: Pick<PlanInput, 'load' | 'variants' | 'cases' | 'seeds'>,
  kind: LookKind,
): LooksFault | null {
  if (load.mode === 'open') return { code: 'open_load' };
  if (load.steps !== null) return { code: 'sweep' };
  if (kind !== 'until_decided') return null;
  const asked = cases.filter(({ kinds }) => variants.some((variant) => kinds.includes(variant.kind)));
  const caseSeeds = asked.length * seeds.length;
  const needs = FEWEST_PARTS * partSize(load.concurrency);
  return caseSeeds < needs ? { code: 'too_few_case_seeds', caseSeeds, needs } : null;
}

/**
 * Splits a plan into at most 4 parts of 8 case-seeds in random order, or twice the concurrency if that is more: fewer
 * could not reach the declared load. The last part has the rest. `probed` puts the first cell of each kind first, as
 * the seed probe needs its takes.
 */
export function splitIntoParts(
  kinds: readonly KindTrials[],
  { concurrency }: Pick<Load, 'concurrency'>,
  probed: boolean,
  random: Random,
): readonly (readonly KindTrials[])[] {
  const keys = [...new Set(kinds.flatMap(({ cells }) => cells.map(keyOf)))];
  const size = partSize(concurrency);
  const count = Math.max(1, Math.min(MOST_PARTS, Math.floor(keys.length / size)));
  const first = new Set(probed ? kinds.flatMap(({ cells }) => cells.slice(0, 1).map(keyOf)) : []);
  const shuffled = random.shuffle(keys);
  const ordered = [...shuffled.filter((key) => first.has(key)), ...shuffled.filter((key) => !first.has(key))];
  const partAt = new Map(ordered.map((key, at) => [key, Math.min(count - 1, Math.floor(at / size))] as const));
  return Array.from({ length: count }, (_, part) =>
    kinds.map(({ kind, cells }) => ({ kind, cells: cells.filter((cell) => partAt.get(keyOf(cell)) === part) })),
  );
}

/**
 * One part a round: the slices of the same prompts and seeds, a variant after the other; of each kind as many whole
 * rounds as have at most so many blocks.
 */
export function splitIntoRounds<S extends Pick<Slice, 'trials'>>(
  slices: readonly S[],
  most = Infinity,
): readonly (readonly S[])[] {
  const rounds: S[][] = [];
  let blocks = new Set<string>();
  for (const slice of slices) {
    const last = rounds.at(-1);
    if (last !== undefined && slice.trials.some(({ block }) => blocks.has(block))) last.push(slice);
    else {
      rounds.push([slice]);
      blocks = new Set(slice.trials.map(({ block }) => block));
    }
  }
  const counted = new Map<string, number>();
  return rounds.filter(([first]) => {
    const trials = first?.trials ?? [];
    const kind = trials[0]?.kind ?? '';
    const until = (counted.get(kind) ?? 0) + trials.length;
    counted.set(kind, until);
    return until <= most;
  });
}

function partSize(concurrency: number): number {
  return Math.max(LEAST_CASE_SEEDS, 2 * concurrency);
}

function keyOf({ takes }: CellTrials): string {
  const trial = takes[0]?.[0];
  if (trial === undefined) throw new Error('a cell without a take');
  return caseSeedOf(trial);
}

export function plannedLooks(
  kind: LookKind,
  parts: readonly (readonly Slice[])[],
  { concurrency }: Pick<Load, 'concurrency'>,
): PlannedLooks {
  const unit = concurrency === 1 ? 'blocks' : 'rounds';
  return {
    kind,
    of: parts.length,
    unit,
    units: parts.map((_part, at) => mostUnits(parts.slice(0, at + 1).flat(), unit)),
    parts: parts.map(plannedPart),
  };
}

/** The most of any variant: trials, or slices for rounds. A paired slice has trials of one variant. */
function mostUnits(slices: readonly Slice[], unit: PlannedLooks['unit']): number {
  const units = new Map<string, number>();
  for (const { trials } of slices) {
    const measured = trials.filter(isMeasured).map(({ variant }) => variant);
    for (const variant of unit === 'blocks' ? measured : new Set(measured))
      units.set(variant, (units.get(variant) ?? 0) + 1);
  }
  return Math.max(0, ...units.values());
}

function plannedPart(slices: readonly Slice[]): PlannedPart {
  const measured = slices.flatMap(({ trials }) => trials).filter(isMeasured);
  const trials = new Map<string, number>();
  for (const { variant } of measured) trials.set(variant, (trials.get(variant) ?? 0) + 1);
  return {
    lastSlice: slices.at(-1)?.index ?? 0,
    caseSeeds: new Set(measured.map(caseSeedOf)).size,
    trials: Object.fromEntries(trials),
  };
}

export function looksBefore({ looks }: Pick<Plan, 'looks'>, slice: number): number {
  return (looks?.parts.slice(0, -1) ?? []).filter(({ lastSlice }) => lastSlice < slice).length;
}
