import type { LevelLimits } from '../../media/compare/level-limits.ts';
import type { JsonObject } from '../../suite/document/json.ts';
import type { Kind } from '../../suite/format/kind.ts';
import type { Price } from '../../suite/format/load.ts';
import type { ValueTemplate } from '../language/render-template.ts';
import type { Origins } from './origins.ts';
import type { Target } from './target.ts';

/** A target with fixed constants: the thing that is compared. */
export interface Variant {
  readonly name: string;
  /** The variant of this suite that it is held beside, where it is the stored baseline's; absent: it is this suite's own. */
  readonly twinOf?: string;
  readonly kind: Kind;
  /** One per kind. */
  readonly baseline: boolean;
  /** Where this machine cannot measure it, the exit code does not say so. */
  readonly optional: boolean;
  readonly target: Target;
  /** The target's defaults, overridden by the variant's. */
  readonly constants: JsonObject;
  /** The suite's, else the target's: absolute without a slash at its end, or `embedded:`. */
  readonly baseUrl: string;
  /** The target's, and where media come from beside them. */
  readonly origins: Origins;
  readonly price: Price | null;
  /** The most units of the price that one request is charged; absent: what the target and the inputs say. */
  readonly mostUnits?: ValueTemplate;
  readonly timeoutMs: number;
  /** Both ends included. */
  readonly seedRange: { readonly min: number; readonly max: number };
  /** Where the levels between two of its outputs begin. */
  readonly levels: LevelLimits;
}
