import { groupBy } from '../kit/grouping.ts';
import { count, plural } from '../kit/wording.ts';
import { cellOf, isMeasured } from '../plan/plan.ts';
import { loadTakes, type SeedTakes, seedTakes } from '../record/output-pairs.ts';
import type { RunPlan } from '../record/run.ts';
import type { ProbeKind } from '../suite/suite.ts';
import type { EffectiveSample, TimedSample } from './effective-sample.ts';
import { type LevelsByVariant, levelsOf } from './pair-levels.ts';
import type { ProbeAnswer, ProbeFinding } from './probe.ts';
import { CACHED, skippedReason, type Untestable, untestable } from './probe-untestable.ts';
import { decideCacheProbe } from './probes/cache-probe.ts';
import { decideLoadProbe } from './probes/load-probe.ts';
import { decideSeedProbe } from './probes/seed-probe.ts';
import type { VariantSummary } from './summaries.ts';

/** Without a role: in any. */
function isPartOf(kind: ProbeKind, role?: string): (effective: EffectiveSample) => boolean {
  return ({ sample: { trial } }) => trial.probe?.kind === kind && (role === undefined || trial.probe.role === role);
}

/** Null if all were delivered. */
function whyLost(samples: readonly EffectiveSample[]): Untestable | null {
  if (samples.every(({ outcome }) => outcome === 'cancelled'))
    return untestable('the run ended before its requests were sent');
  const failed = samples.filter(({ outcome }) => outcome !== 'ok');
  const errorOf = ({ error }: EffectiveSample) => error?.code ?? '';
  const groups = groupBy(failed, (sample) => JSON.stringify([sample.outcome, errorOf(sample)]));
  const [example] = [...groups.values()].sort((a, b) => b.length - a.length)[0] ?? [];
  if (example === undefined) return null;
  const [outcome, error] = [example.outcome, errorOf(example)];
  const named = error === '' || error === outcome ? outcome : `${outcome} (${error})`;
  return untestable(
    `${count(failed.length)} of ${plural(samples.length, 'request')} of the probe failed, most often ${named}`,
  );
}

/** Takes of the first prompt and seed, delivered or not. */
function takesSent(samples: readonly EffectiveSample[]): number {
  const probe = samples.find(isPartOf('seed'))?.sample.trial;
  if (probe?.probe?.kind !== 'seed') return 0;
  const { prompt } = probe;
  const { base } = probe.probe;
  return samples.filter(({ sample: { trial } }) => isMeasured(trial) && trial.prompt === prompt && trial.seed === base)
    .length;
}

/** Of each variant, what the probes that the suite asks for found, in the order in which they were sent. */
export function decideProbes(
  { probes }: Pick<RunPlan, 'probes'>,
  variants: readonly VariantSummary[],
  samples: readonly EffectiveSample[],
  levels: LevelsByVariant,
): readonly ProbeFinding[] {
  if (probes === null) return [];
  const ok = samples.filter(({ outcome }) => outcome === 'ok').map(({ sample }) => sample);
  const seeds = seedTakes(
    ok,
    samples.map(({ sample }) => sample),
  );
  const loads = loadTakes(ok);
  const sentOf = groupBy(samples, ({ sample }) => sample.trial.variant);
  return variants.flatMap((variant) => {
    const { name } = variant;
    const levelOf = levelsOf(levels, name);
    const sent = sentOf.get(name) ?? [];
    const skipped = (probe: ProbeKind, whole: boolean): Untestable | null => {
      const left = probes.skippedProbes.find(
        (each) => each.probe === probe && each.variant === name && each.whole === whole,
      );
      return left === undefined ? null : { why: skippedReason(left.reason), remedy: null };
    };
    const lost = (kind: ProbeKind, role?: string) => skipped(kind, true) ?? whyLost(sent.filter(isPartOf(kind, role)));
    const repeats = sent.filter((sample) => sample.outcome !== 'blank' && isPartOf('cache')(sample));
    const cache = decideCacheProbe(repeats, lost('cache'));
    const cached = probes.kinds.includes('cache') && cache.code === 'cached';
    const answers: Readonly<Record<ProbeKind, readonly ProbeAnswer[]>> = {
      seed: decideSeedProbe(
        seeds.get(name) ?? NOTHING,
        {
          variant,
          cached,
          keptSeed: skipped('seed', false) ?? skipped('seed', true),
          takesSent: takesSent(sent),
          lostOther: lost('seed', 'other'),
          lostOmitted: lost('seed', 'omitted'),
        },
        levelOf,
      ),
      cache: [cache],
      load: [
        cached
          ? decideLoadProbe([], levelOf, skipped('load', true) ?? CACHED)
          : decideLoadProbe(loads.get(name) ?? [], levelOf, lost('load')),
      ],
    };
    return probes.kinds.flatMap((kind) => answers[kind].map((answer) => ({ variant: name, ...answer })));
  });
}

/** Variants whose seed does not determine the output: not sent, ignored, or unstable by their probe. */
export function unusedSeeds(
  variants: readonly Pick<VariantSummary, 'name' | 'sendsSeed'>[],
  findings: readonly ProbeFinding[],
): ReadonlySet<string> {
  const seen = new Set(
    findings.filter(({ code }) => code === 'ignored' || code === 'unstable').map(({ variant }) => variant),
  );
  return new Set(variants.filter(({ name, sendsSeed }) => !sendsSeed || seen.has(name)).map(({ name }) => name));
}

const NOTHING: SeedTakes = { base: [], others: [], omitted: [] };

export interface CachedScope {
  readonly variants: ReadonlySet<string>;
  /** Variants of these kinds are all timed alike, so that they stay comparable. */
  readonly kinds: ReadonlySet<string>;
}

export function cachedScope(
  variants: readonly Pick<VariantSummary, 'name' | 'kind'>[],
  findings: readonly ProbeFinding[],
): CachedScope {
  const cached = new Set(findings.filter(({ code }) => code === 'cached').map(({ variant }) => variant));
  return { variants: cached, kinds: new Set(variants.filter(({ name }) => cached.has(name)).map(({ kind }) => kind)) };
}

/** First takes alone count for a kind with a cached variant. Outputs not generated (cached, blank) never do. */
export function markTimed(samples: readonly EffectiveSample[], { kinds }: CachedScope): readonly TimedSample[] {
  const seen = new Set<string>();
  const counts = (effective: EffectiveSample): boolean => {
    const { trial, reported } = effective.sample;
    if (!isMeasured(trial) || effective.outcome === 'blank') return false;
    if (!kinds.has(trial.kind)) return true;
    const cell = cellOf(trial);
    if (seen.has(cell)) return false;
    seen.add(cell);
    return reported.cached !== true;
  };
  return samples.map((effective) => ({ ...effective, timed: counts(effective) }));
}
