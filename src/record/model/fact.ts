import type { Difference } from '../../media/compare/difference.ts';
import type { DecodeFault, MissingDecoder } from '../../media/decode-fault.ts';
import type { ImageIntegrity } from '../../media/signals/integrity.ts';
import type { VideoSignals } from '../../media/signals/video-signals.ts';

/** What an output's bytes are, or how two outputs differ; found by examination, made again from the media when missing. */
export type Fact = OutputFact | PairFact;

/** One line of facts.jsonl about one digest. */
export type OutputFact = {
  readonly fact: 'output';
  readonly sha256: string;
  readonly bytes: number;
  /** What the bytes are, by sniffing. */
  readonly mime: string | null;
} & (DecodedOutput | UndecodableOutput | UnexaminedOutput);

export interface DecodedOutput {
  readonly decodes: true;
  readonly width: number;
  readonly height: number;
  /** Images in it: 1 for a still. */
  readonly frames: number;
  /** Whether thumbs/<sha256>.webp was written: of a video, its first frame. */
  readonly thumbnail: boolean;
  /** Null of an image. */
  readonly video: VideoFact | null;
  readonly shown: ShownFact;
}

/** What an output shows, whatever its metadata and compression are. */
export interface ShownFact {
  /** Equal where all pixels are, with size, depth, alpha and, of several frames, their times. */
  readonly pixelSha256: string;
  /** SHA-256 without metadata; null where the format is not PNG, JPEG or MP4, or the file cannot be walked through. */
  readonly strippedSha256: string | null;
  /** Perceptual hash of the first frame, 64 hexadecimal digits, and its quality, 0 to 100. */
  readonly pdq: string;
  readonly pdqQuality: number;
  /** Nothing is to be seen on it, in any frame: what a safety filter hands out. */
  readonly blank: boolean;
  /** What is measured of its first frame without a model. Never its quality. */
  readonly first: ImageIntegrity;
  /** What is measured of a video's frames; null for an image. */
  readonly moving: VideoSignals | null;
}

export interface VideoFact {
  /** Frames a second, on average. Null, as the duration, for a single frame without either. */
  readonly fps: number | null;
  readonly durationS: number | null;
  /** FFmpeg's names: `h264`, `yuv420p`. */
  readonly codec: string;
  readonly pixelFormat: string;
  /** SHA-256 over the MD5 of each decoded frame, in the order shown, each as hex and a line feed. */
  readonly framesSha256: string;
  /** Whether thumbs/<sha256>.mp4 was written. */
  readonly preview: boolean;
}

export interface UndecodableOutput {
  readonly decodes: false;
  readonly reason: UndecodableReason;
}

/** Why an output does not decode: what is wrong with its bytes, or that they take too long. */
export type UndecodableReason = DecodeFault | { readonly code: 'digest_changed' | 'unknown_format' } | DecoderTimeout;

/** The process of a decoder was killed when its time was up. */
export type DecoderTimeout = { readonly code: 'timed_out'; readonly limitMs: number };

/** The process of a decoder died, and so did a fresh one: on what it was given, or because this machine ended it, as where memory is short. */
export type DecoderDied = { readonly code: 'decoder_died' };

/**
 * A medium there was no decoder for, or whose decoder died: only its bytes are compared, and nothing is held against the service, until it
 * is examined where there is one.
 */
export interface UnexaminedOutput {
  readonly decodes: null;
  readonly reason: UnexaminedReason;
}

export type UnexaminedReason = MissingDecoder | DecoderDied;

/** One line of facts.jsonl about two digests whose pixels differ. */
export type PairFact = {
  readonly fact: 'pair';
  /** In ascending order of their digits. */
  readonly a: string;
  readonly b: string;
} & (ComparedPair | UncomparedPair);

export interface ComparedPair {
  readonly compared: true;
  readonly difference: Difference;
}

/** Two outputs that could not be compared: one was pruned, or its decoder died or ran out of time. */
export interface UncomparedPair {
  readonly compared: false;
  readonly reason: UncomparedReason;
}

/** Why two outputs that decoded when they were examined could not be compared. `detail` is the text of an unforeseen error. */
export type UncomparedReason =
  | { readonly code: 'media_missing' | 'no_longer_decodes' }
  | { readonly code: 'failed'; readonly detail: string }
  | DecodeFault
  | MissingDecoder
  | DecoderTimeout
  | DecoderDied;

/** Two digests in the order that a pair fact names them. */
export function orderedPair(one: string, other: string): readonly [a: string, b: string] {
  return one < other ? [one, other] : [other, one];
}
