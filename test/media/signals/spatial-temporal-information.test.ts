import { describe, expect, it } from 'vitest';
import { type Luma, lumaOf } from '../../../src/media/pixels.ts';
import { openSpatialTemporalInformation } from '../../../src/media/signals/video-signals.ts';
import { expectNear, goldenVideos } from '../../fixtures/golden-signals.ts';

const luma = (width: number, rows: readonly number[]): Luma => ({
  width,
  height: rows.length / width,
  data: Float64Array.from(rows),
});

describe('openSpatialTemporalInformation', () => {
  it.each(goldenVideos())('openSpatialTemporalInformation is what SciPy says of $name', ({ frames, information }) => {
    const count = openSpatialTemporalInformation();
    let before: Luma | null = null;
    for (const frame of frames.map((frame) => lumaOf(frame))) {
      count.add([frame], before === null ? null : [before]);
      before = frame;
    }
    const found = count.end();
    for (const name of ['siMax', 'siMean', 'tiMax', 'tiMean'] as const) expectNear(found[name], information[name]);
  });

  it('openSpatialTemporalInformation gives nothing without a frame, and no temporal part for one', () => {
    const none = { siMax: null, siMean: null, tiMax: null, tiMean: null };
    const count = openSpatialTemporalInformation();
    expect(count.end()).toEqual(none);
    count.add([luma(2, [1, 2, 3, 4])], null);
    expect(count.end()).toEqual({ ...none, siMax: 0, siMean: 0 });
  });
});
