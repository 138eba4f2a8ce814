import type { Difference } from '../../../media/compare/difference.ts';
import { type Layer, layerOf } from '../../../media/compare/layer.ts';
import { DEFAULT_LIMITS, type Level, levelOf } from '../../../media/compare/level.ts';
import type { ShownFact, VideoFact } from '../../../record/model/fact.ts';

export interface InspectedFile {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly mime: string;
  readonly width: number;
  readonly height: number;
  readonly frames: number;
  /** Null for an image. */
  readonly video: VideoFact | null;
  readonly shown: ShownFact;
}

/** Compared with the default limits of levels. */
export interface Inspection {
  readonly a: InspectedFile;
  readonly b: InspectedFile;
  readonly level: Level;
  readonly layer: Layer;
  /** Null if their pixels are equal. */
  readonly difference: Difference | null;
}

/** @param difference of their pixels; null if these are equal */
export function compareInspected(a: InspectedFile, b: InspectedFile, difference: Difference | null): Inspection {
  const layer = layerOf({ sha256: a.sha256, ...a.shown }, { sha256: b.sha256, ...b.shown });
  if (difference !== null) return { a, b, level: levelOf(difference), layer, difference };
  return { a, b, level: layer === 'none' ? 'byte' : 'pixel', layer, difference };
}

export function inspectionJson({ a, b, level, layer, difference }: Inspection): object {
  return { level, layer, difference, limits: DEFAULT_LIMITS, files: [fileJson(a), fileJson(b)] };
}

function fileJson({ path, mime, bytes, width, height, frames, video, sha256, shown }: InspectedFile): object {
  const { strippedSha256, pixelSha256, pdq, pdqQuality, blank } = shown;
  const { fps = null, durationS = null, codec = null, pixelFormat = null } = video ?? {};
  const size = { mime, bytes, width, height, frames, fps, durationS, codec, pixelFormat };
  return { path, ...size, sha256, strippedSha256, pixelSha256, pdq, pdqQuality, blank };
}
