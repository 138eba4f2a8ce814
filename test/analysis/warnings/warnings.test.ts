import { describe, expect, it } from 'vitest';
import { analyse } from '../../../src/analysis/analyse.ts';
import { METRICS } from '../../../src/analysis/metrics.ts';
import type { Warning } from '../../../src/analysis/warning.ts';
import { lateVariants } from '../../../src/analysis/warnings/overload.ts';
import type { Fact } from '../../../src/record/fact.ts';
import type { Sample, Stop } from '../../../src/record/journal.ts';
import type { StoredRun } from '../../../src/record/kept-run.ts';
import { createRandom } from '../../../src/statistics/random.ts';
import { foundIn } from '../../fixtures/build-warning.ts';
import { OPEN } from '../../fixtures/plan-input.ts';
import { lateRun, openRun, sweepRun } from '../../fixtures/scripted-load.ts';
import {
  buildCalibration,
  buildFailure,
  buildOk,
  buildStoredRun,
  digestOf,
  type RunParts,
} from '../../fixtures/stored-run-builder.ts';
import { mergedFrom } from '../../fixtures/stored-suite.ts';
import { flagged, lateTakes, repeat, variant } from '../../fixtures/warning-evidence.ts';

/* That what a record holds reaches the rules; what they make of it is in the tests beside this one. */

type Change = Parameters<typeof buildOk>[2] & { readonly totalMs?: number };

/** So many takes of 100 ms, each seed its own image; `change` makes one what it is. */
function takes(count: number, change: (at: number) => Change = () => ({})): Sample[] {
  return repeat(count, (at) => {
    const { totalMs = 100, trial, ...parts } = change(at);
    const place = { seed: (at % 2) + 1, repeat: at + 1, ...trial };
    return buildOk(totalMs, `image ${at % 2}`, { startedMs: at * 1000, trial: place, ...parts });
  });
}

const CALM = takes(59);
const WARM = buildOk(100, 'warm', { trial: { phase: 'warmup' } });
const LOST = buildFailure('error', { trial: { phase: 'warmup' } });

const runOf = (samples: readonly Sample[], parts: Partial<RunParts> = {}, warm = WARM): StoredRun =>
  buildStoredRun({ seeds: [1, 2], ...parts, samples: [warm, ...samples] });
const analysed = (record: StoredRun) => analyse(record, METRICS).analysis;
const warningsOf = (record: StoredRun, code: Warning['code']) =>
  analysed(record).warnings.filter((warning) => warning.code === code);

/** Takes with a flag, of another latency. */
const flagging = (flag: string, isFlagged: (at: number) => boolean, totalMs: number) => (at: number) =>
  isFlagged(at) ? { flags: [flag], totalMs: totalMs } : {};
const late = (count: number, share: number, totalMs = 300) =>
  takes(
    count,
    flagging('harness_lag', (at) => (37 * at) % 100 < share * 100, totalMs),
  );

/** Of which every tenth call begins so late. */
const underOpenLoad = (lagMs: number, others: readonly Sample[] = []) =>
  runOf(
    [...takes(98, (at) => ({ scheduledMs: at * 1000, startedMs: at * 1000 + (at % 10 === 0 ? lagMs : 1) })), ...others],
    { load: OPEN },
  );
const DROPPED = [1, 2].map((at) => buildFailure('dropped', { scheduledMs: at, trial: { seed: 1, repeat: 1000 + at } }));

const FAILURES = [
  ...repeat(3, (at) => buildFailure('error', { code: 'E7', httpStatus: 500, trial: { repeat: 100 + at } })),
  buildFailure('timed_out', { startedMs: 2e6, trial: { repeat: 200 } }),
];

/** How the only segment ended, and how many requests were abandoned in it. */
function segmentsOf(stop: Stop, orphans = 0): StoredRun['segments'] {
  const [{ started } = { started: null }] = buildStoredRun({ samples: [] }).segments;
  const ended = { event: 'segment', state: 'ended', segment: 1, atMs: 1, orphans, loopDelay: null, stop } as const;
  return started === null ? [] : [{ started, ended }];
}
const AT_LIMIT = { variants: [{ plannedTrials: 100 }], segments: segmentsOf({ reason: 'requests', limit: 5 }) };

