import { groupBy } from '../grouping.ts';
import type { ProbeWarning } from '../warning-codes/probe-warning.ts';
import type { WarningRule } from './evidence.ts';

/** Repeats that come from memory: their latency is not that of generating, and that they are equal says nothing. */
export const servedFromCache: WarningRule = ({ probes }) =>
  probes.flatMap(({ variant, cache }): ProbeWarning[] =>
    cache?.code === 'cached' ? [{ code: 'served_from_cache', variant, cache }] : [],
  );

export const seedProbe: WarningRule = ({ probes, variants }) =>
  probes.flatMap(({ variant, seed }): ProbeWarning[] => {
    const claim = variants.find(({ name }) => name === variant)?.seedClaim ?? 'none';
    if (seed === null || claim === 'none') return [];
    const told = { variant, claim, seed };
    if (seed.code === 'ignored') return [{ code: 'seed_ignored', ...told }];
    if (seed.code === 'unstable') return [{ code: 'seed_unstable', ...told }];
    return seed.code === 'similar' && claim === 'exact' ? [{ code: 'seed_similar', ...told }] : [];
  });

export const omittedSeed: WarningRule = ({ probes, variants }) =>
  probes.flatMap(({ variant, seed }): ProbeWarning[] => {
    const means = variants.find(({ name }) => name === variant)?.seedOmitMeans ?? 'unknown';
    const code = seed?.omitted.code;
    if (code === 'constant' && means === 'random') return [{ code: 'omitted_seed_constant', variant }];
    return code === 'random' && means === 'constant' ? [{ code: 'omitted_seed_random', variant }] : [];
  });

/** Images that depend on what else the service does at the time. */
export const batchDependent: WarningRule = ({ probes, plan }) =>
  probes.flatMap(({ variant, load }): ProbeWarning[] =>
    load?.code === 'batch_dependent'
      ? [{ code: 'batch_dependent', variant, concurrency: plan.load.concurrency, load }]
      : [],
  );

export const undecidedProbes: WarningRule = ({ probes, plan }) =>
  probes.flatMap((found) =>
    (['seed', 'cache', 'load'] as const).flatMap((probe): ProbeWarning[] => {
      const finding = found[probe];
      const left = plan.probes?.skippedProbes.some(
        (each) => each.whole && each.probe === probe && each.variant === found.variant,
      );
      if (finding?.code !== 'not_testable' || finding.reason === null || left === true) return [];
      return [{ code: 'probe_not_testable', variant: found.variant, probe, reason: finding.reason }];
    }),
  );

export const skippedProbes: WarningRule = ({ plan }) => {
  const left = groupBy(plan.probes?.skippedProbes ?? [], ({ probe, whole, reason }) =>
    JSON.stringify([probe, whole, reason]),
  );
  return [...left.values()].flatMap((group): ProbeWarning[] => {
    const [first] = group;
    if (first === undefined) return [];
    const { probe, whole, reason } = first;
    return [{ code: 'probe_left_out', probe, whole, variants: group.map(({ variant }) => variant), reason }];
  });
};
