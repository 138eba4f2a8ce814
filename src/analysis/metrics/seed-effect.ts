import { gatedFindings, isWhole, type Metric, type Subject } from '../metric.ts';
import { type Note, noted } from '../note.ts';
import type { SeedFinding } from '../probe.ts';
import { reasonNotes, rounded } from '../probe-words.ts';

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
    return [{ statistic: 'share', value, n: otherSeeds, interval: null, method: 'count', notes: notesOf(seed) }];
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

function notesOf({ code, seen, takes, within, bound, reason }: SeedFinding): readonly Note[] {
  return [
    noted(code),
    ...(code === 'not_claimed' && seen !== null ? [noted(`seen_${seen}`)] : []),
    ...(within === null ? [] : [noted('takes', takes), noted(`within_${within}`)]),
    ...(bound === null ? [] : [noted('bound', rounded(bound))]),
    ...reasonNotes(reason),
  ];
}
