import type { Measure } from '../analysis.ts';
import { measureOf } from '../measure.ts';
import { isWhole, type Metric, type Subject } from '../metric.ts';
import type { SeedFinding } from '../probe-finding.ts';
import { reasonNotes, rounded } from '../probe-notes.ts';

/**
 * seed.effect: what the seed probe saw of the first prompt, the code at the head of `note`: `exact`, `similar`, `ignored`,
 * `unstable`, `not_claimed` (what was seen stands behind it) or `not_testable`. Its value is the share of other seeds that
 * gave another picture. seed.omitted: leaving the seed out gives a picture that is `random`, or `constant`; `not_supported`
 * where the target cannot. Its value is 1 or 0.
 */
export const seedEffect: Metric = {
  name: 'seed.effect',
  measure: (subject) => {
    const seed = isWhole(subject) ? (subject.probes?.seed ?? null) : null;
    return seed === null ? [] : [effect(subject, seed), omitted(subject, seed)];
  },
};

function effect(
  subject: Subject,
  { code, seen, takes, within, bound, otherSeeds, otherPictures, reason }: SeedFinding,
): Measure {
  return measureOf(subject, {
    metric: 'seed.effect',
    statistic: 'share',
    value: otherSeeds === 0 ? null : otherPictures / otherSeeds,
    unit: '1',
    better: null,
    n: otherSeeds,
    interval: null,
    method: 'count',
    notes: [
      code,
      ...(code === 'not_claimed' && seen !== null ? [`seen_${seen}`] : []),
      ...(within === null ? [] : [`takes=${takes}`, `within_${within}`]),
      ...(bound === null ? [] : [`bound=${rounded(bound)}`]),
      ...reasonNotes(reason),
    ],
  });
}

function omitted(subject: Subject, { omitted: { code, takes, reason } }: SeedFinding): Measure {
  const known = code === 'random' || code === 'constant';
  return measureOf(subject, {
    metric: 'seed.omitted',
    statistic: 'share',
    value: known ? Number(code === 'random') : null,
    unit: '1',
    better: null,
    n: known ? takes : 0,
    interval: null,
    method: 'count',
    notes: [code, ...reasonNotes(reason)],
  });
}
