import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { fitsExpectation, sniff } from '../../src/media/header.ts';
import { goldenVideo } from '../fixtures/golden-video.ts';

const image = () => sharp({ create: { width: 8, height: 8, channels: 3, background: '#336699' } });

describe('sniff', () => {
  it.each([
    ['png', 'image/png'],
    ['jpeg', 'image/jpeg'],
    ['webp', 'image/webp'],
    ['avif', 'image/avif'],
    ['gif', 'image/gif'],
  ] as const)('sniff knows a real %s by its bytes', async (format, mime) => {
    expect(sniff(await image().toFormat(format).toBuffer())?.mime).toBe(mime);
  });

  it.each([
    ['plain.mp4', 'video/mp4', 'mp4'],
    ['turned.mp4', 'video/mp4', 'mp4'],
    ['vp9.webm', 'video/webm', 'webm'],
  ])('sniff knows the real %s by its bytes', (file, mime, extension) => {
    expect(sniff(goldenVideo(file))).toEqual({ mime, extension });
  });

  it('sniff tells an AVIF under the brand of all HEIF images from other HEIF', () => {
    const ftyp = (brands: string) => Buffer.from(`\0\0\0\x1cftypmif1\0\0\0\0${brands}`, 'latin1');
    expect(sniff(ftyp('mif1avifmiaf'))?.mime).toBe('image/avif');
    expect(sniff(ftyp('mif1heicmiaf'))).toBeNull();
  });

  it.each([
    ['ftypisom', 'video/mp4'],
    ['ftypmp42', 'video/mp4'],
    ['ftypqt  ', 'video/quicktime'],
  ])('sniff knows the ISO brand %s', (brand, mime) => {
    expect(sniff(Buffer.from(`\0\0\0\x18${brand}\0\0\0\0isomiso2`, 'latin1'))?.mime).toBe(mime);
  });

  it.each([
    ['moov', '\0\0\x02\0moov\0\0\0\x6cmvhd'],
    ['mdat', '\0\0\x02\0mdat'],
    ['mdat of 64 bits', '\0\0\0\x01mdat\0\0\0\0\0\0\x02\0'],
    ['wide', '\0\0\0\x08wide\0\0\x02\0mdat'],
    ['free and skip', '\0\0\0\x0cfree1234\0\0\0\x08skip\0\0\x02\0moov'],
    ['pnot', '\0\0\0\x14pnot123456789012\0\0\x02\0mdat'],
  ])('sniff knows QuickTime without a file type that begins with %s', (_, head) => {
    expect(sniff(Buffer.from(head, 'latin1'))).toEqual({ mime: 'video/quicktime', extension: 'mov' });
  });

  it.each([
    'not moov',
    'the free lunch',
    '\0\0\0\x08free',
    '\0\0\0\x07free\0moov',
    '\0\0\0\x10what12345678\0\0\x02\0moov',
  ])('sniff takes %j for no film', (text) => {
    expect(sniff(Buffer.from(text, 'latin1'))).toBeNull();
  });

  it('sniff knows WebM from other Matroska', () => {
    const header = (doctype: string) => Buffer.from(`\x1a\x45\xdf\xa3\x93\x42\x82\x88${doctype}`, 'latin1');
    expect(sniff(header('webm'))?.mime).toBe('video/webm');
    expect(sniff(header('matroska'))?.mime).toBe('video/x-matroska');
  });

  it.each(['', '<!doctype html>', '<svg xmlns="http://www.w3.org/2000/svg"/>', '{"error":"no"}', '\x89PN'])(
    'sniff takes %j for unknown',
    (text) => {
      expect(sniff(Buffer.from(text, 'latin1'))).toBeNull();
    },
  );
});

describe('fitsExpectation', () => {
  const png = { mime: 'image/png', extension: 'png' };

  it('fitsExpectation matches a family, a type, or anything', () => {
    expect(fitsExpectation(png, 'image/*')).toBe(true);
    expect(fitsExpectation(png, 'image/png')).toBe(true);
    expect(fitsExpectation(png, null)).toBe(true);
    expect(fitsExpectation(png, 'video/*')).toBe(false);
    expect(fitsExpectation(png, 'image/jpeg')).toBe(false);
  });

  it('fitsExpectation never takes unknown bytes for media', () => {
    expect(fitsExpectation(null, null)).toBe(false);
    expect(fitsExpectation(null, 'image/*')).toBe(false);
  });
});