const NO_ENCODER = { code: 'no_video_encoder', encoder: 'libx264' } as const;
const BATTERY = { code: 'saves_power', by: { code: 'battery' } } as const;
const leftOut = ['video', 'video-fast'].map((name) => ({
  ...({ variant: name, twinOf: null, kind: 'text-to-video', reason: NO_ENCODER, optional: false } as const),
}));
function onBattery({ run, ...record }: StoredRun): StoredRun {
  return { ...record, run: { ...run, calibration: buildCalibration({ unfit: [BATTERY] }) } };
}

/** A pair of outputs that could not be compared, beside what is known of the takes. */
function uncompared(one: string, other: string): Partial<RunParts> {
  const [a = '', b = ''] = [digestOf(one), digestOf(other)].sort();
  const pair: Fact = { fact: 'pair', a, b, compared: false, reason: { code: 'decoder_died' } };
  return { facts: [...buildStoredRun({ samples: CALM }).facts, pair] };
}

/** Jobs of a second whose last poll that said not yet was sent so long before the one that said done. */
function polled(gapMs: number, polls = 3): StoredRun {
  const jobs = takes(12, () => ({ totalMs: 1000, polls })).map((sample) => {
    if (sample.outcome !== 'ok') return sample;
    const readyMs = sample.marks.startedMs + 990;
    const marks = { ...sample.marks, acceptedMs: readyMs - 980, lastPendingMs: readyMs - gapMs, readyMs };
    return { ...sample, marks };
  });
  return runOf(jobs);
}

/** A take that was lost, beside requests that still ran. */
function abandoned(cancelsJobs: boolean | null, outcome: 'timed_out' | 'cancelled' = 'timed_out'): StoredRun {
  const lost = buildFailure(outcome, { code: outcome });
  const beside = takes(
    100,
    flagging('orphans', (at) => at < 3, 100),
  );
  return runOf([lost, ...beside], { variants: [{ cancelsJobs }], segments: segmentsOf({ reason: 'finished' }, 2) });
}
const ORPHANS = { requests: 2, samples: 3, interrupted: false, withoutCancel: [] };

/** Two variants with the same outputs, of which one lacks a constant. */
const EQUAL = runOf(
  ['euler', 'heun'].flatMap((name) => takes(6, () => ({ trial: { variant: name } }))),
  { variants: [{ name: 'euler', constants: { sampler: 'euler' } }, { name: 'heun' }] },
);
const SAMPLER = { variants: ['euler', 'heun'], cells: 2, constants: [{ name: 'sampler', values: ['euler', null] }] };

const mergedOnBattery = mergedFrom(runOf(CALM), 2, {
  calibrations: [null, buildCalibration({ unfit: [BATTERY] })],
});
const stalled = runOf(takes(60, (at) => (at === 20 ? { totalMs: 2100 } : {})));
const oneImage = runOf(repeat(60, (at) => buildOk(100, 'always', { trial: { seed: (at % 2) + 1, repeat: at + 1 } })));
const unseeded = runOf(CALM, { variants: [{ sendsSeed: false }] });

