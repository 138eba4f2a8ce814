import type { RunPlan } from '../../record/model/run.ts';
import { loadTakes, type SeedTakes, seedTakes } from '../../record/probe-takes.ts';
import type { ProbeKind } from '../../suite/format/suite.ts';
import type { VariantSummary } from '../analysis.ts';
import { type LevelsByVariant, levelsOf } from '../cells/pair-levels.ts';
import type { EffectiveSample } from '../effective-sample.ts';
import { groupBy } from '../grouping.ts';
import { decideCacheProbe } from './cache-probe.ts';
import { decideLoadProbe } from './load-probe.ts';
import { isPartOf, takesSent, whyLost } from './lost-probes.ts';
import type { CacheFinding, LoadFinding, ProbeFindings, ProbeReason, SeedFinding } from './probe-finding.ts';
import { decideSeedProbe } from './seed-probe.ts';

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
      probes.skippedProbes.find((each) => each.probe === kind && each.variant === name && each.whole === whole)
        ?.reason ?? null;
    const asked = (kind: ProbeKind) => probes.kinds.includes(kind);
    const own = sentOf.get(name) ?? [];
    const lost = (kind: ProbeKind, role?: string) => whyLost(own.filter(isPartOf(kind, role)));
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
              takesSent: takesSent(own),
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
