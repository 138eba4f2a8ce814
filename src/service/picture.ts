import sharp from 'sharp';
import { type Generation, type Model, RATIOS } from './generation.ts';
import { mirrorSpectrum, type Size } from './sampler/fourier.ts';
import { denoiserOf } from './sampler/mixture.ts';
import { drawWhiteNoise } from './sampler/noise.ts';
import { type Layout, layoutOf } from './sampler/planes.ts';
import { RandomSource } from './sampler/random.ts';
import { decodeRaster, encodeRaster } from './sampler/raster.ts';
import { consistency, type Denoise, heun, type Stopped } from './sampler/samplers.ts';
import { karrasLevels } from './sampler/schedule.ts';
import { type Texture, textureVariances } from './sampler/texture.ts';
import { drawScene, SCENES } from './scene/scene.ts';
import type { Style } from './scene/traits.ts';

/** A picture's pixels: `width` x `height` x red, green, blue. */
export interface Picture extends Size {
  readonly rgb: Uint8Array;
  /** How often the denoiser was asked: the work of the model. */
  readonly evaluations: number;
}

/**
 * Noise of the highest level drowns the difference of any two scenes, so a seed chooses among them without much favour.
 */
const HIGHEST = 60;

interface Method {
  readonly sampler: 'heun' | 'consistency';
  readonly levels: readonly number[];
}

const METHODS: { readonly [K in Model]: Method } = {
  standard: { sampler: 'heun', levels: karrasLevels(24, 0.008, HIGHEST) },
  fast: { sampler: 'heun', levels: karrasLevels(8, 0.06, HIGHEST) },
  'fast-lcm': { sampler: 'consistency', levels: karrasLevels(4, 0.25, HIGHEST) },
};

const TEXTURES: { readonly [K in Style]: Texture } = {
  realistic: { luma: 0.065, chroma: 0.012, knee: 6 },
  anime: { luma: 0.035, chroma: 0.008, knee: 10 },
};

/** Draws a sample of what the prompt's pictures may be. The same generation gives the same pixels. Throws SamplingStopped. */
export async function samplePicture(generation: Generation, stopped: Stopped): Promise<Picture> {
  const size = RATIOS[generation.ratio];
  const layout = layoutOf(size);
  const means = await sceneSpectra(generation, layout);
  const denoise = denoiserOf({ layout, means, variances: textureVariances(TEXTURES[generation.style], layout) });
  let evaluations = 0;
  const counted: Denoise = (state, sigma, into) => {
    evaluations++;
    denoise(state, sigma, into);
  };
  const { sampler, levels } = METHODS[generation.model];
  const random = new RandomSource(generation.seed);
  const state = new Float64Array(layout.length);
  drawWhiteNoise(random, layout, state);
  for (let i = 0; i < state.length; i++) {
    let middle = 0;
    for (const mean of means) middle += (mean[i] ?? 0) / means.length;
    state[i] = middle + HIGHEST * (state[i] ?? 0);
  }
  if (sampler === 'heun') heun(counted, levels, state, stopped);
  else consistency(counted, levels, state, (into) => drawWhiteNoise(random, layout, into), stopped);
  return { ...size, rgb: decodeRaster(state, layout), evaluations };
}

/** The means of the mixture: the prompt's scenes, each also as its mirror image. */
async function sceneSpectra({ prompt, style }: Generation, layout: Layout): Promise<Float64Array[]> {
  const means: Float64Array[] = [];
  const rasters = await Promise.all(
    Array.from({ length: SCENES }, (_, index) => {
      const svg = drawScene(prompt, style, layout.picture, index);
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

/** The picture as PNG bytes; the same pixels give the same bytes. */
export async function encodePng({ rgb, width, height }: Pick<Picture, 'rgb' | 'width' | 'height'>): Promise<Buffer> {
  return await sharp(rgb, { raw: { width, height, channels: 3 } })
    .png({ compressionLevel: 2 })
    .toBuffer();
}