it.each<[is: string, code: Warning['code'], record: StoredRun, found: object]>([
  [
    'how it stopped',
    'incomplete',
    runOf(CALM, AT_LIMIT),
    { variants: [], missing: 41, planned: 100, missingProbes: 0 },
  ],
  [
    'left out',
    'variants_left_out',
    runOf(CALM, { leftOut }),
    { variants: ['video', 'video-fast'], reason: NO_ENCODER },
  ],
  ['calibration', 'unfit_machine', onBattery(runOf(CALM)), { variants: [], shards: [], reason: BATTERY }],
  [
    'failures',
    'many_failures',
    runOf([...CALM, ...FAILURES]),
    { failed: 4, takes: 63, outcome: 'error', httpStatus: 500 },
  ],
  ['missing facts', 'not_decoded', runOf(CALM, { facts: [] }), { outputs: 59, media: 'image', reason: null }],
  [
    'pairs',
    'not_compared',
    runOf(CALM, uncompared('image 0', 'image 1')),
    { pairs: 1, reason: { code: 'decoder_died' } },
  ],
  ['outputs', 'same_for_all_seeds', oneImage, { unfit: 'comparison', prompts: 1, ofPrompts: 1 }],
  ['outputs of variants', 'equal_variants', EQUAL, { unfit: 'comparison', ...SAMPLER }],
  ['seeds', 'no_seed_sent', unseeded, { seeds: [1, 2] }],
  ['a plan without warm-ups', 'not_warmed_up', runOf(CALM, { load: { warmup: 0 } }, LOST), { variants: [] }],
  ['warm-ups', 'warmup_failed', runOf(CALM, {}, LOST), {}],
  ['flags', 'flagged_samples', runOf(late(20, 0.05, 100)), { flag: 'harness_lag', samples: 2, blocks: 2 }],
  ['requests that ran on', 'abandoned_requests', abandoned(null), ORPHANS],
  ['those that can be cancelled', 'abandoned_requests', abandoned(true), ORPHANS],
  ['those that cannot', 'abandoned_requests', abandoned(false), { ...ORPHANS, withoutCancel: ['standard'] }],
  ['an abort', 'abandoned_requests', abandoned(null, 'cancelled'), { ...ORPHANS, interrupted: true }],
  ['dropped starts', 'dropped_starts', underOpenLoad(1, DROPPED), { dropped: 2, starts: 100 }],
  ['late starts', 'late_starts', underOpenLoad(8), { lagMs: 8, statistic: 'p99' }],
  ['order', 'drift_confounded', openRun(), { variants: [] }],
  ['a stall', 'service_stalled', stalled, { step: null, longestMs: 2100, medianMs: 100, hiddenCalls: 20, calls: 60 }],
  ['polls', 'coarse_polls', polled(400), { step: null, gapMs: 400, medianMs: 1000 }],
  ['shards', 'measured_in_shards', mergedFrom(runOf(CALM), 3), { variants: [], shards: 3 }],
  ['calibrations', 'unfit_machine', mergedOnBattery, { variants: [], shards: [2], reason: BATTERY }],
  ['late marks', 'too_many_late_stamps', runOf(late(100, 0.7)), { unfit: 'latencies', late: [70], agree: [false] }],
  ['harmless ones', 'too_many_late_stamps', runOf(late(100, 0.2, 100)), { late: [20], samples: [100], agree: [true] }],
])('what a record holds of %s reaches the rule of %s', (_, code, record, found) => {
  expect(warningsOf(record, code).map(foundIn)).toMatchObject([{ code, variants: ['standard'], ...found }]);
});

it.each<[is: string, record: StoredRun, none: readonly Warning['code'][]]>([
  ['open load that keeps up', underOpenLoad(1), ['late_starts', 'dropped_starts', 'drift_confounded']],
  ['a sweep, whose larger steps take longer', sweepRun(), ['service_stalled']],
  ['replies without polls', polled(400, 0), ['coarse_polls']],
  ['a pair of outputs of no take', runOf(CALM, uncompared('x', 'y')), ['not_compared']],
  [
    'few late marks',
    runOf(
      takes(
        15,
        flagging('harness_lag', (at) => at === 3, 100),
      ),
    ),
    ['too_many_late_stamps'],
  ],
])('%s is not warned of', (_, record, none) => {
  const { warnings } = analysed(record);
  expect(warnings.filter(({ code }) => none.includes(code))).toEqual([]);
});

describe('warnings', () => {
  it('the list of warnings is empty for a sound run of 59 takes', () => {
    expect(analysed(runOf(CALM)).warnings).toEqual([]);
  });

  it('what makes latencies unfit comes first, then why a run is incomplete', () => {
    const { warnings } = analysed(runOf(late(100, 0.7), { variants: [{ plannedTrials: 200 }] }));
    expect(warnings.map(({ code }) => code).slice(0, 2)).toEqual(['too_many_late_stamps', 'incomplete']);
    expect(warnings.slice(1).filter(({ unfit }) => unfit !== undefined)).toEqual([]);
    expect(warnings.map(({ code }) => code)).not.toContain('flagged_samples');
  });

  it('the warning of late stamps says how late its event loop was, where that was watched', () => {
    expect(analysed(lateRun()).warnings[0]?.cause).toContain('up to 310 ms, p99 48.0 ms');
  });

  it.each([
    [0.03, 0, 0.02],
    [0.05, 0, 0.02],
    [0.25, 0.95, 1],
  ])('late stamps at a true share of %s are warned of in %s to %s of first runs', (share, least, most) => {
    const random = createRandom(5);
    const [RUNS, TAKES] = [200, 15];
    const names = repeat(11, (at) => `v${at}`);
    const given = repeat(RUNS, () => {
      const lags = names.map((name) =>
        flagged(name, repeat(TAKES, () => random.uniform()).filter((u) => u < share).length, true),
      );
      return lateVariants({
        flagged: lags.filter(({ samples }) => samples > 0),
        variants: names.map((name) => variant(name)),
        trials: names.flatMap((name) => lateTakes(name, TAKES)),
      });
    }).filter((found) => found.length > 0).length;
    expect(given / RUNS).toBeGreaterThanOrEqual(least);
    expect(given / RUNS).toBeLessThanOrEqual(most);
  });
});

