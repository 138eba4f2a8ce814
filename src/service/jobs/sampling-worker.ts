import { parentPort } from 'node:worker_threads';
import sharp from 'sharp';
import { FRAME_RATE } from '../forms/generation.ts';
import { openVideoEncoder } from '../rendering/encode-video.ts';
import { encodePng, sampleImage, sampleVideo } from '../rendering/image.ts';
import { changePixels } from '../rendering/pixel-changes.ts';
import { SamplingStopped } from '../sampler/samplers.ts';
import type { JobMessage, Made, WorkerMessage } from './sampling-job.ts';

// A worker stands for one accelerator: one thread, and nothing is kept between images.
sharp.concurrency(1);
sharp.cache(false);

const port = parentPort;
if (port === null) throw new Error('this file is the inside of a worker thread');

const say = (message: WorkerMessage) => port.postMessage(message);

port.on('message', (job: JobMessage | null) => {
  // Without a port the thread ends as soon as it has nothing left to do.
  if (job === null) return port.close();
  if (job.crash) throw new Error('this job was declared to crash its worker');
  make(job).then(say, (error: unknown) => {
    if (error instanceof SamplingStopped) say({ is: 'stopped', id: job.id });
    else say({ is: 'failed', id: job.id, message: error instanceof Error ? error.message : String(error) });
  });
});

say({ is: 'ready' });

let encoder: ReturnType<typeof openVideoEncoder> | null = null;

async function make(job: JobMessage): Promise<WorkerMessage> {
  const flag = new Int32Array(job.stop);
  const stopped = () => Atomics.load(flag, 0) === 1;
  const made = await makeMedia(job, stopped);
  const inferenceMs = occupyOn(made.inferenceMs, job.slowdown, stopped);
  const encodeMs = (made.encodeMs * inferenceMs) / made.inferenceMs;
  return { is: 'made', id: job.id, made: { ...made, inferenceMs, encodeMs } };
}

/**
 * Occupies the worker for a slowdown; gives the total time. It computes, because a sleeping thread gets more of a busy
 * processor afterwards, and would catch up.
 */
function occupyOn(tookMs: number, slowdown: number, stopped: () => boolean): number {
  const began = performance.now();
  const untilMs = began + tookMs * (slowdown - 1);
  while (performance.now() < untilMs) if (stopped()) throw new SamplingStopped();
  return tookMs + performance.now() - began;
}

async function makeMedia({ work, changes, concurrent }: JobMessage, stopped: () => boolean): Promise<Made> {
  if (work.kind === 'image') {
    const began = performance.now();
    const image = await sampleImage(work.generation, stopped);
    changePixels(image, changes, concurrent, work.generation.edit);
    const sampled = performance.now();
    const media = await encodePng(image);
    const ended = performance.now();
    const { evaluations } = image;
    const times = { inferenceMs: ended - began, encodeMs: ended - sampled };
    return { media, evaluations, ...times, concurrent };
  }
  encoder ??= openVideoEncoder();
  const opened = await encoder;
  if (opened === null) throw new Error('there is no video encoder');
  const began = performance.now();
  const video = await sampleVideo(work.generation, stopped);
  if (stopped()) throw new SamplingStopped();
  const sampled = performance.now();
  const media = opened.encode(video.frames, video, FRAME_RATE);
  const { evaluations } = video;
  const ended = performance.now();
  return { media, evaluations, inferenceMs: ended - began, encodeMs: ended - sampled, concurrent };
}
