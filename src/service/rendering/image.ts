import sharp from 'sharp';
import {
  FRAME_RATE,
  FRAME_SIZES,
  type Generation,
  type Model,
  RATIOS,
  type VideoGeneration,
} from '../forms/generation.ts';
import { drawSample, type Method } from '../sampler/draw-sample.ts';
import { mirrorSpectrum, type Size, toPlane, toSpectrum, transformTime } from '../sampler/fourier.ts';
import { decodeRaster, encodeRaster, splitRaster, type Texture, textureVariances } from '../sampler/raster.ts';
import {
  karrasLevels,
  layoutOf,
  type Plane,
  type PlaneLayout,
  SamplingStopped,
  type Stopped,
} from '../sampler/samplers.ts';
import { drawScene, SCENES } from '../scene/scene.ts';
import type { Style } from '../scene/traits.ts';
import { beginningOf, editedImage, sampledSize } from './edit.ts';
import { moveUpload } from './moving-upload.ts';

/** `width` x `height` x red, green, blue. */
export interface Image extends Size {
  readonly rgb: Uint8Array;
  /** Calls of the denoiser. */
  readonly evaluations: number;
}

/** At this noise level the difference of any two scenes disappears, so a seed chooses among them almost evenly. */
const HIGHEST = 60;

const METHODS: { readonly [K in Model]: Method } = {
  standard: { sampler: 'heun', levels: karrasLevels(24, 0.008, HIGHEST) },
  fast: { sampler: 'heun', levels: karrasLevels(8, 0.06, HIGHEST) },
  'fast-lcm': { sampler: 'consistency', levels: karrasLevels(4, 0.25, HIGHEST) },
};

const TEXTURES: { readonly [K in Style]: Texture } = {
  realistic: { luma: 0.065, chroma: 0.012, knee: 6 },
  anime: { luma: 0.035, chroma: 0.008, knee: 10 },
};

/** The same generation gives the same pixels. Throws SamplingStopped. */
export async function sampleImage(generation: Generation, stopped: Stopped): Promise<Image> {
  const { edit, model, ratio, seed, small } = generation;
  const size = edit === undefined ? (small === true ? FRAME_SIZES : RATIOS)[ratio] : sampledSize(edit);
  const layout = layoutOf(size);
  const means = await sceneSpectra(generation, layout);
  const mixture = { layout, means, variances: textureVariances(TEXTURES[generation.style], layout) };
  const { sampler, levels: all } = METHODS[model];
  const levels = edit === undefined ? all : all.slice(-Math.max(1, Math.round(all.length * edit.strength)));
  const beginning = edit === undefined ? null : beginningOf(edit, layout);
  const { state, evaluations } = drawSample(mixture, { sampler, levels }, seed, stopped, beginning);
  const rgb = decodeRaster(state, layout);
  return { ...(edit === undefined ? { ...size, rgb } : editedImage(edit, rgb, size)), evaluations };
}

/** The scenes of a prompt, and their mirror images. */
async function sceneSpectra({ prompt, style }: Generation, layout: PlaneLayout): Promise<Float64Array[]> {
  const means: Float64Array[] = [];
  const rasters = await Promise.all(
    Array.from({ length: SCENES }, (_, index) => {
      const svg = drawScene(prompt, style, layout.image, index);
      return sharp(Buffer.from(svg)).removeAlpha().raw().toBuffer();
    }),
  );
  for (const rgb of rasters) {
    const spectra = encodeRaster(rgb, layout);
    const mirrored = new Float64Array(layout.length);
    for (const { start, length, size } of layout.planes) {
      mirrored.set(mirrorSpectrum(spectra.subarray(start, start + length), size), start);
    }
    means.push(spectra, mirrored);
  }
  return means;
}

export async function encodePng({ rgb, width, height }: Pick<Image, 'rgb' | 'width' | 'height'>): Promise<Buffer> {
  return await sharp(rgb, { raw: { width, height, channels: 3 } })
    .png({ compressionLevel: 2 })
    .toBuffer();
}

/** ITU-R BT.601, 8 bits: luma from -1..1 to 16..235, colour differences from -1..1 to 16..240, clipped. */
export function toStudioBytes(plane: Float64Array, channel: Plane['channel'], into: Buffer, offset: number): void {
  const [middle, reach] = channel === 'luma' ? [125.5, 109.5] : [128, 112];
  for (let i = 0; i < plane.length; i++) {
    into[offset + i] = Math.round(middle + reach * Math.min(1, Math.max(-1, plane[i] ?? 0)));
  }
}

/** Frames as planes Y, Cb, Cr one after the other, 8 bits, 4:2:0, studio range (ITU-R BT.601). */
export interface Video extends Size {
  readonly frames: readonly Buffer[];
  /** Calls of the denoiser. */
  readonly evaluations: number;
}

