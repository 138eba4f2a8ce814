import sharp from 'sharp';
import { Bench } from 'tinybench';
import { maxDifference, psnr } from '../../../src/media/compare/psnr.ts';
import { fromAfar, ssim } from '../../../src/media/compare/ssim.ts';
import { decodeImage } from '../../../src/media/decode.ts';
import { pdq } from '../../../src/media/pdq.ts';
import { lumaOf, type Pixels } from '../../../src/media/pixels.ts';
import { changePoints } from '../../../src/statistics/change-points.ts';
import { intervalOf } from '../../../src/statistics/pair-test.ts';
import { quantileInterval, sortSample } from '../../../src/statistics/quantile.ts';
import { createRandom } from '../../../src/statistics/random.ts';
import { clopperPearson } from '../../../src/statistics/rate-interval.ts';
import { signedRankTest } from '../../../src/statistics/signed-rank.ts';
import { medianOf, type Row } from './figures.ts';

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
    .add('SSIM made smaller, 1024 x 1024 pair', () => void ssim(fromAfar(lumaA), fromAfar(lumaB)))
    .add('PDQ, 1024 x 1024', () => void pdq(lumaA));
  await bench.run();
  return bench.table();
}

/** What rank statistics of n numbers take, beside sorting n numbers: the least that any of them takes. */
export function rankStatisticRows(): readonly Row[] {
  const random = createRandom(1);
  const estimates = [2_000, 10_000].map((n) => {
    const values = Array.from({ length: n }, () => random.uniform() + random.uniform() - 1);
    const sortMs = tookMs(() => void sortSample(values));
    const estimateMs = tookMs(() => void intervalOf(signedRankTest(values), 0.95));
    return {
      what: `Hodges-Lehmann estimate and interval, n = ${n}`,
      measured: `${estimateMs.toFixed(1)} ms, ${(estimateMs / sortMs).toFixed(0)} x sorting`,
      bar: n === 2_000 ? '<= 100 ms' : 'about 5 x that of n = 2000',
    };
  });
  const steps = Array.from({ length: 200 }, (_, at) => random.uniform() + (at < 80 ? 0 : 1));
  const stepsMs = tookMs(() => void changePoints(steps, { alpha: 0.01 }));
  return [...estimates, { what: 'change points of 200 runs', measured: `${stepsMs.toFixed(0)} ms`, bar: '<= 1 s' }];
}

/** Median of nine calls, after one that compiles. */
function tookMs(call: () => void): number {
  call();
  const took = Array.from({ length: 9 }, () => {
    const startMs = performance.now();
    call();
    return performance.now() - startMs;
  });
  return medianOf(took);
}

/** A slope with noise on it: numbers as various as a photograph's. */
function speckled(side: number, seed: number): Pixels {
  const data = new Uint8Array(side * side * 3).map(
    (_, at) => ((at / 3) % side) / 8 + (Math.imul(at + seed, 2_654_435_761) >>> 25),
  );
  return { width: side, height: side, channels: 3, depth: 8, data };
}
