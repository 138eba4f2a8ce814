import type { VariantSummary } from '../../../../analysis/analysis.ts';
import type { Markup } from '../../markup/markup.ts';

/** In small letters, the interval or why there is none. */
export interface Score {
  readonly value: Markup | string;
  readonly small: Markup | readonly Markup[] | string;
  /** Sorts the column; null sorts last. */
  readonly by: number | null;
}

export interface BoardColumn {
  readonly head: string;
  /** Where the style sheet has a class for it. */
  readonly room?: 'speed' | 'latency' | 'same';
  readonly score: (variant: VariantSummary) => Score;
  /** Stands below the rows, for what the column draws. */
  readonly scale?: Markup | null;
}
