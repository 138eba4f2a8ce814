import { parentPort } from 'node:worker_threads';
import sharp from 'sharp';
import { encodePng, samplePicture } from './picture.ts';
import { changePixels } from './pixel-changes.ts';
import { SamplingStopped } from './sampler/samplers.ts';
import type { JobMessage, WorkerMessage } from './sampling-job.ts';

/** A worker thread: makes one picture after another, as it is told. */

// One worker stands for one accelerator: its drawing and encoding take one thread, and nothing is kept between pictures.
sharp.concurrency(1);
sharp.cache(false);

const port = parentPort;
if (port === null) throw new Error('this file is the inside of a worker thread');

const say = (message: WorkerMessage) => port.postMessage(message);

port.on('message', (job: JobMessage) => {
  if (job.crash) throw new Error('this job was declared to crash its worker');
  make(job).then(say, (error: unknown) => {
    if (error instanceof SamplingStopped) say({ is: 'stopped', id: job.id });
    else say({ is: 'failed', id: job.id, message: error instanceof Error ? error.message : String(error) });
  });
});

say({ is: 'ready' });

async function make({ id, generation, changes, company, stop }: JobMessage): Promise<WorkerMessage> {
  const flag = new Int32Array(stop);
  const began = performance.now();
  const picture = await samplePicture(generation, () => Atomics.load(flag, 0) === 1);
  changePixels(picture.rgb, changes, company);
  const png = await encodePng(picture);
  const inferenceMs = performance.now() - began;
  return { is: 'made', id, made: { png, evaluations: picture.evaluations, inferenceMs, company } };
}
