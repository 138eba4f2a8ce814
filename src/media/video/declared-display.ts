import { createHash } from 'node:crypto';
import type { Frame, Rational, Stream } from 'node-av/lib';
import { type Libav, pixelFormatName } from '../libav.ts';
import { HIGH_DEFINITION, orientationOf } from './frame-shaper.ts';

/**
 * How the frames of a stream are to be shown, as far as it lies neither in their samples nor in the turn of the stream:
 * `, matrix 9, transfer 16`. Empty where it is what players assume (README.md of `compare`). Container and coded stream
 * count; `matrix 9/1` where they disagree.
 *
 * Colours are code points of ITU-T H.273; range and place of chroma are FFmpeg's numbers.
 */
export function displayOf(libav: Libav, source: Stream): (frame: Frame) => string {
  const { codecpar, sampleAspectRatio } = source;
  const codec = libav.avGetCodecName(codecpar.codecId);
  const turn = (matrix: Uint8Array | null): string => JSON.stringify(orientationOf(matrix));
  const turnOfAll = turn(codecpar.getCodedSideData(libav.AV_PKT_DATA_DISPLAYMATRIX));
  const attached = attachedTo(libav, source);
  return (frame) => {
    const format = pixelFormatName(libav, frame) ?? '';
    const isHigh = frame.height >= HIGH_DEFINITION;
    const turnOfFrame = frame.getSideData(libav.AV_FRAME_DATA_DISPLAYMATRIX);
    const parts = [
      declared('matrix', codecpar.colorSpace, frame.colorSpace, isHigh ? [0, 1] : [0, 5, 6], 2),
      declared('primaries', codecpar.colorPrimaries, frame.colorPrimaries, isHigh ? [1] : [6, 7], 2),
      declared('transfer', codecpar.colorTrc, frame.colorTrc, [1, 6, 14, 15], 2),
      declared('range', codecpar.colorRange, frame.colorRange, FULL_RANGE.test(format) ? [2] : [1]),
      declared('chroma', codecpar.chromaLocation, frame.chromaLocation, codec === 'mjpeg' ? [2] : [1]),
      declared('aspect', ratioOf(sampleAspectRatio), ratioOf(frame.sampleAspectRatio), [1]),
      turnOfFrame === null || turn(turnOfFrame) === turnOfAll ? '' : `, turn ${turn(turnOfFrame)}`,
      attached,
    ];
    return parts.join('');
  };
}

/** Formats that have the full range where nothing is declared. */
const FULL_RANGE = /^(yuvj|gray|ya\d|gbr|[a0x]?\d?(rgb|bgr))/;

function declared(
  name: string,
  ofContainer: number,
  ofFrame: number,
  usual: readonly number[],
  unspecified = 0,
): string {
  const values = [...new Set([ofContainer, ofFrame])].filter((value) => value !== unspecified);
  return values.every((value) => usual.includes(value)) ? '' : `, ${name} ${values.join('/')}`;
}

function ratioOf({ num, den }: Rational): number {
  return num > 0 && den > 0 ? num / den : 0;
}

/** Crop, profile, and what makes a picture spatial. */
function attachedTo(libav: Libav, { codecpar }: Stream): string {
  const kinds: readonly number[] = [
    libav.AV_PKT_DATA_FRAME_CROPPING,
    libav.AV_PKT_DATA_ICC_PROFILE,
    libav.AV_PKT_DATA_STEREO3D,
    libav.AV_PKT_DATA_SPHERICAL,
  ];
  return codecpar
    .getAllCodedSideData()
    .filter(({ type }) => kinds.includes(type))
    .map(({ type, data }) => `, attached ${type} ${createHash('sha256').update(data).digest('hex')}`)
    .join('');
}
