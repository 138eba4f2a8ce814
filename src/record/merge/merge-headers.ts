import type { Calibration } from '../calibration.ts';
import type { Checkout, MergedShard, Run, RunMerged, RunShard, RunTogether } from '../run.ts';
import type { MergedEvents } from './merge-lines.ts';

export type ShardRun = Run & { readonly shard: RunShard };

export type MergedPart = { readonly run: ShardRun } & Pick<MergedEvents, 'segments' | 'warmupsLeftOut'> &
  Pick<MergedShard, 'spendLeftOut'>;

export type MergedRun = Run & { readonly merged: RunMerged };

/** The run.json of the merged run. `together` is null if merged by hand. */
export function mergeHeaders(parts: readonly [MergedPart, ...MergedPart[]], together: RunTogether | null): MergedRun {
  const runs = parts.map(({ run }) => run);
  const [{ run: first }] = parts;
  const labels = [...new Set(runs.flatMap(({ label }) => label ?? []))];
  const { run, of, whole } = first.shard;
  return {
    ...first,
    id: run,
    createdAt: runs.map(({ createdAt }) => createdAt).reduce((a, b) => (b < a ? b : a)),
    ...(labels.length === 0 ? {} : { label: labels.join(', ') }),
    plan: whole.plan,
    limits: whole.limits,
    variants: first.variants.map((variant) => ({
      ...variant,
      ...proxiesIn(runs, variant.name),
      plannedTrials: whole.plannedTrials[variant.name] ?? variant.plannedTrials,
    })),
    calibration: worstOf(runs.map(({ calibration }) => calibration)),
    git: commonCheckout(runs.map(({ git }) => git)),
    shard: null,
    merged: { of, shards: parts.map(mergedShard), ...(together === null ? {} : { together }) },
  };
}

/** Shards of several places often have different proxies. */
function proxiesIn(runs: readonly Run[], variant: string): { readonly proxy?: string } {
  const proxies = runs.map(({ variants }) => variants.find(({ name }) => name === variant)?.proxy);
  if (proxies.every((proxy) => proxy === undefined)) return {};
  return { proxy: [...new Set(proxies.map((proxy) => proxy ?? 'none'))].join(', ') };
}

function mergedShard({ run, segments, warmupsLeftOut, spendLeftOut }: MergedPart): MergedShard {
  return {
    index: run.shard.index,
    createdAt: run.createdAt,
    segments,
    concurrency: run.plan.load.concurrency,
    machine: run.machine,
    calibration: run.calibration,
    warmupsLeftOut,
    spendLeftOut,
  };
}

/** The calibration with the largest noise floor, which limits the whole run. */
function worstOf(calibrations: readonly (Calibration | null)[]): Calibration | null {
  return calibrations.reduce(
    (worst, next) => (next === null || (worst !== null && next.floorMs <= worst.floorMs) ? worst : next),
    null,
  );
}

/** Dirty if one shard was; null if commits differ. */
function commonCheckout(checkouts: readonly (Checkout | null)[]): Checkout | null {
  const [first = null] = checkouts;
  if (first === null || !checkouts.every((checkout) => checkout?.commit === first.commit)) return null;
  return { commit: first.commit, dirty: checkouts.some((checkout) => checkout?.dirty === true) };
}
