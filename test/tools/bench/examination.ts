import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import sharp from 'sharp';
import { examineRun } from '../../../src/examine/examine.ts';
import { EXAMINE_LIMITS_MS } from '../../../src/examine/examiners.ts';
import type { Sample } from '../../../src/record/journal.ts';
import type { Run } from '../../../src/record/run.ts';
import { createRecord } from '../../../src/record/store.ts';
import { buildOk } from '../../fixtures/stored-run-builder.ts';
import type { Row } from './figures.ts';
import { scratchFolder } from './scratch.ts';

const SIDE = 1024;

/** What it takes to examine images of 1024 x 1024, two of a cell with one bit between them and one given twice. */
export async function examinationRows(images: number): Promise<readonly Row[]> {
  const record = createRecord(scratchFolder(), { format: 1, id: 'examined', suite: { name: 'bench' } } as Run);
  const samples: Sample[] = [];
  for (let cell = 0; cell < images / 2; cell += 1) {
    const pixels = painted(cell);
    const first = await png(pixels);
    pixels[3 * cell] = (pixels[3 * cell] ?? 0) ^ 1;
    const second = await png(pixels);
    const digests = [first, second, first].map((bytes) => record.keepMedia(bytes, 'png'));
    for (const [take, sha256] of digests.entries()) {
      const sample = buildOk(100, '', { trial: { seed: cell + 1, repeat: take + 1 } });
      if (sample.outcome !== 'ok') throw new Error('not ok');
      samples.push({ ...sample, outputs: [{ ...sample.outputs[0], sha256, bytes: first.length }] });
    }
  }
  record.close();
  let peakChildMb = 0;
  let lastMs = performance.now();
  let outputsMs = 0;
  const begunMs = lastMs;
  const workers = availableParallelism();
  const { found } = await examineRun(
    record.folder,
    { run: { variants: [] }, samples, facts: [] },
    {
      workers,
      timeLimitMs: EXAMINE_LIMITS_MS,
      signal: new AbortController().signal,
      progress: (done) => {
        lastMs = performance.now();
        if (done === images) outputsMs = lastMs - begunMs;
        if (done % 20 === 0) peakChildMb = Math.max(peakChildMb, ...peaksOfChildren());
      },
    },
  );
  const pairs = found.filter((fact) => fact.fact === 'pair').length;
  const what = `${images.toLocaleString('en')} images of ${SIDE} x ${SIDE}, ${workers} processes`;
  return [
    {
      what: `examining ${what} (${samples.length} samples: equal outputs are decoded once)`,
      measured: `${(outputsMs / 1000).toFixed(1)} s, ${((workers * outputsMs) / images).toFixed(0)} ms of a process each; ${found.length - pairs} examined`,
      bar: 'none: reported',
    },
    {
      what: `comparing ${pairs} pairs of them (decoded, PSNR, SSIM, PDQ)`,
      measured: `${((lastMs - begunMs - outputsMs) / 1000).toFixed(1)} s, ${((workers * (lastMs - begunMs - outputsMs)) / pairs).toFixed(0)} ms of a process each`,
      bar: 'none: reported',
    },
    {
      what: 'memory meanwhile: this process, and the largest of those that decode',
      measured: `${(process.memoryUsage.rss() / 1e6).toFixed(0)} MB, ${peakChildMb === 0 ? 'not told by this system' : `${peakChildMb.toFixed(0)} MB at most`}`,
      bar: 'none: reported',
    },
  ];
}

/** Slopes with grain: compresses as a photograph does, more or less. */
function painted(seed: number): Uint8Array {
  const pixels = new Uint8Array(3 * SIDE * SIDE);
  let state = seed * 2654435761 + 1;
  for (let at = 0; at < pixels.length; at += 1) {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    const place = Math.floor(at / 3);
    pixels[at] = ((place % SIDE) / 5 + place / SIDE / 9 + 40 * (at % 3) + ((state >>> 28) & 7)) & 255;
  }
  return pixels;
}

function png(pixels: Uint8Array): Promise<Buffer> {
  return sharp(pixels, { raw: { width: SIDE, height: SIDE, channels: 3 } })
    .png({ compressionLevel: 3 })
    .toBuffer();
}

/** Largest resident memory so far of each child process, in MB, where /proc tells. */
function peaksOfChildren(): number[] {
  const children = `/proc/${process.pid}/task/${process.pid}/children`;
  if (!existsSync(children)) return [];
  return readFileSync(children, 'utf8')
    .split(' ')
    .filter((pid) => pid !== '' && existsSync(`/proc/${pid}/status`))
    .map((pid) => Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1000);
}
