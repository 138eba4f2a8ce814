import { type Checked, refused } from '../kit/diagnostic.ts';
import { plural } from '../kit/wording.ts';
import { trialCosts } from '../plan/estimate.ts';
import { findShareFault, type Shard, type ShareFault, shareOf } from '../plan/share.ts';
import type { Trial } from '../plan/trial.ts';
import type { PreparedSuite } from '../run/prepare-suite.ts';

/** What one process measures: a suite, or a shard's share of it. */
export interface PreparedRun extends PreparedSuite {
  /** Null: all of the suite and plan. */
  readonly shard: (Shard & { readonly whole: WholeRun }) | null;
}

export type WholeRun = Pick<PreparedSuite, 'suite' | 'plan' | 'skippedProbes'>;

export function takeShare(prepared: PreparedSuite, shard: Shard | null): Checked<PreparedRun> {
  if (shard === null) return { ok: true, value: { ...prepared, shard } };
  const { suite, plan, skippedProbes } = prepared;
  const costOf = trialCosts(prepared.variants, suite.cases);
  const mostUsdOf = (trial: Trial): number => {
    const bounds = costOf(trial);
    return typeof bounds === 'string' ? 0 : bounds.mostUsd;
  };
  const dealt = { ...suite, plan, mostUsdOf };
  const fault = findShareFault(dealt, shard.of);
  if (fault !== null) return refused(...faultWords(fault, shard));
  const share = shareOf(dealt, shard);
  const isFirst = shard.index === 1;
  return {
    ok: true,
    value: {
      ...prepared,
      suite: { ...suite, load: share.load, limits: share.limits, probes: isFirst ? suite.probes : [] },
      plan: share.plan,
      skippedProbes: isFirst ? skippedProbes : [],
      shard: { ...shard, whole: { suite, plan, skippedProbes } },
    },
  };
}

function faultWords(fault: ShareFault, { of }: Shard): readonly [cause: string, remedy: string] {
  switch (fault.code) {
    case 'sweep':
      return [
        'a sweep cannot be split into shards: a step fixes the concurrency of the whole run',
        'run the suite as one process, or set load.concurrency to one number',
      ];
    case 'load_probe':
      return [
        'the probe load cannot be split into shards: some of its requests must be alone at the service',
        'leave load out of probes, or run the suite as one process',
      ];
    case 'too_few_slots':
      return [
        `load.concurrency is ${fault.concurrency}, too few for ${plural(of, 'shard')}`,
        `use at most ${plural(fault.concurrency, 'shard')}, or raise load.concurrency`,
      ];
    case 'too_few_parts': {
      const parts =
        fault.mode === 'closed'
          ? `prompts x seeds is ${fault.parts}`
          : `the plan has ${plural(fault.parts, 'arrival')}`;
      return [`${parts}, too few for ${plural(of, 'shard')}`, `use at most ${plural(fault.parts, 'shard')}`];
    }
    case 'too_few_requests':
      return [
        `limits.requests is ${fault.limit}, too few for ${plural(of, 'shard')}`,
        'raise limits.requests, or use fewer shards',
      ];
  }
}
