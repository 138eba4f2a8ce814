import { describe, expect, it, test } from 'vitest';
import { analyse } from '../../../src/analysis/analyse.ts';
import { effectiveOutcome } from '../../../src/analysis/effective-outcome.ts';
import { METRICS } from '../../../src/analysis/metrics.ts';
import type { LevelOfPair } from '../../../src/analysis/pair-levels.ts';
import { CACHED, untestable } from '../../../src/analysis/probe-untestable.ts';
import { decideCacheProbe } from '../../../src/analysis/probes/cache-probe.ts';
import { decideLoadProbe } from '../../../src/analysis/probes/load-probe.ts';
import { decideSeedProbe, type SeedContext } from '../../../src/analysis/probes/seed-probe.ts';
import type { Level } from '../../../src/media/level.ts';
import type { Sample } from '../../../src/record/journal.ts';
import type { StoredRun } from '../../../src/record/kept-run.ts';
import type { LoadTakes, SeedTakes } from '../../../src/record/output-pairs.ts';
import { foundIn } from '../../fixtures/build-warning.ts';
import { rowOf } from '../../fixtures/measure-query.ts';
import { buildProbe, type CacheStory, cacheProbe, probedRun } from '../../fixtures/probe-samples.ts';
import { buildFailure, buildOk, buildStoredRun } from '../../fixtures/stored-run-builder.ts';

/** Two seeds, three takes each; repeats take a tenth of the time. */
function measured(variant: string, firstMs: number, repeatMs: number, startsAt = 0): readonly Sample[] {
  return [1, 2, 3].flatMap((repeat) =>
    [1, 2].map((seed) =>
      buildOk(repeat === 1 ? firstMs : repeatMs, `${variant} ${seed}`, {
        trial: { variant, seed, repeat },
        startedMs: startsAt + 1000 * repeat + seed,
      }),
    ),
  );
}

const later = { startedMs: 1e5 };
const cached = cacheProbe({ totalMs: (repeat) => (repeat ? 20 : 200), ...later });

const warnings = (record: StoredRun) => analyse(record, METRICS).analysis.warnings;
const found = (record: StoredRun) => warnings(record).map(foundIn);
const findingIn = (record: StoredRun, asked: string) =>
  analyse(record, METRICS).analysis.probes.find(
    ({ variant, question }) => variant === 'standard' && question === asked,
  );

