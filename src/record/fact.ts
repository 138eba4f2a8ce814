/** What an output's bytes are, found by examination; made again from the media when missing. */
export type Fact = OutputFact;

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
  /** Pictures in it: 1 for a still. */
  readonly frames: number;
  /** Whether thumbs/<sha256>.webp was written: of a video, its first frame. */
  readonly thumbnail: boolean;
  /** Of video only; absent, too, in what was written before video was decoded. */
  readonly video?: VideoFact;
}

export interface VideoFact {
  /** Frames a second, on average. Null, as the duration, for a single frame that nothing is told of. */
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
  /** Why not, shortened. */
  readonly reason: string;
}

/** A medium there was no decoder for: it is judged by its bytes alone, until it is examined where there is one. */
export interface UnexaminedOutput {
  readonly decodes: null;
  readonly reason: string;
}
