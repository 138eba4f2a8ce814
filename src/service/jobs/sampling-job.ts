import type { Generation, VideoGeneration } from '../forms/generation.ts';
import type { PixelChanges } from '../rendering/pixel-changes.ts';

/** One image or video for a worker to make. */
export interface SamplingJob {
  readonly work:
    | { readonly kind: 'image'; readonly generation: Generation }
    | { readonly kind: 'video'; readonly generation: VideoGeneration };
  readonly changes: PixelChanges;
  /** So many times as long as it takes its worker is occupied. */
  readonly slowdown: number;
  /** The worker is to die of it. */
  readonly crash: boolean;
}

/** A job as sent to a worker. */
export interface JobMessage extends SamplingJob {
  readonly id: number;
  /** How many others were waiting or being sampled when this one's turn came. */
  readonly concurrent: number;
  /** One 32-bit integer; it becomes 1 when nobody waits for it any more. */
  readonly stop: SharedArrayBuffer;
}

/** What a worker says: that it has started, or what became of a job. */
export type WorkerMessage =
  | { readonly is: 'ready' }
  | { readonly is: 'made'; readonly id: number; readonly made: Made }
  | { readonly is: 'stopped'; readonly id: number }
  | { readonly is: 'failed'; readonly id: number; readonly message: string };

/** An image or video, and what it took. */
export interface Made {
  /** PNG or MP4. */
  readonly media: Uint8Array;
  /** A video's first frame, as WebP. */
  readonly thumbnail: Uint8Array | null;
  readonly evaluations: number;
  /** Milliseconds in the worker: drawing, sampling, encoding, and what a slowdown adds. The time in the queue is not in it. */
  readonly inferenceMs: number;
  readonly concurrent: number;
}
