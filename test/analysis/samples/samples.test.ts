import { describe, expect, it, test } from 'vitest';
import { analyse } from '../../../src/analysis/analyse.ts';
import { effectiveOutcome } from '../../../src/analysis/effective-outcome.ts';
import { METRICS } from '../../../src/analysis/metrics.ts';
import { spanMs } from '../../../src/analysis/sample-times.ts';
import type { OutputFact } from '../../../src/record/fact.ts';
import type { Sample } from '../../../src/record/journal.ts';
import { factsByDigest } from '../../../src/record/output-pairs.ts';
import type { RunVariant } from '../../../src/record/run.ts';
import { createBudget } from '../../../src/run/limits/stop-rules.ts';
import type { Price } from '../../../src/suite/load.ts';
import { buildFailure, buildOk, buildShown, buildStoredRun, digestOf } from '../../fixtures/stored-run-builder.ts';

const about = { fact: 'output', sha256: digestOf('image'), bytes: 7, mime: 'image/webp' } as const;
const shown = buildShown(digestOf('image'));
const size = { width: 640, height: 360, frames: 1, thumbnail: true };
const sound = { ...about, ...size, decodes: true, video: null, shown } as const;
const video = {
  fps: 24,
  durationS: 2,
  codec: 'h264',
  pixelFormat: 'yuv420p',
  framesSha256: digestOf('frames'),
  preview: true,
} as const;

describe('effectiveOutcome', () => {
  it('effectiveOutcome lets what decodes be ok, with what is known of it', () => {
    const effective = effectiveOutcome(buildOk(100, 'image', { costUsd: 0.02 }), factsByDigest([sound]), null);
    expect(effective).toMatchObject({ outcome: 'ok', error: null, costUsd: 0.02 });
    expect(effective.output).toEqual({
      sha256: digestOf('image'),
      bytes: 5,
      mime: 'image/webp',
      width: 640,
      height: 360,
      frames: 1,
      fps: null,
      durationS: null,
      thumbnail: true,
      shown,
      undecoded: null,
      undecodable: null,
    });
  });

  it('effectiveOutcome gives the rate and duration of a video, and null for an image', () => {
    const image = effectiveOutcome(buildOk(100, 'image'), factsByDigest([sound]), null);
    expect(image.output).toMatchObject({ frames: 1, fps: null, durationS: null });
    const moving = { ...sound, mime: 'video/mp4', frames: 48, video } as const;
    const effective = effectiveOutcome(buildOk(100, 'image'), factsByDigest([moving]), null);
    expect(effective.output).toMatchObject({ width: 640, frames: 48, fps: 24, durationS: 2 });
  });

  it('effectiveOutcome makes invalid media of what looks like an image and does not decode', () => {
    const broken = { ...about, decodes: false, reason: { code: 'not_decodable', detail: 'cut off' } } as const;
    const effective = effectiveOutcome(buildOk(100, 'image'), factsByDigest([broken]), null);
    expect(effective.outcome).toBe('invalid_media');
    expect(effective.error).toEqual({ code: 'undecodable', message: '', undecodable: broken.reason });
    expect(effective.output).toMatchObject({ sha256: digestOf('image'), width: null, thumbnail: false });
    expect(effective.sample.outcome).toBe('ok');
  });

  it('effectiveOutcome lets the runner stand where examination has nothing to say', () => {
    const unknown = { ...about, decodes: null, reason: { code: 'not_supported', detail: 'no demuxer' } } as const;
    for (const facts of [[], [unknown]]) {
      const effective = effectiveOutcome(buildOk(100, 'image'), factsByDigest(facts), null);
      expect(effective).toMatchObject({ outcome: 'ok', error: null, output: { frames: null, thumbnail: false } });
      expect(effective.output?.undecoded).toEqual(facts.length === 0 ? null : unknown.reason);
    }
  });

  it('effectiveOutcome believes the last fact about a digest', () => {
    const broken = { ...about, decodes: false, reason: { code: 'timed_out', limitMs: 20_000 } } as const;
    expect(effectiveOutcome(buildOk(100, 'image'), factsByDigest([broken, sound]), null).outcome).toBe('ok');
  });

  it('effectiveOutcome takes the first output and keeps the others', () => {
    const sample = buildOk(100, 'image');
    if (sample.outcome !== 'ok') throw new Error('buildOk builds what is ok');
    const second = { sha256: digestOf('second'), bytes: 6, mime: 'image/png', declaredMime: null };
    const effective = effectiveOutcome(
      { ...sample, outputs: [...sample.outputs, second] },
      factsByDigest([sound]),
      null,
    );
    expect(effective.output).toMatchObject({ sha256: digestOf('image'), width: 640 });
    expect(effective.outputs).toMatchObject([effective.output, { sha256: digestOf('second'), width: null }]);
  });

  it('effectiveOutcome keeps failures as they are, and sorts flags', () => {
    const effective = effectiveOutcome(
      buildFailure('error', { code: 'E7', message: 'boom', flags: ['orphans', 'harness_lag', 'orphans'] }),
      new Map(),
      null,
    );
    expect(effective).toMatchObject({ outcome: 'error', error: { code: 'E7', message: 'boom' }, output: null });
    expect(effective.flags).toEqual(['harness_lag', 'orphans']);
  });

  it('effectiveOutcome prices what the service does not say the cost of', () => {
    const costOf = (per: Price['per'], sample: Sample, fact: OutputFact = { ...sound, width: 1000, height: 2000 }) =>
      effectiveOutcome(sample, factsByDigest([fact]), { per, usd: 0.02 }).costUsd;
    const ok = buildOk(100, 'image');
    expect(costOf('request', ok)).toBe(0.02);
    expect(costOf('output', ok)).toBe(0.02);
    expect(costOf('megapixel', ok)).toBeCloseTo(0.04, 12);
    expect(costOf('second', ok, { ...sound, video: { ...video, durationS: 2.5 } })).toBeCloseTo(0.05, 12);
    // An image has no seconds, a video that was not decoded has none that are known, and a price per output says
    // nothing of a failure.
    expect(costOf('second', ok)).toBeNull();
    expect(
      costOf('second', ok, { ...about, decodes: null, reason: { code: 'not_supported', detail: 'no decoder' } }),
    ).toBeNull();
    expect(costOf('output', buildFailure('error'))).toBeNull();
    expect(costOf('request', { ...buildFailure('throttled'), attempts: 3 })).toBeCloseTo(0.06, 12);
    expect(costOf('request', buildOk(100, 'image', { costUsd: 0.5 }))).toBe(0.5);
  });
});

