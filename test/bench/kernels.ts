import sharp from 'sharp';
import { Bench } from 'tinybench';
import { pdq } from '../../src/media/compare/pdq.ts';
import { maxDifference, psnr } from '../../src/media/compare/psnr.ts';
import { ssim } from '../../src/media/compare/ssim.ts';
import { decodeImage } from '../../src/media/decode.ts';
import { lumaOf, type Pixels } from '../../src/media/pixels.ts';
import { clopperPearson } from '../../src/statistics/clopper-pearson.ts';
import { quantileInterval } from '../../src/statistics/quantile-interval.ts';
import { sortSample } from '../../src/statistics/sorted-sample.ts';

/** What the kernels take, as tinybench tables it. */
export async function kernelTable(): Promise<ReturnType<Bench['table']>> {
  const values = sortSample(Array.from({ length: 10_000 }, (_, at) => (at * 7919) % 10_007));
  const pixels = Buffer.alloc(512 * 512 * 3, 0).map((_, at) => (at * 2654435761) >>> 24);
  const png = await sharp(pixels, { raw: { width: 512, height: 512, channels: 3 } })
    .png()
    .toBuffer();
  const [a, b] = [speckled(1024, 1), speckled(1024, 2)];
  const [lumaA, lumaB] = [lumaOf(a), lumaOf(b)];
  const bench = new Bench({ time: 500 });
  bench
    .add('interval of p95, n = 10,000', () => void quantileInterval(values, 95, 0.95))
    .add('Clopper-Pearson, 3 of 200', () => void clopperPearson(3, 200, 0.95))
    .add('decode, 512 x 512 PNG', async () => void (await decodeImage(png)))
    .add('luma, 1024 x 1024', () => void lumaOf(a))
    .add('PSNR, 1024 x 1024 pair', () => void psnr(a, b))
    .add('largest difference, 1024 x 1024 pair', () => void maxDifference(a, b))
    .add('SSIM, 1024 x 1024 pair', () => void ssim(lumaA, lumaB))
    .add('SSIM made smaller, 1024 x 1024 pair', () => void ssim(lumaA, lumaB, { downsample: true }))
    .add('PDQ, 1024 x 1024', () => void pdq(lumaA));
  await bench.run();
  return bench.table();
}

/** A slope with noise on it: numbers as various as a photograph's. */
function speckled(side: number, seed: number): Pixels {
  const data = new Uint8Array(side * side * 3).map(
    (_, at) => ((at / 3) % side) / 8 + (Math.imul(at + seed, 2_654_435_761) >>> 25),
  );
  return { width: side, height: side, channels: 3, depth: 8, data };
}
