import { isMeasured } from '../../plan/plan.ts';
import type { ProbeKind } from '../../suite/format/suite.ts';
import type { EffectiveSample } from '../effective-sample.ts';
import { groupBy } from '../grouping.ts';
import type { ProbeReason } from './probe-finding.ts';

/** Without a role: in any. */
export function isPartOf(kind: ProbeKind, role?: string): (effective: EffectiveSample) => boolean {
  return ({ sample: { trial } }) => trial.probe?.kind === kind && (role === undefined || trial.probe.role === role);
}

/** Names how many failed and how most of them did, or that none was sent; null where all delivered. */
export function whyLost(samples: readonly EffectiveSample[]): ProbeReason | null {
  if (samples.every(({ outcome }) => outcome === 'cancelled')) return { code: 'not_sent' };
  const failed = samples.filter((each) => each.outcome !== 'ok');
  const groups = [...groupBy(failed, (each) => JSON.stringify([each.outcome, each.error?.code ?? ''])).values()].sort(
    (a, b) => b.length - a.length,
  );
  const [largest] = groups;
  const [example] = largest ?? [];
  if (example === undefined || example.outcome === 'ok') return null;
  return {
    code: 'requests_failed',
    failed: failed.length,
    sent: samples.length,
    outcome: example.outcome,
    error: example.error?.code ?? '',
  };
}

/** Takes of the first prompt with the first seed, delivered or not. */
export function takesSent(samples: readonly EffectiveSample[]): number {
  const probe = samples.find(isPartOf('seed'))?.sample.trial;
  if (probe?.probe?.kind !== 'seed') return 0;
  const { prompt } = probe;
  const { base } = probe.probe;
  return samples.filter(({ sample: { trial } }) => isMeasured(trial) && trial.prompt === prompt && trial.seed === base)
    .length;
}
