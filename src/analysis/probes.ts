import { groupBy } from '../kit/grouping.ts';
import { cellOf, isMeasured } from '../plan/plan.ts';
import { loadTakes, type SeedTakes, seedTakes } from '../record/output-pairs.ts';
import type { RunPlan } from '../record/run.ts';
import type { ProbeKind } from '../suite/suite.ts';
import type { EffectiveSample, TimedSample } from './effective-sample.ts';
import type { ProbeStatement } from './note.ts';
import { type LevelsByVariant, levelsOf } from './pair-levels.ts';
import type { CacheFinding, LoadFinding, ProbeFindings, ProbeReason, SeedFinding } from './probe.ts';
import { cacheStatement, decideCacheProbe } from './probes/cache-probe.ts';
import {
  decideLoadProbe,
  decideSeedProbe,
  loadStatement,
  omittedStatement,
  seedStatement,
} from './probes/seed-probe.ts';
import type { RunSummary, VariantSummary } from './summaries.ts';

export type ProbeQuestion = 'seed' | 'no_seed' | 'cache' | 'load';

export function probeQuestions({ run }: { readonly run: RunSummary }): readonly ProbeQuestion[] {
  const questions: Readonly<Record<ProbeKind, readonly ProbeQuestion[]>> = {
    seed: ['seed', 'no_seed'],
    cache: ['cache'],
    load: ['load'],
  };
  return (run.plan.probes?.kinds ?? []).flatMap((kind) => questions[kind]);
}

export const QUESTION_NAMES: Readonly<Record<ProbeQuestion, string>> = {
  seed: 'seed',
  no_seed: 'without a seed',
  cache: 'repeats',
  load: 'concurrency',
};

export function probeStatement(question: ProbeQuestion, findings: ProbeFindings): ProbeStatement | null {
  switch (question) {
    case 'seed':
      return findings.seed === null ? null : seedStatement(findings.seed);
    case 'no_seed':
      return findings.seed === null ? null : omittedStatement(findings.seed);
    case 'cache':
      return findings.cache === null ? null : cacheStatement(findings.cache);
    case 'load':
      return findings.load === null ? null : loadStatement(findings.load);
  }
}

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

export interface CachedScope {
  readonly variants: ReadonlySet<string>;
  /** Variants of these kinds are all timed alike, so that they stay comparable. */
  readonly kinds: ReadonlySet<string>;
}

export function cachedScope(
  variants: readonly Pick<VariantSummary, 'name' | 'kind'>[],
  findings: readonly ProbeFindings[],
): CachedScope {
  const cached = new Set(findings.filter(({ cache }) => cache?.code === 'cached').map(({ variant }) => variant));
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
