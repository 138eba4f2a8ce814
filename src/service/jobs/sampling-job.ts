import type { Generation, VideoGeneration } from '../forms/generation.ts';
import type { PixelChanges } from '../rendering/pixel-changes.ts';

export interface SamplingJob {
  readonly work:
    | { readonly kind: 'image'; readonly generation: Generation }
    | { readonly kind: 'video'; readonly generation: VideoGeneration };
  readonly changes: PixelChanges;
  readonly slowdown: number;
  readonly crash: boolean;
}

export interface JobMessage extends SamplingJob {
  readonly id: number;
  /** Others that waited or were sampled when its turn came. */
  readonly concurrent: number;
  /** One 32-bit integer; becomes 1 when nobody waits any more. */
  readonly stop: SharedArrayBuffer;
}

export type WorkerMessage =
  | { readonly is: 'ready' }
  | { readonly is: 'made'; readonly id: number; readonly made: Made }
  | { readonly is: 'stopped'; readonly id: number }
  | { readonly is: 'failed'; readonly id: number; readonly message: string };

export interface Made {
  /** PNG or MP4. */
  readonly media: Uint8Array;
  readonly evaluations: number;
  /** Milliseconds in the worker: drawing, sampling, encoding, and what a slowdown adds; without the queue. */
  readonly inferenceMs: number;
  /** The part of it for encoding, as a slowdown makes it. */
  readonly encodeMs: number;
  readonly concurrent: number;
}
