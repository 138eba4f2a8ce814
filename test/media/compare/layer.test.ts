import { describe, expect, it } from 'vitest';
import { layerOf, type OutputDigests } from '../../../src/media/level.ts';

const ONE: OutputDigests = { sha256: 'a', strippedSha256: 'b', pixelSha256: 'c' };

describe('layerOf', () => {
  it.each([
    ['none', ONE],
    ['metadata', { ...ONE, sha256: 'x' }],
    ['encoding', { ...ONE, sha256: 'x', strippedSha256: 'x' }],
    ['pixels', { sha256: 'x', strippedSha256: 'x', pixelSha256: 'x' }],
  ] as const)('layerOf is %s where the digests before it differ', (layer, other) => {
    expect(layerOf(ONE, other)).toBe(layer);
    expect(layerOf(other, ONE)).toBe(layer);
  });

  it('layerOf never says metadata for two formats without stripped digests', () => {
    const untold = { ...ONE, strippedSha256: null };
    expect(layerOf(untold, { ...untold, sha256: 'x' })).toBe('encoding');
    expect(layerOf(untold, { ...untold, sha256: 'x', pixelSha256: 'x' })).toBe('pixels');
    expect(layerOf(untold, { ...ONE, sha256: 'x' })).toBe('encoding');
  });
});
