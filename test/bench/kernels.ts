import sharp from 'sharp';
import { Bench } from 'tinybench';
import { decodePicture } from '../../src/media/decode.ts';
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
  const bench = new Bench({ time: 500 });
  bench
    .add('interval of p95, n = 10,000', () => void quantileInterval(values, 95, 0.95))
    .add('Clopper-Pearson, 3 of 200', () => void clopperPearson(3, 200, 0.95))
    .add('decode and thumbnail, 512 x 512 PNG', async () => void (await decodePicture(png)));
  await bench.run();
  return bench.table();
}