describe('flagged samples', () => {
  it('flagged samples are compared with the rest where they make another median', () => {
    const samples = takes(100, (at) =>
      [1, 4, 7].includes(at % 10) ? {} : { flags: ['orphans'], totalMs: 200 + ((37 * at) % 100) / 100 },
    );
    const { flagged, warnings } = analysed(runOf(samples));
    expect(flagged).toMatchObject([
      {
        ...{ variant: 'standard', step: null, flags: { orphans: 70 }, samples: 70, ofSamples: 100 },
        ...{
          blocks: 70,
          ofBlocks: 100,
          withoutFlagged: { valueMs: 100, lowMs: 100, highMs: 100, n: 30 },
          agree: false,
        },
      },
    ]);
    expect(warnings.find(({ code }) => code === 'flags_disagree')).toMatchObject({
      variants: ['standard'],
      facts: { step: null, withFlaggedMs: flagged[0]?.withFlagged.valueMs, withoutFlaggedMs: 100 },
    });
  });

  it.each<[is: string, samples: readonly Sample[], agree: boolean | null]>([
    [
      'where one side has no interval',
      takes(
        100,
        flagging('orphans', (at) => at < 96, 200),
      ),
      null,
    ],
    [
      'where takes depend on each other',
      takes(100, (at) => (at < 70 ? { flags: ['slowed'], totalMs: 300 + at } : {})),
      null,
    ],
    ['even of few', takes(14, (at) => (at < 8 ? { flags: ['harness_lag'], totalMs: 300 + at } : {})), null],
  ])('flagged samples are not said to agree %s', (_, samples, agree) => {
    expect(analysed(runOf(samples)).flagged).toMatchObject([{ agree }]);
  });
});

describe('polls', () => {
  it('a polled generation is measured at both of its ends', () => {
    const p50 = (record: StoredRun, name: string) =>
      analysed(record).measures.find(({ metric, statistic }) => metric === `latency.${name}` && statistic === 'p50');
    expect(p50(polled(400), 'generation_low')?.value).toBe(590);
    expect(p50(polled(400), 'generation')?.value).toBe(990);
    expect(p50(polled(400, 0), 'generation_low')).toBeUndefined();
  });
});

describe('a seed that the service says', () => {
  /** The flags of takes of seeds, each with the number that the service says was the seed. */
  function flagsOf(...said: readonly (readonly [seed: number, echo: string])[]): readonly (readonly string[])[] {
    const samples = said.map(([seed, seedEcho], at) => {
      const sample = buildOk(100, `${at}`, { trial: { seed, repeat: at + 1 } });
      return { ...sample, reported: { ...sample.reported, seedEcho } };
    });
    const takes = analyse(buildStoredRun({ samples }), METRICS).samples;
    return takes.map(({ flags }) => flags);
  }

  it('an echoed seed is flagged where it differs from the seed sent, to its last digit', () => {
    const most = Number.MAX_SAFE_INTEGER;
    const same = [
      [1, '1'],
      [3, '3.0'],
      [most, `${most}`],
      [most, `${most}.0`],
      [1, 'random'],
      [2, ''],
    ] as const;
    const other = [
      [2, '0.1225'],
      [most, `${most}.4`],
      [most, '9007199254740992'],
      [2 ** 53, '9007199254740993'],
    ] as const;
    expect(flagsOf(...same)).toEqual(same.map(() => []));
    expect(flagsOf(...other)).toEqual(other.map(() => ['seed_echo']));
  });
});
