import type { Run, RunVariant, ShardDifference, ShardIdentity } from './run.ts';

export type ComparableVariant = Pick<RunVariant, 'name' | 'kind' | 'baseline'> & {
  /** Name of the variant whose stored baseline is sent again as this one. */
  readonly twinOf?: string | null;
};

/** A twin belongs to the stored baseline, and is no candidate. */
export function isTwin({ twinOf }: Pick<ComparableVariant, 'twinOf'>): boolean {
  return typeof twinOf === 'string';
}

/** The variant as the stored baseline declared it, sent again in the same run; null if it is not. */
export function twinOf<V extends ComparableVariant>(
  { name }: Pick<ComparableVariant, 'name'>,
  variants: readonly V[],
): V | null {
  return variants.find((variant) => variant.twinOf === name) ?? null;
}

export function baselineOf<V extends ComparableVariant>(
  { name, kind }: Pick<ComparableVariant, 'name' | 'kind'>,
  variants: readonly V[],
): V | null {
  const baseline = variants.find((variant) => variant.kind === kind && variant.baseline);
  return baseline === undefined || baseline.name === name ? null : baseline;
}

/** Variants to compare one with: the baseline variant of its kind first, then its twin. */
export function comparedWith<V extends ComparableVariant>(variant: V, variants: readonly V[]): readonly V[] {
  if (isTwin(variant)) return [];
  return [baselineOf(variant, variants), twinOf(variant, variants)].flatMap((other) => other ?? []);
}

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
