import type { Measure } from '../analysis.ts';
import { measureOf } from '../measure.ts';
import { isWhole, type Metric, type Subject } from '../metric.ts';
import type { SeedFinding } from '../probe-finding.ts';
import { counted } from '../wording.ts';

/**
 * seed.effect: what the seed probe saw of the first prompt, the word at the head of `note`: `exact`, `similar`, `one picture
 * for all seeds`, `varies within a seed`, `not claimed` (what was seen stands behind it) or `not testable`. Its value is the
 * share of other seeds that gave another picture. seed.omitted: leaving the seed out gives a picture that is `random`, or
 * `constant`; `not supported` where the target cannot. Its value is 1 or 0.
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
  { word, seen, takes, within, otherSeeds, otherPictures, reason }: SeedFinding,
): Measure {
  const said = word === 'not claimed' && seen !== null ? [`seen: ${seen}`] : [];
  const alike = within === null ? [] : [`${counted(takes, 'take')} of a seed: ${within}`];
  return measureOf(subject, {
    metric: 'seed.effect',
    statistic: 'share',
    value: otherSeeds === 0 ? null : otherPictures / otherSeeds,
    unit: '1',
    better: null,
    n: otherSeeds,
    interval: null,
    method: 'other seeds that gave another picture, on the first prompt',
    notes: [word, ...said, ...alike, ...(reason === '' ? [] : [reason])],
  });
}

function omitted(subject: Subject, { omitted: { word, takes, reason } }: SeedFinding): Measure {
  const known = word === 'random' || word === 'constant';
  return measureOf(subject, {
    metric: 'seed.omitted',
    statistic: 'share',
    value: known ? Number(word === 'random') : null,
    unit: '1',
    better: null,
    n: known ? takes : 0,
    interval: null,
    method: 'whether two takes without a seed differ',
    notes: [word, ...(reason === '' ? [] : [reason])],
  });
}