describe('probes in the analysis', () => {
  it('samples of probes are in no other number', () => {
    const trials = measured('standard', 100, 100);
    const extra = [
      buildProbe({ kind: 'seed', role: 'other', base: 1 }, 'other', { ...later, trial: { seed: 9 }, totalMs: 9000 }),
      buildProbe({ kind: 'load', role: 'concurrent' }, 'concurrent', { ...later, totalMs: 9000 }),
    ];
    const [plain, probed] = [[], extra].map(
      (more) => analyse(probedRun({ seeds: [1, 2], samples: [...trials, ...more] }), METRICS).analysis,
    );
    expect(probed?.measures).toEqual(plain?.measures);
    expect(probed?.cells).toEqual(plain?.cells);
    expect(probed?.variants).toEqual(plain?.variants);
    expect(probed?.flagged).toEqual(plain?.flagged);
  });

  it('a cache limits latency to first takes for every variant of the kind, and determinism is not testable', () => {
    const record = probedRun({
      seeds: [1, 2],
      samples: [...measured('standard', 200, 20), ...measured('fast', 100, 90, 10), ...cached],
    });
    const { analysis, samples } = analyse(record, METRICS);
    const timed = samples.filter((each) => each.timed).map(({ sample: { trial } }) => trial);
    expect(timed.map(({ variant, seed, repeat }) => [variant, seed, repeat])).toEqual(
      ['standard', 'fast'].flatMap((variant) => [1, 2].map((seed) => [variant, seed, 1])),
    );
    const find = (variant: string, metric: string, statistic: string) =>
      analysis.measures
        .map(rowOf)
        .find(
          (each) =>
            each.variant === variant && each.metric === metric && each.statistic === statistic && each.prompt === null,
        );
    expect(find('standard', 'latency.total', 'p50')).toMatchObject({ value: 200, n: 2 });
    expect(find('fast', 'latency.total', 'p50')).toMatchObject({ value: 100, n: 2 });
    expect(find('fast', 'latency.total', 'p50')?.note).toMatch(/;first_takes$/);
    expect(find('standard', 'determinism.byte', 'unstable')).toMatchObject({
      value: null,
      n: 0,
      ciLow: null,
      note: 'not_testable;cached',
    });
    expect(find('fast', 'determinism.byte', 'unstable')?.value).toBe(0);
    expect(find('standard', 'throughput', 'rate')?.note).toBe('cached_repeats');
    expect(findingIn(record, 'cache')).toMatchObject({ code: 'cached', facts: { ratio: expect.closeTo(10, 6) } });
    expect(warnings(record)).toContainEqual(
      expect.objectContaining({ code: 'served_from_cache', variants: ['standard'] }),
    );
  });

  it('an ignored seed is reported once', () => {
    const same = (seed: number, repeat: number) => buildOk(100, 'one', { trial: { seed, repeat } });
    const record = probedRun(
      {
        seeds: [1, 2],
        samples: [
          same(1, 1),
          same(1, 2),
          same(2, 1),
          same(2, 2),
          buildProbe({ kind: 'seed', role: 'other', base: 1 }, 'one', { ...later, trial: { seed: 9 } }),
        ],
      },
      { kinds: ['seed'] },
    );
    const told = warnings(record);
    expect(told.filter(({ code }) => code === 'seed_ignored')).toMatchObject([
      { variants: ['standard'], what: 'standard: seed ignored, one image for all seeds' },
    ]);
    expect(told.filter(({ code }) => code === 'same_for_all_seeds')).toEqual([]);
    const facts = { takes: 2, within: 'byte', otherSeeds: 2, otherImages: 0, bound: null };
    expect(findingIn(record, 'seed')).toMatchObject({ code: 'ignored', facts });
  });

  it('a seed probe whose own requests failed says so, with how they did', () => {
    const lost = (role: 'other' | 'omitted', repeat: number) =>
      buildFailure('error', {
        code: 'E9',
        trial: {
          id: `${role} ${repeat}`,
          phase: 'probe',
          seed: role === 'other' ? 9 : null,
          repeat,
          probe: { kind: 'seed', role, base: 1 },
        },
      });
    const record = probedRun(
      {
        samples: [
          ...measured('standard', 100, 100).filter(({ trial }) => trial.seed === 1),
          lost('other', 1),
          lost('omitted', 1),
          lost('omitted', 2),
        ],
      },
      { kinds: ['seed'] },
    );
    expect(findingIn(record, 'seed')).toMatchObject({ code: 'not_testable', facts: { takes: 3 } });
    expect(findingIn(record, 'no_seed')).toMatchObject({
      code: 'not_testable',
      evidence: '2 of 2 requests of the probe failed, most often error (E9)',
    });
    expect(warnings(record).filter(({ code }) => code === 'probe_not_testable')).toMatchObject([
      {
        facts: { question: 'seed' },
        cause: expect.stringMatching(/; 1 of 1 request of the probe failed, most often error \(E9\)$/),
      },
    ]);
  });

  it('missing probes leave the run incomplete', () => {
    const record = probedRun(
      { samples: measured('standard', 100, 100), seeds: [1, 2] },
      { kinds: ['seed'], trials: 3 },
    );
    const { analysis } = analyse(record, METRICS);
    expect(analysis.run).toMatchObject({ complete: false, missingProbes: 3 });
    expect(found(record)[0]).toMatchObject({ code: 'incomplete', missing: 0, planned: 6, missingProbes: 3 });
  });

  it('a probe with nothing to test is listed with its reason', () => {
    const skippedProbes = [
      { probe: 'load', variant: 'standard', whole: true, reason: { code: 'concurrency_1' } },
    ] as const;
    const record = probedRun(
      { samples: measured('standard', 100, 100), seeds: [1, 2] },
      { kinds: ['load'], skippedProbes },
    );
    expect(findingIn(record, 'load')).toMatchObject({
      ...{ code: 'not_testable', sentence: 'concurrency not testable', remedy: null },
      evidence: 'load.concurrency is 1, so requests never run together',
    });
    expect(found(record)).not.toContainEqual(expect.objectContaining({ code: 'probe_not_testable' }));
    expect(found(record)).toContainEqual({
      code: 'probe_left_out',
      probe: 'load',
      whole: true,
      variants: ['standard'],
    });
  });

  it('a sample that the service calls cached carries the flag', () => {
    const [first, ...rest] = measured('standard', 100, 100);
    if (first === undefined) throw new Error('none was measured');
    const said = { ...first, reported: { ...first.reported, cached: true } };
    const record = buildStoredRun({ seeds: [1, 2], samples: [said, ...rest] });
    expect(analyse(record, METRICS).samples[0]?.flags).toEqual(['cached']);
    expect(found(record)).toContainEqual({
      code: 'flagged_samples',
      flag: 'cached',
      variants: ['standard'],
      samples: 1,
      blocks: 1,
    });
  });

  it('a cache that a probe found is warned of once, whatever the samples say', () => {
    const said = measured('standard', 200, 20).map((sample) => ({
      ...sample,
      reported: { ...sample.reported, cached: true },
    }));
    const codes = warnings(probedRun({ seeds: [1, 2], samples: [...said, ...cached] })).map(({ code }) => code);
    expect(codes).toContain('served_from_cache');
    expect(codes).not.toContain('flagged_samples');
  });
});

