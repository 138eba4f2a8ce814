import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { Bench } from 'tinybench';
import { analyse } from '../../src/analysis/analyse.ts';
import { METRICS } from '../../src/analysis/metrics.ts';
import { decodePicture } from '../../src/media/decode.ts';
import { html } from '../../src/report/html/html.ts';
import { clopperPearson } from '../../src/statistics/clopper-pearson.ts';
import { quantileInterval } from '../../src/statistics/quantile-interval.ts';
import { sortSample } from '../../src/statistics/sorted-sample.ts';
import { largeTelling, toldRun } from '../fixtures/told-run.ts';
import { compareThroughput } from './throughput.ts';

/*
 * npm run bench: what Retake costs, as ratios to a yardstick in the same run, beside the bars it is held to.
 * Nothing here passes or fails: a shared machine is no judge. The figures are printed and written as JSON.
 */

interface Row {
  readonly what: string;
  readonly measured: string;
  readonly bar: string;
}

const rows: Row[] = [];
const program = 'dist/main.js';

await throughputRows();
startUpRows();
analysisRows();
print();
await kernels();

async function throughputRows(): Promise<void> {
  const rounds = await compareThroughput(5);
  const perSecond = medianOf(rounds.map(({ raw, retake }) => retake.perSecond / raw.perSecond));
  const cpu = medianOf(rounds.map(({ raw, retake }) => retake.cpuMsPerRequest / raw.cpuMsPerRequest));
  const toWritten = medianOf(rounds.map(({ written, retake }) => retake.perSecond / written.perSecond));
  const rate = medianOf(rounds.map(({ retake }) => retake.perSecond));
  rows.push({
    what: 'throughput, 64 KiB bodies, 16 in flight, record and media kept, to a raw undici loop that hashes',
    measured: `${perSecond.toFixed(2)} x (${rate.toFixed(0)} / s)`,
    bar: '>= 0.6 x',
  });
  rows.push({
    what: 'the same, to that loop writing each body to a file',
    measured: `${toWritten.toFixed(2)} x`,
    bar: 'none: what the disk takes',
  });
  rows.push({ what: 'cpu per sample, to that loop', measured: `${cpu.toFixed(2)} x`, bar: '<= 2.5 x' });
}

function startUpRows(): void {
  const bare = medianOf(timesOf(['-e', '']));
  const help = medianOf(timesOf([program, '--help']));
  rows.push({
    what: 'start-up, retake --help',
    measured: `${help.toFixed(0)} ms (node alone ${bare.toFixed(0)} ms)`,
    bar: '<= 150 ms',
  });
  const folder = mkdtempSync(join(tmpdir(), 'retake-bench-'));
  const suite = join(folder, 'suite.yaml');
  writeFileSync(
    suite,
    'suite: 1\nname: bench\nvariants: { fast: { target: reference/text-to-image } }\nprompts: [a fox, a cat]\nseeds: { first: 0, count: 1000 }\nrepeats: 5\n',
  );
  const plan = medianOf(timesOf([program, 'plan', suite]));
  rmSync(folder, { recursive: true });
  rows.push({ what: 'start-up, retake plan of 10,000 trials', measured: `${plan.toFixed(0)} ms`, bar: '<= 1000 ms' });
}

function analysisRows(): void {
  const record = toldRun(largeTelling(10_000));
  const start = performance.now();
  const { analysis, samples } = analyse(record, METRICS);
  const analysed = performance.now();
  let bytes = 0;
  for (const { content } of html.render({ analysis, samples, thumbnail: () => null, preview: () => null })) {
    for (const piece of content as Iterable<string>) bytes += Buffer.byteLength(piece);
  }
  const rendered = performance.now();
  rows.push({ what: 'analysis of 10,000 samples', measured: `${(analysed - start).toFixed(0)} ms`, bar: '<= 5000 ms' });
  rows.push({
    what: 'HTML of 10,000 samples, without thumbnails',
    measured: `${(rendered - analysed).toFixed(0)} ms, ${(bytes / 1e6).toFixed(1)} MB`,
    bar: '<= 5000 ms, <= 10 MB',
  });
}

async function kernels(): Promise<void> {
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
  console.table(bench.table());
}

function print(): void {
  console.log(`node ${process.version}, ${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}`);
  console.table(rows.map(({ what, measured, bar }) => ({ what, measured, bar })));
  const path = join(tmpdir(), 'retake-bench.json');
  writeFileSync(path, `${JSON.stringify({ node: process.version, cpu: cpus()[0]?.model, rows }, null, 2)}\n`);
  console.log(`written to ${path}`);
}

function timesOf(args: readonly string[]): readonly number[] {
  return Array.from({ length: 9 }, () => {
    const start = performance.now();
    const { status } = spawnSync(process.execPath, args, { stdio: 'ignore' });
    if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}`);
    return performance.now() - start;
  });
}

function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
