import type { Checked, Diagnostic } from '../kit/diagnostic.ts';
import { listedInShort } from '../kit/wording.ts';
import { differenceOf, identityOf } from './comparable.ts';
import type { Run, RunShard, ShardDifference } from './run.ts';

type ShardRun = Run & { readonly shard: RunShard };

export interface FoundShard {
  readonly folder: string;
  readonly run: ShardRun;
}

export interface FoundRecord {
  readonly folder: string;
  readonly run: Run;
}

/** The shards of one run by index: one `ShardIdentity`, different shares. Else a diagnostic for each difference. */
export function checkShards(records: readonly FoundRecord[]): Checked<readonly [FoundShard, ...FoundShard[]]> {
  const others = records.filter(({ run }) => run.shard === null);
  const shards = records.filter(isShard).toSorted((a, b) => a.run.shard.index - b.run.shard.index);
  const [first, ...rest] = shards;
  if (others.length > 0 || first === undefined) return { ok: false, diagnostics: others.map(notShard) };
  const diagnostics = rest.flatMap((shard, at) => [...differences(first, shard), ...twice(shards[at] ?? first, shard)]);
  return diagnostics.length > 0 ? { ok: false, diagnostics } : { ok: true, value: [first, ...rest] };
}

function isShard(record: FoundRecord): record is FoundShard {
  return record.run.shard !== null;
}

function notShard({ folder, run }: FoundRecord): Diagnostic {
  const what = run.merged === null ? 'a whole run' : 'a merged run';
  return fault(`${folder} is ${what}, not a shard`, 'name the folders that runs with --shard wrote');
}

function twice(a: FoundShard, b: FoundShard): readonly Diagnostic[] {
  const { index, of } = b.run.shard;
  if (a.run.shard.index !== index || a.run.shard.of !== of) return [];
  return [fault(`${a.folder} and ${b.folder} are both shard ${index} of ${of}`, 'name each shard once')];
}

function differences({ folder: first, run: a }: FoundShard, { folder, run: b }: FoundShard): readonly Diagnostic[] {
  const differ = (cause: string, remedy: string) => [fault(`${first} and ${folder} ${cause}`, remedy)];
  const [left, right] = [a.shard, b.shard];
  if (left.run !== right.run) {
    return differ(`are shards of two runs: ${left.run} and ${right.run}`, 'name the shards of one run');
  }
  if (left.of !== right.of) {
    return differ(
      `overlap: a run was split into ${left.of} shards and into ${right.of}`,
      'name the shards of one split',
    );
  }
  const difference = differenceOf(identityOf(a), identityOf(b));
  return difference === null ? [] : differ(...describeDifference(difference));
}

/** As clauses: how two shards, or workers, differ, and what to do. */
export function describeDifference(
  difference: ShardDifference,
  of: 'shards' | 'workers' = 'shards',
): readonly [cause: string, remedy: string] {
  const measure = of === 'shards' ? 'measure all shards' : 'start all workers';
  switch (difference.code) {
    case 'version': {
      const [a, b] = difference.versions;
      return [`were measured by Retake ${a} and ${b}`, `${measure} with one version`];
    }
    case 'suite': {
      const [a, b] = difference.digests.map(shown);
      return [`have different suites (SHA-256 ${a} and ${b})`, `${measure} with one suite file and the same --set`];
    }
    case 'against':
      return [
        'are not measured against the same stored baseline',
        `give all ${of} the same --against, with the same file`,
      ];
    case 'vantage': {
      const [a, b] = difference.vantages.map((vantage) => vantage ?? 'none');
      return [
        `have different vantages: ${a} and ${b}`,
        'measure all shards of a run from one vantage; compare two runs with retake compare',
      ];
    }
    case 'targets':
      return [`have different targets: ${listedInShort(difference.targets)}`, `${measure} with the same target files`];
    case 'environment':
      return [
        `have different environment variables: ${listedInShort(difference.variables)}`,
        `set them to the same values for all ${of}`,
      ];
    case 'left_out':
      return [
        `left out different variants: ${listedInShort(difference.variants)}`,
        `${measure} on machines with the same packages`,
      ];
    case 'plan': {
      const [a, b] = difference.digests.map(shown);
      return [
        `have different plans (SHA-256 ${a} and ${b})`,
        `${measure} with the same prompt files, input images and stored bodies`,
      ];
    }
  }
}

function shown(digest: string): string {
  return digest.slice(0, 12);
}

function fault(cause: string, remedy: string): Diagnostic {
  return { place: null, cause, remedy };
}