const cells = (count: number, alone: readonly [string, string], concurrent: string): readonly LoadTakes[] =>
  Array.from({ length: count }, () => ({ alone, concurrent }));

const different = () => 'near' as const;

const FAILED = untestable('all requests failed');

describe('decideLoadProbe', () => {
  it('the load probe finds that concurrency changes what stays the same alone', () => {
    expect(decideLoadProbe([...cells(6, ['a', 'a'], 'b'), ...cells(2, ['a', 'a'], 'a')], different)).toMatchObject({
      question: 'load',
      code: 'batch_dependent',
      facts: {
        ...{ cells: 8, changedConcurrent: 6, changedAlone: 0 },
        ...{ p: expect.closeTo(1 / 64, 12), bound: expect.closeTo(0.954, 3) },
      },
    });
  });

  it('the load probe blames concurrency for nothing that happens alone too', () => {
    const both = [...cells(3, ['a', 'a'], 'b'), ...cells(3, ['a', 'b'], 'a'), ...cells(9, ['a', 'b'], 'c')];
    expect(decideLoadProbe(both, different)).toMatchObject({ code: 'no_sign', facts: { cells: 15 }, remedy: null });
  });

  it('the load probe makes no test where fewer than five cells disagree', () => {
    expect(decideLoadProbe(cells(4, ['a', 'a'], 'b'), different)).toMatchObject({
      code: 'too_few_discordant',
      facts: { changedConcurrent: 4, p: null, bound: 1 },
      remedy: null,
    });
  });

  it('the load probe finds no sign in cells that all agree, and bounds what it may have missed', () => {
    const found = decideLoadProbe(cells(36, ['a', 'a'], 'a'), different);
    expect(found).toMatchObject({
      code: 'no_sign',
      facts: { cells: 36, changedConcurrent: 0, changedAlone: 0, p: null },
    });
    expect(found.facts.bound).toBeCloseTo(1 - 0.05 ** (1 / 36), 12);
  });

  it('the load probe looks at pixels, and leaves out what was not compared', () => {
    const noisy = cells(7, ['a', 'b'], 'c');
    expect(decideLoadProbe(noisy, () => 'pixel')).toMatchObject({
      code: 'no_sign',
      facts: { cells: 7, changedConcurrent: 0 },
    });
    expect(decideLoadProbe(noisy, () => null)).toMatchObject({
      code: 'not_testable',
      facts: { cells: 0 },
      evidence: 'takes have different bytes and were not compared further',
    });
    const { why, remedy } = FAILED;
    expect(decideLoadProbe([], different, FAILED)).toMatchObject({
      ...{ code: 'not_testable', facts: { bound: null }, evidence: why, remedy },
    });
    expect(decideLoadProbe([], different)).toMatchObject({ code: 'not_testable', evidence: '', remedy: null });
  });
});

const plain: SeedContext = {
  variant: { seedClaim: 'exact', seedOmitMeans: 'unknown' },
  cached: false,
  keptSeed: null,
  takesSent: 3,
  lostOther: null,
  lostOmitted: null,
};

const claiming = (seedClaim: SeedContext['variant']['seedClaim']): SeedContext => ({
  ...plain,
  variant: { ...plain.variant, seedClaim },
});

/** Takes are named by an image and a version of it: versions of one image are at `inside`, images at `across`. */
function levels(inside: Level | null, across: Level | null): LevelOfPair {
  return (a, b) => (a[0] === b[0] ? inside : across);
}

const takes = (base: readonly string[], others = ['b0', 'c0'], omitted = ['d0', 'e0']): SeedTakes => ({
  base,
  others,
  omitted,
});

