import type { Difference } from '../media/difference.ts';
import type { Level } from '../media/level.ts';
import type { UncomparedReason } from '../record/fact.ts';

export type PairDifference =
  /** `difference` is null where every pixel is the same. */
  | { readonly state: 'compared'; readonly level: Level; readonly difference: Difference | null }
  | { readonly state: 'uncompared'; readonly reason: UncomparedReason }
  /** One of them does not decode, or could not be decoded when it was examined. */
  | { readonly state: 'not_decoded' };