describe('spanMs', () => {
  it('spanMs counts a call that failed without a reply to its end', () => {
    const dropped = buildFailure('error', { startedMs: 100, afterMs: 1500, marks: { startedMs: 100, sentMs: 101 } });
    expect(spanMs([buildOk(100, 'image'), dropped])).toBe(1600);
  });

  it('spanMs counts the wait of a refused request from its first start', () => {
    expect(spanMs([buildOk(100, 'image', { startedMs: 900, throttleWaitMs: 400 })])).toBe(500);
  });

  it('spanMs is 0 for no samples', () => {
    expect(spanMs([])).toBe(0);
  });
});

const AWAY = { name: 'standard', baseUrl: 'https://api.test' };

/** Analyses a record whose intents say what a submit costs at most. */
function spendOf(
  variants: readonly Partial<RunVariant>[],
  samples: readonly Sample[],
  { mostUsd, replaced = [] }: { readonly mostUsd?: number; readonly replaced?: readonly Sample[] } = {},
) {
  const record = buildStoredRun({ variants, samples });
  const intents = record.intents.map((intent) => (mostUsd === undefined ? intent : { ...intent, mostUsd }));
  const { analysis } = analyse({ ...record, intents, replaced }, METRICS);
  return { ...analysis, spend: analysis.run.spend };
}