describe('decideSeedProbe', () => {
  test.each<[string, SeedTakes, LevelOfPair, string]>([
    ['equal bytes', takes(['a0', 'a0', 'a0']), levels(null, 'different'), 'exact'],
    ['equal pixels under other bytes', takes(['a0', 'a1']), levels('pixel', 'different'), 'exact'],
    ['takes that a magnifier tells apart', takes(['a0', 'a1']), levels('near', 'different'), 'similar'],
    ['similar takes', takes(['a0', 'a0', 'a1']), levels('similar', 'related'), 'similar'],
    ['related takes', takes(['a0', 'a1']), levels('related', 'different'), 'unstable'],
    ['equal bytes for all seeds', takes(['a0', 'a0'], ['a0', 'a0']), levels(null, null), 'ignored'],
    ['near images for all seeds', takes(['a0', 'a1'], ['a2', 'a3']), levels('near', null), 'ignored'],
    ['seeds no further apart than takes', takes(['a0', 'a1']), levels('similar', 'similar'), 'ignored'],
    ['similar seeds with exact takes', takes(['a0', 'a0']), levels(null, 'similar'), 'exact'],
    ['one other seed that is the same', takes(['a0', 'a0'], ['a0', 'b0']), levels(null, 'different'), 'exact'],
    ['one take, and all seeds the same', takes(['a0'], ['a0']), levels(null, null), 'ignored'],
    ['one take, and other images', takes(['a0']), levels(null, 'different'), 'not_testable'],
    ['takes that nobody compared', takes(['a0', 'a1']), levels(null, null), 'not_testable'],
    ['nothing delivered', takes([], []), levels(null, null), 'not_testable'],
  ])('the seed probe of %s: %s', (_, outputs, levelOf, word) => {
    expect(decideSeedProbe(outputs, plain, levelOf)[0].code).toBe(word);
  });

  it('the seed probe asks first whether takes of a seed agree: a service that draws one of a few images ignores nothing', () => {
    const [drawn] = decideSeedProbe(takes(['a0', 'b0', 'a0'], ['a0', 'b0']), plain, levels('byte', 'different'));
    const facts = { within: 'different', otherImages: 0, bound: null };
    expect(drawn).toMatchObject({ code: 'unstable', facts });
    const partlyCompared: LevelOfPair = (a, b) => ([a, b].includes('c0') ? null : 'different');
    expect(decideSeedProbe(takes(['a0', 'b0', 'c0']), plain, partlyCompared)[0].code).toBe('unstable');
  });

  it.each([
    [2, 0.95],
    [3, 1 - Math.sqrt(0.05)],
    [6, 1 - 0.05 ** (1 / 5)],
  ])('the seed probe bounds how often a further take would differ by its %i takes', (count, bound) => {
    const base = Array.from({ length: count }, () => 'a0');
    const [{ facts }] = decideSeedProbe(takes(base), plain, levels(null, 'different'));
    expect(facts.bound).toBeCloseTo(bound, 12);
  });

  it('the seed probe says that its own requests failed, not that takes could not be compared', () => {
    const context = { ...plain, lostOther: FAILED, lostOmitted: FAILED };
    expect(decideSeedProbe(takes(['a0', 'a0'], [], []), context, levels(null, 'different'))).toMatchObject([
      { code: 'not_testable', evidence: `lowest level among 2 takes of a seed: byte; ${FAILED.why}` },
      { code: 'not_testable', evidence: FAILED.why, remedy: null },
    ]);
    expect(decideSeedProbe(takes([], ['b0']), context, levels(null, null))[0].evidence).toBe(
      '1 of 1 other seed gave another image; no take of the first prompt and seed was delivered (3 sent)',
    );
  });

  it('the seed probe says what it saw of a seed when the target claims nothing', () => {
    const [found] = decideSeedProbe(takes(['a0', 'a1']), claiming('none'), levels('related', 'different'));
    expect(found).toMatchObject({ code: 'unstable', sentence: 'seed not claimed', remedy: null });
    expect(found.evidence).toMatch(/^observed: unstable, takes of one seed differ; lowest level among 2 takes/);
  });

  it('the seed probe takes equal repeats for nothing where they come from a cache', () => {
    const cached = { ...plain, cached: true };
    expect(decideSeedProbe(takes(['a0', 'a0']), cached, levels(null, 'different'))[0]).toMatchObject({
      ...{ code: 'not_testable', remedy: 'turn the cache off and run again' },
    });
    expect(decideSeedProbe(takes(['a0', 'a0'], ['a0']), cached, levels(null, 'different'))[0].code).toBe('ignored');
  });

  it('the seed probe tells apart what leaving the seed out does', () => {
    const omitted = (outputs: readonly string[], context = plain) =>
      decideSeedProbe(takes(['a0', 'a0'], ['b0'], [...outputs]), context, levels('near', 'different'))[1];
    expect(omitted(['d0', 'e0']).code).toBe('random');
    expect(omitted(['d0', 'd1']).code).toBe('constant');
    expect(omitted(['d0', 'd1'], { ...plain, cached: true }).code).toBe('not_testable');
    expect(omitted(['d0', 'e0'], { ...plain, cached: true }).code).toBe('random');
    expect(omitted(['d0'])).toMatchObject({ code: 'not_testable', facts: { takes: 1 } });
    expect(omitted([], { ...plain, keptSeed: FAILED })).toMatchObject({ code: 'not_supported', evidence: FAILED.why });
  });

  it.each([
    [['a0', 'a0'], ['a0'], { exact: /^check/, similar: /^check/, none: null }],
    [['a0', 'b0'], ['c0'], { exact: /^check/, similar: /^check/, none: null }],
    [['a0', 'a1'], ['b0'], { exact: /claim: similar/, similar: null, none: null }],
    [['a0', 'a0'], ['b0'], { exact: null, similar: null, none: null }],
    [['a0'], ['b0'], { exact: /^look at its rows/, similar: /^look at its rows/, none: null }],
  ])('the seed probe of %s beside %s has a remedy where the target claims otherwise', (base, others, remedies) => {
    for (const claim of ['exact', 'similar', 'none'] as const) {
      const [{ remedy }] = decideSeedProbe(takes(base, others), claiming(claim), levels('near', 'different'));
      if (remedies[claim] === null) expect(remedy, claim).toBeNull();
      else expect(remedy, claim).toMatch(remedies[claim]);
    }
  });

  it.each([
    ['constant', 'constant', null],
    ['constant', 'unknown', null],
    ['constant', 'random', /omit_means: constant/],
    ['random', 'random', null],
    ['random', 'constant', /omit_means: random/],
  ] as const)('a seed that is left out is found %s, and declared %s', (code, seedOmitMeans, remedy) => {
    const context = { ...plain, variant: { ...plain.variant, seedOmitMeans } };
    const outputs = takes(['a0', 'a0'], ['b0'], code === 'constant' ? ['d0', 'd0'] : ['d0', 'e0']);
    const [, found] = decideSeedProbe(outputs, context, levels('near', 'different'));
    expect(found).toMatchObject({ code, evidence: '2 takes without a seed' });
    if (remedy === null) expect(found.remedy).toBeNull();
    else expect(found.remedy).toMatch(remedy);
  });
});

