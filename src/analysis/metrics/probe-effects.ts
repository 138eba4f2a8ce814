import { gatedFindings, isWhole, type Metric, type Subject } from '../metric.ts';
import { type Note, noted, reasonNotes, rounded } from '../note.ts';
import type { CacheFinding, SeedFinding } from '../probe.ts';

/** Hodges-Lehmann over pairs with a byte-identical repeat. First note: `cached`, `no_sign` or `not_testable`. */
export const cacheEffect: Metric = {
  name: 'cache.effect',
  meaning:
    'Latency of a fresh request divided by the latency of the repeat paired with it, where the repeat is byte-identical.',
  unit: '1',
  better: null,
  whenCached: 'as_is',
  gate: { never: 'no_interval' },
  measure: (subject) => {
    const cache = isWhole(subject) ? (subject.probes?.cache ?? null) : null;
    if (cache === null) return [];
    return [
      {
        statistic: 'ratio',
        value: cache.ratio,
        n: cache.equal,
        interval: null,
        method: 'hodges_lehmann',
        notes: cacheNotes(cache),
      },
    ];
  },
};

function cacheNotes(cache: CacheFinding): readonly Note[] {
  const { code, pairs, equal, p, detectableRatio, saidOfRepeats, saidOfFresh, reason } = cache;
  return [
    noted(code),
    ...(pairs === 0 ? [] : [noted('pairs', pairs), noted('equal', equal)]),
    ...(p === null ? [] : [noted('p', rounded(p))]),
    ...(detectableRatio === null ? [] : [noted('detectable_ratio', detectableRatio)]),
    ...(saidOfRepeats + saidOfFresh === 0
      ? []
      : [noted('said_of_repeats', saidOfRepeats), noted('said_of_fresh', saidOfFresh)]),
    ...reasonNotes(reason),
  ];
}

/**
 * Share of cells where only the concurrent take differs, with its one-sided bound. First note: `batch_dependent`,
 * `no_sign` (exact McNemar, one-sided, or no discordant cell), `too_few_discordant` or `not_testable`.
 */
export const loadEffect: Metric = {
  name: 'load.effect',
  meaning: 'Share of prompts and seeds whose two takes sent alone agree, while the concurrent take is another image.',
  unit: '1',
  better: null,
  whenCached: 'as_is',
  gate: {
    statistics: [{ statistic: 'share', bounded: { by: 'events', among: 'cells' } }],
    needs: 'load',
    ofVariant: true,
  },
  measure: (subject) => {
    const load = isWhole(subject) ? (subject.probes?.load ?? null) : null;
    if (load === null) return [];
    const { code, cells, changedConcurrent, changedAlone, p, bound, reason } = load;
    return [
      {
        statistic: 'share',
        value: cells === 0 ? null : changedConcurrent / cells,
        n: cells,
        counted: { events: changedConcurrent, trials: cells, possible: cells },
        interval: bound === null ? null : { low: 0, high: bound },
        method: 'clopper_pearson_upper',
        notes: [
          noted(code),
          ...(cells === 0
            ? []
            : [noted('changed_concurrent', changedConcurrent), noted('changed_alone', changedAlone)]),
          ...(p === null ? [] : [noted('p', rounded(p))]),
          ...reasonNotes(reason),
        ],
      },
    ];
  },
};

/**
 * The share of other seeds that gave another image. The first note is the finding; behind `not_claimed`, what was seen.
 */
const seedEffect: Metric = {
  name: 'seed.effect',
  meaning: 'Share of other seeds that gave another image, on the first prompt (seed probe).',
  unit: '1',
  better: null,
  whenCached: 'as_is',
  gate: { statistics: gatedFindings('share'), needs: 'seed', ofVariant: true },
  measure: (subject) => {
    const seed = seedFindingOf(subject);
    if (seed === null) return [];
    const { otherSeeds, otherImages } = seed;
    const value = otherSeeds === 0 ? null : otherImages / otherSeeds;
    return [{ statistic: 'share', value, n: otherSeeds, interval: null, method: 'count', notes: seedNotes(seed) }];
  },
};

/** 1 if a request without a seed gives a `random` image, 0 for `constant`; or `not_supported`. */
const seedOmitted: Metric = {
  name: 'seed.omitted',
  meaning: 'Whether two takes without a seed differ: 1 if they do, else 0.',
  unit: '1',
  better: null,
  whenCached: 'as_is',
  gate: { statistics: gatedFindings('share'), needs: 'seed', ofVariant: true },
  measure: (subject) => {
    const omitted = seedFindingOf(subject)?.omitted;
    if (omitted === undefined) return [];
    const { code, takes, reason } = omitted;
    const known = code === 'random' || code === 'constant';
    return [
      {
        statistic: 'share',
        value: known ? Number(code === 'random') : null,
        n: known ? takes : 0,
        interval: null,
        method: 'count',
        notes: [noted(code), ...reasonNotes(reason)],
      },
    ];
  },
};

export const seedEffects: readonly Metric[] = [seedEffect, seedOmitted];

function seedFindingOf(subject: Subject): SeedFinding | null {
  return isWhole(subject) ? (subject.probes?.seed ?? null) : null;
}

function seedNotes({ code, seen, takes, within, bound, reason }: SeedFinding): readonly Note[] {
  return [
    noted(code),
    ...(code === 'not_claimed' && seen !== null ? [noted(`seen_${seen}`)] : []),
    ...(within === null ? [] : [noted('takes', takes), noted(`within_${within}`)]),
    ...(bound === null ? [] : [noted('bound', rounded(bound))]),
    ...reasonNotes(reason),
  ];
}
