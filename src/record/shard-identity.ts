import type { Run, ShardDifference, ShardIdentity } from './run.ts';

type Texts = Readonly<Record<string, string>>;

/** What all shards of a run share. A shard and its whole run give the same. */
export function identityOf({ machine, suite, against, targets, leftOut, plan, vantage }: Run): ShardIdentity {
  return {
    retake: machine.retake,
    suite: suite.digest,
    against: against?.digest ?? null,
    targets: Object.fromEntries(targets.map(({ id, digest }) => [id, digest])),
    environment: Object.assign(
      {},
      against?.environment,
      ...targets.map(({ environment }) => environment),
      suite.environment,
    ),
    leftOut: Object.fromEntries(leftOut.map(({ variant, reason }) => [variant, reason.code])),
    plan: plan.digest,
    vantage: vantage ?? null,
  };
}

/** The first difference, causes before consequences. Null: shards of one run. */
export function differenceOf(a: ShardIdentity, b: ShardIdentity): ShardDifference | null {
  if (a.retake !== b.retake) return { code: 'version', versions: [a.retake, b.retake] };
  if (a.suite !== b.suite) return { code: 'suite', digests: [a.suite, b.suite] };
  if (a.against !== b.against) return { code: 'against' };
  // Another place often has other values of environment variables.
  if (a.vantage !== b.vantage) return { code: 'vantage', vantages: [a.vantage, b.vantage] };
  const targets = differingKeys(a.targets, b.targets);
  if (targets.length > 0) return { code: 'targets', targets };
  const variables = differingKeys(a.environment, b.environment);
  if (variables.length > 0) return { code: 'environment', variables };
  const variants = differingKeys(a.leftOut, b.leftOut);
  if (variants.length > 0) return { code: 'left_out', variants };
  return a.plan === b.plan ? null : { code: 'plan', digests: [a.plan, b.plan] };
}

function differingKeys(a: Texts, b: Texts): readonly string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((key) => a[key] !== b[key]);
}