it('spend of a price per request: is owed for warm-ups, probes, failures, attempts and replaced requests', () => {
  const price = { per: 'request', usd: 0.1 } as const;
  const samples = [
    buildOk(100, 'w', { trial: { phase: 'warmup' } }),
    buildOk(100, 'a', { attempts: 3 }),
    buildFailure('timed_out', { trial: { repeat: 2 } }),
    buildFailure('unknown_charged', { trial: { repeat: 3 } }),
    buildOk(100, 'p', { trial: { phase: 'probe' } }),
    buildFailure('dropped', { trial: { repeat: 4 } }),
    buildFailure('cancelled', { trial: { repeat: 5 }, attempts: 0 }),
  ];
  const replaced = [buildFailure('unknown_charged', { trial: { repeat: 2 } })];
  const { spend, variants, measures } = spendOf([{ ...AWAY, price }], samples, { replaced });
  const expected = { requests: 8, usd: 0.8, unknownRequests: 0, mostUsd: 0.8 };
  expect(spend).toEqual(expected);
  expect(variants[0]?.spend).toEqual(expected);
  expect(measures.find(({ metric }) => metric === 'spend')).toMatchObject({
    statistic: 'total',
    value: 0.8,
    unit: 'usd',
    n: 8,
    method: 'sum',
    notes: [],
  });
});

it('spend of a price per output: is unknown for failures and refused attempts, and has an upper bound', () => {
  const samples = [
    buildOk(100, 'a', { attempts: 2 }),
    buildFailure('timed_out', { trial: { repeat: 2 } }),
    buildFailure('rejected', { trial: { repeat: 3 }, costUsd: 0.01 }),
  ];
  const { spend, measures } = spendOf([{ ...AWAY, price: { per: 'output', usd: 0.05 } }], samples, { mostUsd: 0.2 });
  expect(spend).toEqual({ requests: 4, usd: 0.06, unknownRequests: 2, mostUsd: 0.46 });
  expect(measures.find(({ metric }) => metric === 'spend')).toMatchObject({
    value: 0.06,
    n: 2,
    notes: [{ code: 'unknown_cost', value: 2 }],
  });
});

it('spend where only replies say a cost: counts these, and the rest has no upper bound', () => {
  const samples = [buildOk(100, 'a', { costUsd: 0.02 }), buildFailure('error', { trial: { repeat: 2 } })];
  expect(spendOf([AWAY], samples).spend).toEqual({ requests: 2, usd: 0.02, unknownRequests: 1, mostUsd: null });
});

it('spend of a run without any price: says nothing', () => {
  const { spend, variants, measures } = spendOf([AWAY], [buildOk(100, 'a'), buildFailure('error')]);
  expect([spend, variants[0]?.spend, measures.some(({ metric }) => metric === 'spend')]).toEqual([null, null, false]);
});

it('spend at the reference service of the run: is nothing beside a variant that costs', () => {
  const price = { per: 'output', usd: 0.05 } as const;
  const free = { name: 'free', baseUrl: 'embedded:' };
  const samples = [
    buildOk(100, 'a', { trial: { variant: 'free' } }),
    buildFailure('error', { trial: { variant: 'free', repeat: 2 } }),
    buildOk(100, 'b'),
  ];
  const { spend, variants } = spendOf([{ ...AWAY, price }, free], samples);
  expect(spend).toEqual({ requests: 3, usd: 0.05, unknownRequests: 0, mostUsd: 0.05 });
  expect(variants.map(({ spend: own }) => own?.usd)).toEqual([0.05, 0]);
});

test.each([
  ['request', 0.3, null],
  ['output', 0.3, 0.1],
] as const)('spend with a price per %s: is at most what limits.usd counts', (per, mostUsd, perOutputUsd) => {
  const samples = [
    buildOk(100, 'a', { attempts: 3 }),
    buildOk(100, 'b', { trial: { repeat: 2 }, costUsd: 0.02, attempts: 2 }),
    buildFailure('timed_out', { trial: { repeat: 3 } }),
    buildFailure('throttled', { trial: { repeat: 4 }, attempts: 4 }),
    buildFailure('rejected', { trial: { repeat: 5 }, costUsd: 0 }),
  ];
  const delivered = perOutputUsd === null ? null : ({ per: 'output', usd: perOutputUsd } as const);
  const bounds = { leastUsd: 0.1, mostUsd, delivered };
  const submitted = samples.map((sample) => ({ trial: sample.trial, attempts: sample.attempts, sample }));
  const counted = createBudget(100, () => bounds, submitted).usd();
  const price = { per, usd: perOutputUsd ?? mostUsd };
  expect(spendOf([{ ...AWAY, price }], samples, { mostUsd }).spend?.mostUsd).toBeCloseTo(counted, 9);
});
