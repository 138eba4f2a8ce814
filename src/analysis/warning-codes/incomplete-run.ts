import type { Abandonment, Stop } from '../../record/journal.ts';

export interface WhyIncomplete {
  /** Null: its process was killed before it could record why. */
  readonly stop: Stop | null;
  readonly abandoned: readonly { readonly variant: string; readonly why: Abandonment }[];
  readonly shards: LackingShards | null;
}

export interface LackingShards {
  readonly of: number;
  readonly missing: readonly number[];
  /** Shards that were stopped; `stop` is null where one was killed. */
  readonly stopped: readonly { readonly index: number; readonly stop: Stop | null }[];
}

/** Means nothing for a complete run. */
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
