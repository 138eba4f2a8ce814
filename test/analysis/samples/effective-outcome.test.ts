import { describe, expect, it } from 'vitest';
import { effectiveOutcome, factsByDigest } from '../../../src/analysis/samples/effective-outcome.ts';
import type { OutputFact } from '../../../src/record/fact.ts';
import type { Sample } from '../../../src/record/journal.ts';
import type { Price } from '../../../src/suite/load.ts';
import { buildFailure, buildOk, buildShown, digestOf } from '../../fixtures/stored-run-builder.ts';

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
      items: 1,
      width: 640,
      height: 360,
      frames: 1,
      fps: null,
      durationS: null,
      thumbnail: true,
      shown,
      undecoded: null,
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

  it('effectiveOutcome takes the first output and counts the others', () => {
    const sample = buildOk(100, 'image');
    if (sample.outcome !== 'ok') throw new Error('buildOk builds what is ok');
    const second = { sha256: digestOf('second'), bytes: 6, mime: 'image/png', declaredMime: null };
    const effective = effectiveOutcome(
      { ...sample, outputs: [...sample.outputs, second] },
      factsByDigest([sound]),
      null,
    );
    expect(effective.output).toMatchObject({ sha256: digestOf('image'), items: 2 });
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
