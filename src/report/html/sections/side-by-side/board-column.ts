import type { VariantSummary } from '../../../../analysis/analysis.ts';
import type { Markup } from '../../markup/markup.ts';

/** What one cell of the table says: a value, and in small letters its interval, or why it has none. */
export interface Score {
  readonly value: Markup | string;
  readonly small: Markup | readonly Markup[] | string;
  /** What the column is sorted by; null sorts last. */
  readonly by: number | null;
}

export interface Column {
  readonly head: string;
  /** Where the style sheet has a class for it. */
  readonly room?: 'speed' | 'latency' | 'same';
  readonly score: (variant: VariantSummary) => Score;
  /** The scale of what the column draws, below its rows. */
  readonly scale?: Markup | null;
}
