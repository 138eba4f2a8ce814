import { isMeasured } from '../../plan/plan.ts';
import { loadTakes, type SeedTakes, seedTakes } from '../../record/output-pairs.ts';
import type { RunPlan } from '../../record/run.ts';
import type { ProbeKind } from '../../suite/suite.ts';
import type { EffectiveSample } from '../effective-sample.ts';
import { groupBy } from '../grouping.ts';
import { type LevelsByVariant, levelsOf } from '../pair-levels.ts';
import type { CacheFinding, LoadFinding, ProbeFindings, ProbeReason, SeedFinding } from '../probe.ts';
import type { VariantSummary } from '../summaries.ts';
import { decideCacheProbe } from './cache-probe.ts';
import { decideLoadProbe } from './load-probe.ts';
import { decideSeedProbe } from './seed-probe.ts';

/** Without a role: in any. */
function isPartOf(kind: ProbeKind, role?: string): (effective: EffectiveSample) => boolean {
  return ({ sample: { trial } }) => trial.probe?.kind === kind && (role === undefined || trial.probe.role === role);
}

function whyLost(samples: readonly EffectiveSample[]): ProbeReason | null {
  if (samples.every(({ outcome }) => outcome === 'cancelled')) return { code: 'not_sent' };
  const failed = samples.filter((sample) => sample.outcome !== 'ok');
  const groups = [
    ...groupBy(failed, (sample) => JSON.stringify([sample.outcome, sample.error?.code ?? ''])).values(),
  ].sort((a, b) => b.length - a.length);
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

/** Takes of the first prompt and seed, delivered or not. */
function takesSent(samples: readonly EffectiveSample[]): number {
  const probe = samples.find(isPartOf('seed'))?.sample.trial;
  if (probe?.probe?.kind !== 'seed') return 0;
  const { prompt } = probe;
  const { base } = probe.probe;
  return samples.filter(({ sample: { trial } }) => isMeasured(trial) && trial.prompt === prompt && trial.seed === base)
    .length;
}

export function decideProbes(
  { probes }: Pick<RunPlan, 'probes'>,
  variants: readonly VariantSummary[],
  samples: readonly EffectiveSample[],
  levels: LevelsByVariant,
): readonly ProbeFindings[] {
  if (probes === null) return [];
  const ok = samples.filter(({ outcome }) => outcome === 'ok').map(({ sample }) => sample);
  const seeds = seedTakes(
    ok,
    samples.map(({ sample }) => sample),
  );
  const loads = loadTakes(ok);
  const byVariant = groupBy(
    samples.filter(({ sample, outcome }) => sample.trial.probe?.kind === 'cache' && outcome !== 'blank'),
    ({ sample }) => sample.trial.variant,
  );
  const sentOf = groupBy(samples, ({ sample }) => sample.trial.variant);
  return variants.map(({ name, seedClaim }): ProbeFindings => {
    const levelOfPair = levelsOf(levels, name);
    const left = (kind: ProbeKind, whole: boolean): ProbeReason | null =>
      probes.skippedProbes.find(
        (skipped) => skipped.probe === kind && skipped.variant === name && skipped.whole === whole,
      )?.reason ?? null;
    const asked = (kind: ProbeKind) => probes.kinds.includes(kind);
    const sent = sentOf.get(name) ?? [];
    const lost = (kind: ProbeKind, role?: string) => whyLost(sent.filter(isPartOf(kind, role)));
    const noCache = left('cache', true);
    const cache =
      noCache === null ? decideCacheProbe(byVariant.get(name) ?? [], lost('cache')) : { ...NO_CACHE, reason: noCache };
    const cached = asked('cache') && cache.code === 'cached';
    const noSeed = left('seed', true);
    const seed =
      noSeed === null
        ? decideSeedProbe(
            seeds.get(name) ?? NOTHING,
            {
              claim: seedClaim,
              cached,
              keptSeed: left('seed', false),
              takesSent: takesSent(sent),
              lostOther: lost('seed', 'other'),
              lostOmitted: lost('seed', 'omitted'),
            },
            levelOfPair,
          )
        : withoutSeed(noSeed);
    const noLoad: ProbeReason | null = cached ? { code: 'cached' } : left('load', true);
    const load =
      noLoad === null
        ? decideLoadProbe(loads.get(name) ?? [], levelOfPair, lost('load'))
        : { ...NO_LOAD, reason: noLoad };
    return {
      variant: name,
      seed: asked('seed') ? seed : null,
      cache: asked('cache') ? cache : null,
      load: asked('load') ? load : null,
    };
  });
}

/** Variants whose seed does not determine the output: not sent, ignored, or unstable by their probe. */
export function unusedSeeds(
  variants: readonly Pick<VariantSummary, 'name' | 'sendsSeed'>[],
  findings: readonly ProbeFindings[],
): ReadonlySet<string> {
  const seen = new Set(
    findings.filter(({ seed }) => seed?.seen === 'ignored' || seed?.seen === 'unstable').map(({ variant }) => variant),
  );
  return new Set(variants.filter(({ name, sendsSeed }) => !sendsSeed || seen.has(name)).map(({ name }) => name));
}

const NOTHING: SeedTakes = { base: [], others: [], omitted: [] };

const NO_CACHE: CacheFinding = {
  code: 'not_testable',
  by: [],
  pairs: 0,
  equal: 0,
  ratio: null,
  p: null,
  detectableRatio: null,
  saidOfRepeats: 0,
  saidOfFresh: 0,
  reason: null,
};

const NO_LOAD: LoadFinding = {
  code: 'not_testable',
  cells: 0,
  changedConcurrent: 0,
  changedAlone: 0,
  p: null,
  bound: null,
  reason: null,
};

function withoutSeed(reason: ProbeReason): SeedFinding {
  const omitted = { code: 'not_supported', takes: 0, reason } as const;
  const nothing = { seen: null, takes: 0, within: null, bound: null, otherSeeds: 0, otherImages: 0, omitted, reason };
  return { code: 'not_testable', ...nothing };
}