it('the words of each finding are those that were reviewed', async () => {
  const repeats = (story: CacheStory) =>
    decideCacheProbe(cacheProbe(story).map((sample) => effectiveOutcome(sample, new Map(), null)));
  const [free, equal, near] = [levels(null, 'different'), takes(['a0', 'a0', 'a0']), levels('similar', 'different')];
  const findings = [
    ...decideSeedProbe(equal, plain, free),
    ...decideSeedProbe(takes(['a0', 'a0'], ['a0', 'a0'], ['d0', 'd0']), plain, free),
    ...decideSeedProbe(takes(['a0', 'a1']), plain, levels('related', 'different')),
    ...decideSeedProbe(takes(['a0', 'a1'], ['b0'], []), { ...plain, keptSeed: FAILED }, near),
    ...decideSeedProbe(equal, { ...claiming('none'), cached: true }, free),
    ...decideSeedProbe(takes(['a0'], ['b0'], ['d0']), plain, free),
    repeats({ totalMs: (repeat) => (repeat ? 10 : 500), says: (repeat) => repeat }),
    repeats({ totalMs: () => 500 }),
    repeats({ totalMs: () => 500, equal: false }),
    decideCacheProbe([]),
    decideLoadProbe([...cells(6, ['a', 'a'], 'b'), ...cells(2, ['a', 'a'], 'a')], different),
    decideLoadProbe(cells(4, ['a', 'a'], 'b'), different),
    decideLoadProbe(cells(9, ['a', 'a'], 'a'), different),
    decideLoadProbe([], different, CACHED),
    ...decideSeedProbe(equal, { ...plain, variant: { seedClaim: 'exact', seedOmitMeans: 'constant' } }, free),
  ];
  const words = findings.map(({ sentence, evidence, remedy }) => [sentence, evidence, remedy ?? '-'].join('\n  '));
  await expect(`${words.join('\n')}\n`).toMatchFileSnapshot('../../golden/probes.txt');
});
