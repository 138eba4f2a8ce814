import sharp from 'sharp';
import { type Generation, type Model, RATIOS } from '../forms/generation.ts';
import { drawSample, type Method } from '../sampler/draw-sample.ts';
import { mirrorSpectrum, type Size } from '../sampler/fourier.ts';
import { decodeRaster, encodeRaster } from '../sampler/raster.ts';
import { karrasLevels, layoutOf, type PlaneLayout, type Stopped } from '../sampler/samplers.ts';
import { type Texture, textureVariances } from '../sampler/texture.ts';
import { drawScene, SCENES } from '../scene/scene.ts';
import type { Style } from '../scene/traits.ts';

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

export const TEXTURES: { readonly [K in Style]: Texture } = {
  realistic: { luma: 0.065, chroma: 0.012, knee: 6 },
  anime: { luma: 0.035, chroma: 0.008, knee: 10 },
};

/** The same generation gives the same pixels. Throws SamplingStopped. */
export async function sampleImage(generation: Generation, stopped: Stopped): Promise<Image> {
  const size = RATIOS[generation.ratio];
  const layout = layoutOf(size);
  const means = await sceneSpectra(generation, layout);
  const mixture = { layout, means, variances: textureVariances(TEXTURES[generation.style], layout) };
  const { state, evaluations } = drawSample(mixture, METHODS[generation.model], generation.seed, stopped);
  return { ...size, rgb: decodeRaster(state, layout), evaluations };
}

/** The scenes of the prompt and their mirror images. */
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
