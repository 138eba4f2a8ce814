import { listedInShort } from '../../kit/wording.ts';
import type { Abandonment, Stop } from '../../record/journal.ts';
import { groupBy } from '../grouping.ts';
import { abandonedCause, abandonedRemedy, stopCause, stopRemedy } from './stop-words.ts';

export interface WhyIncomplete {
  /** Null: its process was killed before it could record why. */
  readonly stop: Stop | null;
  readonly abandoned: readonly { readonly variant: string; readonly why: Abandonment }[];
  readonly shards: LackingShards | null;
}

interface LackingShards {
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

const KILLED = 'the process was killed before it could record why';
const SHARDS_REMEDY =
  'resume each shard that ended early or is missing, on the machine that has its folder; run a shard without a folder with --shard and --run; copy the folders here, delete this record and merge again';

function isLacking({ missing, stopped }: LackingShards): boolean {
  return missing.length > 0 || stopped.length > 0;
}

/** Missing and unfinished shards and why, as a clause. */
function lackingWords({ of, missing, stopped }: LackingShards): string {
  const [first] = missing;
  const absent =
    first === undefined
      ? []
      : [
          missing.length === 1
            ? `shard ${first} of ${of} is missing`
            : `shards ${listedInShort(missing.map(String))} of ${of} are missing`,
        ];
  const ended = stopped.map(
    ({ index, stop }) => `shard ${index} of ${of}: ${stop === null ? KILLED : stopCause(stop)}`,
  );
  return [...absent, ...ended].join('; ');
}

/** As a clause. */
export function incompleteCause({ stop, abandoned, shards }: WhyIncomplete): string {
  if (shards !== null && isLacking(shards)) return lackingWords(shards);
  if (stop === null) return KILLED;
  if (abandoned.length === 0) return stopCause(stop);
  switch (stop.reason) {
    case 'finished':
      return leftOutWords(abandoned);
    case 'failures':
      // These failures stopped the run; the reason why the variants were abandoned says what to fix.
      return `${stopCause(stop)}; ${leftOutWords(abandoned)}`;
    default:
      return stopCause(stop);
  }
}

/** Variants that were abandoned for the same reason stand together. */
function leftOutWords(abandoned: WhyIncomplete['abandoned']): string {
  const groups = [...groupBy(abandoned, ({ why }) => abandonedCause(why)).values()];
  const said = groups.flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const who = listedInShort(group.map(({ variant }) => variant));
    return [`${who}: ${abandonedCause(first.why, group.length === 1 ? 'one' : 'several')}`];
  });
  return `left out ${said.join('; ')}`;
}

/** As a clause. */
export function incompleteRemedy({ stop, abandoned, shards }: WhyIncomplete): string {
  if (shards !== null && isLacking(shards)) return SHARDS_REMEDY;
  if (stop === null) return 'resume the run to measure the rest';
  const [first] = abandoned;
  return stop.reason === 'finished' && first !== undefined ? abandonedRemedy(first.why) : stopRemedy(stop);
}
