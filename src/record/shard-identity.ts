import { listedInShort } from '../kit/wording.ts';
import { IDENTITY_KINDS } from './codes.ts';
import type { Run, ShardDifference, ShardIdentity } from './run.ts';

/** What all shards of a run share. A shard and its whole run give the same. */
export function identityOf({ machine, suite, against, targets, leftOut, plan, vantage }: Run): ShardIdentity {
  const environments = [against?.environment, ...targets.map(({ environment }) => environment), suite.environment];
  return Object.fromEntries<string | null>([
    ['version', machine.retake],
    ['suite', suite.digest],
    ['against', against?.digest ?? null],
    ['vantage', vantage ?? null],
    ...targets.map(({ id, digest }) => [`target:${id}`, digest] as const),
    ...environments.flatMap((own = {}) =>
      Object.entries(own).map(([name, sha256]) => [`variable:${name}`, sha256] as const),
    ),
    ...leftOut.map(({ variant, reason }) => [`left_out:${variant}`, reason.code] as const),
    ['plan', plan.digest],
  ]);
}

/** The first kind of difference, with all names of it. Null: shards of one run. */
export function differenceOf(a: ShardIdentity, b: ShardIdentity): ShardDifference | null {
  const differing = Object.keys({ ...a, ...b })
    .filter((key) => (a[key] ?? null) !== (b[key] ?? null))
    .map((key) => {
      const [code, ...names] = key.split(/:(.*)/s, 2);
      return { code, names, values: [a[key] ?? null, b[key] ?? null] as const };
    });
  for (const code of IDENTITY_KINDS) {
    const [first, ...others] = differing.filter((difference) => difference.code === code);
    if (first !== undefined) return { ...first, code, names: [first, ...others].flatMap(({ names }) => names) };
  }
  return null;
}

/** As clauses: how two shards, or workers, differ, and what to do. */
export function describeDifference(
  { code, names, values }: ShardDifference,
  of: 'shards' | 'workers' = 'shards',
): readonly [cause: string, remedy: string] {
  const measure = of === 'shards' ? 'measure all shards' : 'start all workers';
  const named = listedInShort(names);
  const [a, b] = values.map((value) => value ?? 'none');
  const digests = `SHA-256 ${values.map((value) => value?.slice(0, 12)).join(' and ')}`;
  const words: Readonly<Record<ShardDifference['code'], readonly [string, string]>> = {
    version: [`were measured by Retake ${a} and ${b}`, `${measure} with one version`],
    suite: [`have different suites (${digests})`, `${measure} with one suite file and the same --set`],
    against: [
      'are not measured against the same stored baseline',
      `give all ${of} the same --against, with the same file`,
    ],
    vantage: [
      `have different vantages: ${a} and ${b}`,
      'measure all shards of a run from one vantage; compare two runs with retake compare',
    ],
    target: [`have different targets: ${named}`, `${measure} with the same target files`],
    variable: [`have different environment variables: ${named}`, `set them to the same values for all ${of}`],
    left_out: [`left out different variants: ${named}`, `${measure} on machines with the same packages`],
    plan: [
      `have different plans (${digests})`,
      `${measure} with the same prompt files, input images and stored bodies`,
    ],
  };
  return words[code];
}
