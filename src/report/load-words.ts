import type { RunSummary } from '../analysis/summaries.ts';
import type { Verdict } from '../analysis/verdict.ts';
import { count, elapsed, listed, plural, trimmed } from '../kit/wording.ts';
import type { LookKind, PlannedLooks } from '../plan/recorded-plan.ts';
import type { ClosedLoad, Load, OpenLoad, Stage } from '../suite/load.ts';

/** `at most 4 in flight, paired`, `2 / s for 10 min, at most 64 in flight`. */
export function loadWords(load: Load): string {
  if (load.mode === 'open') return `${stagesWords(load)}, at most ${count(load.concurrency)} in flight`;
  if (load.steps !== null) return `concurrency ${stepsWords(load.steps)} in turn`;
  return `at most ${count(load.concurrency)} in flight, ${load.order}`;
}

export function sweepSteps(load: Load): readonly number[] | null {
  return load.mode === 'closed' && load.steps !== null ? [...load.steps].sort((a, b) => a - b) : null;
}

/** `1, 2, 4 and 8`. */
export function stepsWords(steps: readonly number[]): string {
  return listed(steps.map(count));
}

/** `2 / s for 10 min, then 5 / s for 1 min 30 s`; the last stage may go on until all is sent. */
export function stagesWords({ stages }: Pick<OpenLoad, 'stages'>): string {
  return stages
    .map(({ forMs, ...stage }) =>
      forMs === null ? rateWords(stage) : `${rateWords(stage)} for ${whole(elapsed(forMs))}`,
    )
    .join(', then ');
}

/** In the unit that suits it: `2 / s`, `30 / min`. */
export function rateWords({ ratePerSecond }: Pick<Stage, 'ratePerSecond'>): string {
  return ratePerSecond >= 1 ? `${trimmed(ratePerSecond)} / s` : `${trimmed(ratePerSecond * 60)} / min`;
}

/** `random arrivals (a Poisson process)`. */
export function arrivalsWords({ arrivals }: Pick<OpenLoad, 'arrivals'>): string {
  return arrivals === 'poisson' ? 'random arrivals (a Poisson process)' : 'evenly spaced arrivals';
}

const ORDERS: Readonly<Record<ClosedLoad['order'], string>> = {
  paired:
    'paired: takes of the same prompts and seeds run close together in time for all variants, in random order, so that drift of the service affects all variants equally',
  mixed: 'mixed: all takes run in random order, with all variants in flight together, so they queue behind each other',
  sequential:
    'sequential: variants run one after the other, so drift of the service looks like a difference between variants',
};

export function orderWords(load: Load): string {
  if (load.mode === 'open') {
    return 'variants run one after the other in random order, each with the same arrivals; drift of the service looks like a difference between variants';
  }
  if (load.steps !== null) {
    return `each variant and step runs alone, in random order and in several passes, so that drift of the service affects ${plural(load.steps.length, 'step')} equally`;
  }
  return ORDERS[load.order];
}

/** A declared time prints as declared: `20 s` for `20.0 s`, `2 min` for `2 min 00 s`. */
function whole(words: string): string {
  return words.replace(/\.0+ s$/, ' s').replace(/(min|h) 00 (s|min)$/, '$1');
}

/** `16 case-seeds, 96 takes` until this look. A confirmation measures all case-seeds from the first part on. */
export function lookWords(kind: LookKind, caseSeeds: number, takes: number): string {
  return kind === 'confirm' ? plural(takes, 'take') : `${plural(caseSeeds, 'case-seed')}, ${plural(takes, 'take')}`;
}

/** How often a gate was looked at, and which takes its verdict is about, without a full stop; null of one look. */
export function looksSentence({ looks, verdict }: Pick<Verdict, 'looks' | 'verdict'>): string | null {
  if (looks === null) return null;
  const { kind, of, made, alphas, early, caseSeeds, plannedCaseSeeds, takes, plannedTakes } = looks;
  const each = alphasWords(alphas);
  if (!early) return `${made === of ? `All ${count(of)}` : `${count(made)} of ${count(of)}`} looks were made, ${each}`;
  const after =
    kind === 'confirm'
      ? `${count(takes)} of ${plural(plannedTakes, 'take')}`
      : `${count(caseSeeds)} of ${plural(plannedCaseSeeds, 'case-seed')}`;
  const at = `at look ${count(made)} of ${count(of)} (${each}), after ${after}`;
  return verdict === 'inconclusive'
    ? `Ended ${at}; no further part could decide a rule`
    : `Decided ${at}; the verdict covers only these`;
}

/** `each at alpha 0.0125`, or the alpha of each look; `those before come after too few takes to decide`. */
export function alphasWords(alphas: readonly number[]): string {
  const words = (alpha: number) => `alpha ${Number(alpha.toPrecision(3))}`;
  if (alphas.every((alpha) => alpha === alphas[0])) return `each at ${words(alphas[0] ?? 0)}`;
  const decide = alphas.flatMap((alpha, at) => (alpha === 0 ? [] : [`look ${count(at + 1)} at ${words(alpha)}`]));
  const none = alphas.flatMap((alpha, at) => (alpha === 0 ? [count(at + 1)] : []));
  const few = none.length === 0 ? '' : `; too few takes to compare variants at look ${none.join(', ')}`;
  return `${decide.join(', ')}${few}`;
}

/** Follows `4 prompts x 3 seeds x 3 takes`; empty for a plan in one part. */
export function partsNote(looks: PlannedLooks | null): string {
  if (looks === null) return '';
  return looks.kind === 'confirm'
    ? ', all once more if the gate is undecided'
    : `, in up to ${count(looks.of)} parts until the gate is decided`;
}

/** `Shard 3 of 8 of run 42`, `Merged from 8 shards`; null for a run without shards. */
export function shardWords({ shard, shards }: Pick<RunSummary, 'shard' | 'shards'>): string | null {
  if (shard !== null) return `Shard ${count(shard.index)} of ${count(shard.of)} of run ${shard.run}`;
  if (shards === null) return null;
  const { of, missing } = shards;
  return `Merged from ${missing.length === 0 ? '' : `${count(of - missing.length)} of `}${plural(of, 'shard')}`;
}

/** `in 2 min 10 s`; shards measure at the same time, so the longest counts. */
export function tookWords({ shards }: Pick<RunSummary, 'shards'>, durationMs: number): string {
  return shards === null ? `in ${elapsed(durationMs)}` : `in ${elapsed(durationMs)} (longest shard)`;
}

/** `38 sent`; a merged run also says how many warm-ups it leaves out. */
export function sentWords({ requestsSent, shards }: Pick<RunSummary, 'requestsSent' | 'shards'>): string {
  const others = (shards?.merged ?? []).reduce((sum, { warmupsLeftOut }) => sum + warmupsLeftOut, 0);
  const warmups = others === 0 ? '' : `, and ${plural(others, 'warm-up')} of other shards that are not in this record`;
  return `${count(requestsSent)} sent${warmups}`;
}
