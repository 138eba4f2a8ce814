import { isMeasured } from '../../plan/plan.ts';
import type { ProbeKind } from '../../suite/format/suite.ts';
import type { EffectiveSample } from '../effective-sample.ts';
import { groupBy } from '../grouping.ts';
import type { ProbeReason } from './probe-finding.ts';

/** Whether a sample is of a probe, in one of its roles or in any. */
export function isPartOf(kind: ProbeKind, role?: string): (effective: EffectiveSample) => boolean {
  return ({ sample: { trial } }) => trial.probe?.kind === kind && (role === undefined || trial.probe.role === role);
}

/**
 * Why requests of a probe brought nothing to decide by: how many of them failed and how the most did; where none was sent,
 * that; null where all delivered.
 */
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

/** Measured takes of the first prompt with the first seed, as the seed probe takes them, delivered or not. */
export function takesSent(samples: readonly EffectiveSample[]): number {
  const probe = samples.find(isPartOf('seed'))?.sample.trial;
  if (probe?.probe?.kind !== 'seed') return 0;
  const { prompt } = probe;
  const { base } = probe.probe;
  return samples.filter(({ sample: { trial } }) => isMeasured(trial) && trial.prompt === prompt && trial.seed === base)
    .length;
}
