import type { Checked, Diagnostic } from '../../suite/document/diagnostic.ts';
import { listedInShort } from '../../text/wording.ts';
import type { Run, RunShard } from '../model/run.ts';

type ShardRun = Run & { readonly shard: RunShard };

export interface FoundShard {
  readonly folder: string;
  readonly run: ShardRun;
}

export interface FoundRecord {
  readonly folder: string;
  readonly run: Run;
}

/**
 * Shards of one run have one plan, suite, environment, targets and version of Retake, each another share. Gives them by
 * index; else everything that does not fit, each by the folder that differs from the first.
 */
export function checkShards(found: readonly FoundRecord[]): Checked<readonly [FoundShard, ...FoundShard[]]> {
  const others = found.filter(({ run }) => run.shard === null);
  const shards = found.filter(isShard).toSorted((a, b) => a.run.shard.index - b.run.shard.index);
  const [first, ...rest] = shards;
  if (others.length > 0 || first === undefined) return { ok: false, diagnostics: others.map(notShard) };
  const diagnostics = rest.flatMap((shard, at) => [...differences(first, shard), ...twice(shards[at] ?? first, shard)]);
  return diagnostics.length > 0 ? { ok: false, diagnostics } : { ok: true, value: [first, ...rest] };
}

function isShard(found: FoundRecord): found is FoundShard {
  return found.run.shard !== null;
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

/** What of two shards differs first, from what causes other differences to what may only follow from them. */
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
  if (a.machine.retake !== b.machine.retake) {
    return differ(
      `were measured by Retake ${a.machine.retake} and ${b.machine.retake}`,
      'measure all shards with one version',
    );
  }
  if (a.suite.digest !== b.suite.digest) {
    return differ(
      `have different suites (SHA-256 ${shown(a.suite.digest)} and ${shown(b.suite.digest)})`,
      'measure all shards with one suite file and the same --set',
    );
  }
  if (a.against?.digest !== b.against?.digest) {
    return differ(
      'are not measured against the same stored baseline',
      'give all shards the same --against, with the same file',
    );
  }
  const targets = differingKeys(digests(a), digests(b));
  if (targets.length > 0) {
    return differ(`have different targets: ${listedInShort(targets)}`, 'measure all shards with the same target files');
  }
  const environment = differingKeys(environmentOf(a), environmentOf(b));
  if (environment.length > 0) {
    return differ(
      `have different environment variables: ${listedInShort(environment)}`,
      'set them to the same values for all shards',
    );
  }
  const leftOut = differingKeys(leftOutOf(a), leftOutOf(b));
  if (leftOut.length > 0) {
    return differ(
      `left out different variants: ${listedInShort(leftOut)}`,
      'measure all shards on machines with the same packages',
    );
  }
  if (a.plan.digest !== b.plan.digest) {
    return differ(
      `have different plans (SHA-256 ${shown(a.plan.digest)} and ${shown(b.plan.digest)})`,
      'measure all shards with the same prompt files, input images and stored bodies',
    );
  }
  return [];
}

type Texts = Readonly<Record<string, string>>;

function differingKeys(a: Texts, b: Texts): readonly string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((key) => a[key] !== b[key]);
}

function digests({ targets }: Run): Texts {
  return Object.fromEntries(targets.map(({ id, digest }) => [id, digest]));
}

function environmentOf({ suite, targets, against }: Run): Texts {
  const stored = against?.environment ?? {};
  return Object.assign({}, stored, ...targets.map(({ environment }) => environment), suite.environment);
}

function leftOutOf({ leftOut }: Run): Texts {
  return Object.fromEntries(leftOut.map(({ variant, reason }) => [variant, reason.code]));
}

function shown(digest: string): string {
  return digest.slice(0, 12);
}

function fault(cause: string, remedy: string): Diagnostic {
  return { place: null, cause, remedy };
}
