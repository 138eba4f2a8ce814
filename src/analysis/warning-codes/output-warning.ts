import type { UncomparedReason, UnexaminedReason } from '../../record/model/fact.ts';

/** What is to be known of outputs: not decoded, blank, of another size, flagged. */
export type OutputWarning = NotDecoded | NotCompared | BlankOutputs | OtherSize | FlaggedSamples;

/** Delivered outputs known by their bytes alone, all for one reason. */
export interface NotDecoded {
  readonly code: 'not_decoded';
  readonly variants: readonly string[];
  readonly outputs: number;
  readonly media: 'image' | 'video';
  /** Null: examination has not reached them. */
  readonly reason: UnexaminedReason | null;
}

/** Pairs of outputs that are not byte-identical and whose difference is not known, all for one reason. */
export interface NotCompared {
  readonly code: 'not_compared';
  readonly variants: readonly string[];
  readonly pairs: number;
  readonly reason: UncomparedReason;
}

/** Outputs that are ok and show one colour only: suspected moderation. */
export interface BlankOutputs {
  readonly code: 'blank_outputs';
  readonly variant: string;
  readonly outputs: number;
  readonly prompts: number;
  readonly media: 'image' | 'video';
}

/** Outputs of another size, or ratio, than their prompt asks for; the sizes are those of the first. */
export interface OtherSize {
  readonly code: 'other_size';
  readonly variant: string;
  readonly outputs: number;
  /** As the prompt has it: `1024x768` or `16:9`. */
  readonly asked: string;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}

/** Samples that carry a flag; none is removed for it. */
export interface FlaggedSamples {
  readonly code: 'flagged_samples';
  readonly flag: 'harness_lag' | 'resumed' | 'cached' | 'slowed';
  readonly variants: readonly string[];
  readonly samples: number;
  readonly blocks: number;
}
