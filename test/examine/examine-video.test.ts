import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { LIBAV_PACKAGE } from '../../src/media/libav.ts';
import type { OutputFact } from '../../src/record/fact.ts';
import { EXAMINE_OPTIONS, examineOutputs, recordOf } from '../fixtures/examined-outputs.ts';
import { outputFacts, pairFacts } from '../fixtures/found-facts.ts';
import { goldenVideo, goldenVideos } from '../fixtures/golden-video.ts';
import { withoutNodeAv } from '../fixtures/no-node-av.ts';
import { plainPng } from '../fixtures/plain-png.ts';

function linesOf(folder: string): readonly string[] {
  const file = join(folder, 'facts.jsonl');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
}

describe('examineRun on video', () => {
  it('examineRun on video finds size, rate, duration and one digest of all frames; keeps poster and preview', async () => {
    const videos = goldenVideos();
    const { folder, samples, digests } = recordOf(
      videos.map(({ file }) => goldenVideo(file)),
      'video/mp4',
    );
    const { found } = await examineOutputs({ folder, samples });
    const byDigest = new Map(outputFacts(found).map((fact) => [fact.sha256, fact]));
    for (const [index, { frames, file }] of videos.entries()) {
      const sha256 = digests[index] ?? '';
      const framesSha256 = createHash('sha256')
        .update(frames.map((md5) => `${md5}\n`).join(''))
        .digest('hex');
      expect(byDigest.get(sha256), file).toMatchObject({
        decodes: true,
        frames: frames.length,
        thumbnail: true,
        video: { framesSha256, preview: true },
      });
      const poster = await sharp(join(folder, 'thumbs', `${sha256}.webp`)).metadata();
      expect(poster.format).toBe('webp');
      expect(byDigest.get(sha256)).toMatchObject({ width: poster.width, height: poster.height });
      expect(readFileSync(join(folder, 'thumbs', `${sha256}.mp4`)).toString('latin1', 4, 8)).toBe('ftyp');
    }
    expect(byDigest.get(digests[0] ?? '')).toMatchObject({
      mime: 'video/mp4',
      width: 160,
      height: 90,
      video: { fps: 24, durationS: 1, codec: 'h264', pixelFormat: 'yuv420p' },
    });
  });

  it('examineRun on video says why a video does not decode', async () => {
    const whole = goldenVideo('plain.mp4');
    const { folder, samples } = recordOf([whole.subarray(0, whole.length / 2), goldenVideo('sound.mp4')], 'video/mp4');
    const { found } = await examineOutputs({ folder, samples });
    expect(outputFacts(found).map(({ decodes }) => decodes)).toEqual([false, false]);
    const reasons = outputFacts(found)
      .map((fact) => (fact.decodes === true ? null : fact.reason))
      .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
    expect(reasons).toEqual([
      { code: 'not_decodable', detail: expect.stringMatching(/^cut off/) },
      { code: 'not_decodable', detail: 'it has no video stream' },
    ]);
    expect(readdirSync(join(folder, 'thumbs'))).toEqual([]);
  });

  it('examineRun examines again what had no decoder, and replaces what was known of it', async () => {
    const { folder, samples, digests } = recordOf([goldenVideo('plain.mp4')], 'video/mp4');
    const about = { fact: 'output', sha256: digests[0] ?? '', bytes: 1, mime: 'video/mp4' } as const;
    const older: OutputFact = {
      ...about,
      decodes: null,
      reason: { code: 'not_supported', detail: 'no demuxer for video/mp4' },
    };
    const { found } = await examineOutputs({ folder, samples }, [older]);
    expect(found).toMatchObject([{ decodes: true, frames: 24 }]);
  });

  it('examineRun on video compares two videos frame by frame, paired by time', async () => {
    const { folder, samples } = recordOf([goldenVideo('plain.mp4'), goldenVideo('vp9.webm')], 'video/mp4');
    const { found } = await examineOutputs({ folder, samples });
    const [pair] = pairFacts(found);
    if (pair?.compared !== true) throw new Error('not compared');
    expect(pair.a < pair.b).toBe(true);
    expect(pair.difference.frames + pair.difference.unpaired).toBe(30);
  });

  it('examineRun kills a decoder that overruns the time of a video', async () => {
    const { folder, samples } = recordOf([goldenVideo('plain.mp4')], 'video/mp4');
    const timeLimitMs = { image: 20_000, video: 1 };
    const { found } = await examineOutputs({ folder, samples }, [], { timeLimitMs });
    expect(found).toMatchObject([{ decodes: false, reason: { code: 'timed_out', limitMs: 1 } }]);
  });

  it('examineRun compares video by its bytes alone where node-av is not installed, and says so once', async () => {
    const installed = withoutNodeAv();
    const bare: typeof import('../../src/examine/examine.ts') = await import(
      pathToFileURL(join(installed, 'dist/examine/examine.js')).href
    );
    const image = await plainPng('red', 8, 8);
    const { folder, samples } = recordOf([goldenVideo('plain.mp4'), image], 'video/mp4');
    const { found } = await bare.examineRun(folder, { run: { variants: [] }, samples, facts: [] }, EXAMINE_OPTIONS);
    const [video] = outputFacts(found).filter(({ mime }) => mime === 'video/mp4');
    expect(video).toMatchObject({
      decodes: null,
      reason: { code: 'package_missing', package: LIBAV_PACKAGE, needed: 'video' },
    });
    expect(outputFacts(found).filter(({ mime }) => mime === 'image/png')).toMatchObject([{ decodes: true }]);
    // Another report finds nothing new, and writes nothing.
    expect(
      (await bare.examineRun(folder, { run: { variants: [] }, samples, facts: found }, EXAMINE_OPTIONS)).found,
    ).toEqual([]);
    expect(linesOf(folder)).toHaveLength(2);
  });
});