/** Lowest noise levels are higher than an image's, because slow movement stands out of the noise. */
const VIDEO_METHODS: { readonly [K in Model]: (highest: number) => Method } = {
  standard: (highest) => ({ sampler: 'heun', levels: karrasLevels(24, 0.02, highest) }),
  fast: (highest) => ({ sampler: 'heun', levels: karrasLevels(8, 0.15, highest) }),
  'fast-lcm': (highest) => ({ sampler: 'consistency', levels: karrasLevels(4, 0.8, highest) }),
};

/** Videos of an upload vary less than those of a scene. */
const UPLOAD_TEXTURE: Texture = { luma: 0.03, chroma: 0.006, knee: 8 };

const SCENES_IN_A_VIDEO = 2;

/** The same generation gives the same frames. Throws SamplingStopped. */
export async function sampleVideo(generation: VideoGeneration, stopped: Stopped): Promise<Video> {
  const size = FRAME_SIZES[generation.ratio];
  const layout = layoutOf(size, generation.seconds * FRAME_RATE);
  const { upload } = generation;
  const means =
    upload === null ? await sceneMeans(generation, layout, stopped) : uploadMeans(generation, upload, layout, stopped);
  const texture = upload === null ? TEXTURES[generation.style] : UPLOAD_TEXTURE;
  const mixture = { layout, means, variances: textureVariances(texture, layout, FRAME_RATE) };
  // The noise level at which the difference of any two means disappears grows with the number of coefficients.
  const highest = 0.13 * Math.sqrt(layout.length);
  const { state, evaluations } = drawSample(
    mixture,
    VIDEO_METHODS[generation.model](highest),
    generation.seed,
    stopped,
  );
  return { ...size, frames: framesOf(state, layout, stopped), evaluations };
}

/** Two moving scenes of a prompt, and their mirror images. */
async function sceneMeans(
  { prompt, style }: VideoGeneration,
  layout: PlaneLayout,
  stopped: Stopped,
): Promise<Float64Array[]> {
  const means: Float64Array[] = [];
  for (let scene = 0; scene < Math.min(SCENES, SCENES_IN_A_VIDEO); scene++) {
    goOn(stopped);
    const frames = await Promise.all(
      Array.from({ length: layout.frames }, (_, frame) => {
        const svg = drawScene(prompt, style, layout.image, scene, frame / FRAME_RATE);
        return sharp(Buffer.from(svg)).removeAlpha().raw().toBuffer();
      }),
    );
    const spectra = spectraOf(frames, layout, stopped);
    const mirrored = new Float64Array(layout.length);
    for (const { size, start, length } of layout.planes) {
      const frameLength = length / layout.frames;
      for (let at = start; at < start + length; at += frameLength) {
        mirrored.set(mirrorSpectrum(spectra.subarray(at, at + frameLength), size), at);
      }
    }
    means.push(spectra, mirrored);
  }
  return means;
}

/** The upload under different camera movements. */
function uploadMeans(
  { prompt }: VideoGeneration,
  upload: Uint8Array,
  layout: PlaneLayout,
  stopped: Stopped,
): Float64Array[] {
  const ways = moveUpload(upload, prompt, layout.image, layout.frames, FRAME_RATE);
  return ways.map((frames) => spectraOf(frames, layout, stopped));
}

function spectraOf(frames: readonly Uint8Array[], layout: PlaneLayout, stopped: Stopped): Float64Array {
  const spectra = new Float64Array(layout.length);
  for (const [frame, rgb] of frames.entries()) {
    goOn(stopped);
    for (const [i, plane] of splitRaster(rgb, layout.image).entries()) {
      const place = layout.planes[i];
      if (place === undefined) continue;
      spectra.set(toSpectrum(plane, place.size), place.start + (frame * place.length) / layout.frames);
    }
  }
  for (const { start, length } of layout.planes) {
    spectra.set(transformTime(spectra.slice(start, start + length), layout.frames, -1), start);
  }
  return spectra;
}

function framesOf(state: Float64Array, layout: PlaneLayout, stopped: Stopped): Buffer[] {
  const { width, height } = layout.image;
  const frames = Array.from({ length: layout.frames }, () => Buffer.alloc(width * height * 1.5));
  let offset = 0;
  for (const { size, channel, start, length } of layout.planes) {
    const spectra = transformTime(state.slice(start, start + length), layout.frames, 1);
    const frameLength = length / layout.frames;
    for (const [i, frame] of frames.entries()) {
      goOn(stopped);
      toStudioBytes(toPlane(spectra.subarray(i * frameLength, (i + 1) * frameLength), size), channel, frame, offset);
    }
    offset += size.width * size.height;
  }
  return frames;
}

/** Also called while drawing and transforming, which take a good part of the time. */
function goOn(stopped: Stopped): void {
  if (stopped()) throw new SamplingStopped();
}
