import { describe, expect, it } from 'vitest';
import { uncoveredMetrics } from '../../../src/report/verdict-lines.ts';
import type { Kind } from '../../../src/suite/kind.ts';
import { gateRule } from '../../fixtures/scripted-run.ts';

const variant = (name: string, kind: Kind = 'text-to-image', twinOf: string | null = null) => ({ name, kind, twinOf });
const result = (metric: string, name: string, against: string | null = null) => ({
  rule: gateRule(metric, { is: 'max', value: 1 }),
  variant: name,
  against,
});

const IMAGES = [variant('standard'), variant('fast')];
const VIDEOS = [variant('video', 'text-to-video'), variant('video-fast', 'text-to-video')];

describe('what a gate has no rule for', () => {
  it('what a gate has no rule for is a kind by its name, and metrics that lack the same share a clause', () => {
    expect(
      uncoveredMetrics(
        [
          result('latency.total', 'fast', 'standard'),
          result('error_rate', 'standard'),
          result('error_rate', 'fast'),
          ...[...IMAGES, ...VIDEOS].map(({ name }) => result('determinism.pixel', name)),
        ],
        [...IMAGES, ...VIDEOS],
      ),
    ).toEqual(['No rule for latency.total and error_rate of text to video']);
  });

  it('what a gate has no rule for is a variant by its name where others of its kind have one', () => {
    expect(
      uncoveredMetrics([result('error_rate', 'fast'), result('latency.total', 'fast', 'standard')], IMAGES),
    ).toEqual(['No rule for error_rate of standard']);
  });

  it('what a gate has no rule for leaves out what others are compared with, and variants of a stored baseline', () => {
    expect(
      uncoveredMetrics(
        [result('latency.total', 'fast', 'standard')],
        [...IMAGES, variant('fast@baseline', 'text-to-image', 'fast')],
      ),
    ).toEqual([]);
  });

  it('what a gate has no rule for counts variants where names would be too many, not names of kinds', () => {
    const images = Array.from({ length: 8 }, (_, at) => variant(`image-${at}`));
    expect(
      uncoveredMetrics(
        [
          result('error_rate', 'image-0'),
          ...[...images, ...VIDEOS].map(({ name }) => result('determinism.pixel', name)),
        ],
        [...images, ...VIDEOS],
      ),
    ).toEqual(['No rule for error_rate of image-1, image-2, image-3 and 6 more']);
  });
});
