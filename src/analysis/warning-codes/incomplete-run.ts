import type { Abandonment, Stop } from '../../record/model/stop.ts';

/** Why a run is incomplete. */
export interface WhyIncomplete {
  /** Null: its process was killed before it could record why. */
  readonly stop: Stop | null;
  /** Variants that were abandoned in mid-run. */
  readonly abandoned: readonly { readonly variant: string; readonly why: Abandonment }[];
  /** Of a merged run; null of any other. */
  readonly shards: LackingShards | null;
}

/** What of a run's shards is not there, or did not finish. */
export interface LackingShards {
  /** How many shards the run was split into. */
  readonly of: number;
  /** The numbers of those that were not merged. */
  readonly missing: readonly number[];
  /** Those that were stopped; null: killed. */
  readonly stopped: readonly { readonly index: number; readonly stop: Stop | null }[];
}

/** What is known of why a run ended before all was measured; means nothing for a run that is complete. */
export function whyIncomplete({ run, variants }: Analysed): WhyIncomplete {
  return {
    stop: run.stop,
    abandoned: variants.flatMap(({ name, abandoned }) =>
      abandoned === null ? [] : [{ variant: name, why: abandoned }],
    ),
    shards: run.shards === null ? null : lacking(run.shards),
  };
}

function lacking({ of, missing, merged }: AnalysedShards): LackingShards {
  return {
    of,
    missing,
    stopped: merged.flatMap(({ index, stop }) => (stop?.reason === 'finished' ? [] : [{ index, stop }])),
  };
}

interface Analysed {
  readonly run: { readonly stop: Stop | null; readonly shards: AnalysedShards | null };
  readonly variants: readonly { readonly name: string; readonly abandoned: Abandonment | null }[];
}

interface AnalysedShards extends Pick<LackingShards, 'of' | 'missing'> {
  readonly merged: LackingShards['stopped'];
}
