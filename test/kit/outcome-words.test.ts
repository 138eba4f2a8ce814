import { describe, expect, test } from 'vitest';
import { decodeReason, failureMessage } from '../../src/kit/outcome-words.ts';

describe('decodeReason', () => {
  test.each([
    [{ code: 'digest_changed' }, 'the stored file has changed: its digest does not match'],
    [{ code: 'timed_out', limitMs: 1 }, 'decoding took longer than 0.001 s and was stopped'],
    [{ code: 'not_decodable', detail: 'VipsJpeg: premature end' }, 'VipsJpeg: premature end'],
    [{ code: 'not_supported', detail: 'no decoder for vp9 with alpha' }, 'no decoder for vp9 with alpha'],
  ] as const)('decodeReason puts %j into words', (reason, words) => {
    expect(decodeReason(reason)).toBe(words);
  });

  test('decodeReason names the package that is missing, and animated AVIF where it is that which needs it', () => {
    const missing = { code: 'package_missing', package: 'node-av' } as const;
    expect(decodeReason({ ...missing, needed: 'video' })).toBe('node-av, the package for video, is not installed');
    expect(decodeReason({ ...missing, needed: 'animated_avif' })).toBe(
      'animated AVIF is decoded as video: node-av, the package for video, is not installed',
    );
  });

  test.each([
    ['2.0.0', 'node-av 2.0.0, the package for video, does not load (Retake needs ^6.1.1): no binding'],
    [null, 'node-av of unknown version, the package for video, does not load (Retake needs ^6.1.1): no binding'],
  ])('decodeReason says which version of a package does not load, and why: %s', (version, words) => {
    const broken = { code: 'package_broken', package: 'node-av', needs: '^6.1.1', detail: 'no binding' } as const;
    expect(decodeReason({ ...broken, version, needed: 'video' })).toBe(words);
  });
});

describe('failureMessage', () => {
  test('failureMessage gives the words of the service, and of an undecodable output the reason', () => {
    expect(failureMessage({ outcome: 'error', message: 'try later', undecodable: null })).toBe('try later');
    expect(
      failureMessage({
        outcome: 'invalid_media',
        message: '',
        undecodable: { code: 'not_decodable', detail: 'it has no video stream' },
      }),
    ).toBe('it has no video stream');
  });
});
