import { describe, expect, it } from 'vitest';
import { factsByDigest, judge } from '../../../src/analysis/samples/effective-outcome.ts';
import type { OutputFact } from '../../../src/record/model/fact.ts';
import type { Sample } from '../../../src/record/model/sample.ts';
import type { Price } from '../../../src/suite/format/suite.ts';
import { buildFailure, buildOk, digestOf } from '../../fixtures/sample-builder.ts';
import { buildShown } from '../../fixtures/stored-run-builder.ts';

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

describe('judge', () => {
  it('lets what decodes be ok, with what is known of it', () => {
    const judged = judge(buildOk(100, 'image', { costUsd: 0.02 }), factsByDigest([sound]), null);
    expect(judged).toMatchObject({ outcome: 'ok', error: null, costUsd: 0.02 });
    expect(judged.output).toEqual({
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

  it('judge gives the rate and duration of a video, and none of an image', () => {
    const image = judge(buildOk(100, 'image'), factsByDigest([sound]), null);
    expect(image.output).toMatchObject({ frames: 1, fps: null, durationS: null });
    const clip = { ...sound, mime: 'video/mp4', frames: 48, video } as const;
    const judged = judge(buildOk(100, 'image'), factsByDigest([clip]), null);
    expect(judged.output).toMatchObject({ width: 640, frames: 48, fps: 24, durationS: 2 });
  });

  it('makes invalid media of what looks like an image and does not decode', () => {
    const broken = { ...about, decodes: false, reason: { code: 'cut_off', declaredBytes: 9, bytes: 7 } } as const;
    const judged = judge(buildOk(100, 'image'), factsByDigest([broken]), null);
    expect(judged.outcome).toBe('invalid_media');
    expect(judged.error).toEqual({ code: 'undecodable', message: '', undecodable: broken.reason });
    expect(judged.output).toMatchObject({ sha256: digestOf('image'), width: null, thumbnail: false });
    expect(judged.sample.outcome).toBe('ok');
  });

  it('lets the runner stand where examination has nothing to say', () => {
    const unknown = { ...about, decodes: null, reason: { code: 'no_demuxer', mime: 'image/webp' } } as const;
    for (const facts of [[], [unknown]]) {
      const judged = judge(buildOk(100, 'image'), factsByDigest(facts), null);
      expect(judged).toMatchObject({ outcome: 'ok', error: null, output: { frames: null, thumbnail: false } });
      expect(judged.output?.undecoded).toEqual(facts.length === 0 ? null : unknown.reason);
    }
  });

  it('believes the last fact about a digest', () => {
    const broken = { ...about, decodes: false, reason: { code: 'decoder_died' } } as const;
    expect(judge(buildOk(100, 'image'), factsByDigest([broken, sound]), null).outcome).toBe('ok');
  });

  it('counts further outputs and judges the first', () => {
    const sample = buildOk(100, 'image');
    if (sample.outcome !== 'ok') throw new Error('buildOk builds what is ok');
    const second = { sha256: digestOf('second'), bytes: 6, mime: 'image/png', declaredMime: null };
    const judged = judge({ ...sample, outputs: [...sample.outputs, second] }, factsByDigest([sound]), null);
    expect(judged.output).toMatchObject({ sha256: digestOf('image'), items: 2 });
  });

  it('keeps failures as they are, and sorts flags', () => {
    const judged = judge(
      buildFailure('error', { code: 'E7', message: 'boom', flags: ['orphans', 'harness_lag', 'orphans'] }),
      new Map(),
      null,
    );
    expect(judged).toMatchObject({ outcome: 'error', error: { code: 'E7', message: 'boom' }, output: null });
    expect(judged.flags).toEqual(['harness_lag', 'orphans']);
  });

  it('prices what the service does not say the cost of', () => {
    const costOf = (per: Price['per'], sample: Sample, fact: OutputFact = { ...sound, width: 1000, height: 2000 }) =>
      judge(sample, factsByDigest([fact]), { per, usd: 0.02 }).costUsd;
    const ok = buildOk(100, 'image');
    expect(costOf('request', ok)).toBe(0.02);
    expect(costOf('output', ok)).toBe(0.02);
    expect(costOf('megapixel', ok)).toBeCloseTo(0.04, 12);
    expect(costOf('second', ok, { ...sound, video: { ...video, durationS: 2.5 } })).toBeCloseTo(0.05, 12);
    // An image has no seconds, a video that was not decoded has none that are known, and a price per output says
    // nothing of a failure.
    expect(costOf('second', ok)).toBeNull();
    expect(costOf('second', ok, { ...about, decodes: null, reason: { code: 'avif_alpha' } })).toBeNull();
    expect(costOf('output', buildFailure('error'))).toBeNull();
    expect(costOf('request', { ...buildFailure('throttled'), attempts: 3 })).toBeCloseTo(0.06, 12);
    expect(costOf('request', buildOk(100, 'image', { costUsd: 0.5 }))).toBe(0.5);
  });
});
