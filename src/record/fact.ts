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
  /** Whether thumbs/<sha256>.webp was written. */
  readonly thumbnail: boolean;
}

export interface UndecodableOutput {
  readonly decodes: false;
  /** Why not, shortened. */
  readonly reason: string;
}

/** A medium this version has no decoder for: it is judged by its bytes alone. */
export interface UnexaminedOutput {
  readonly decodes: null;
  readonly reason: string;
}
