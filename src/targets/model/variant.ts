import type { LevelLimits } from '../../media/compare/level-limits.ts';
import type { JsonObject } from '../../suite/document/json.ts';
import type { Kind } from '../../suite/format/kind.ts';
import type { Price } from '../../suite/format/load.ts';
import type { ValueTemplate } from '../language/render-template.ts';
import type { Origins } from './origins.ts';
import type { Target } from './target.ts';

/** A target with fixed constants: what is compared. */
export interface Variant {
  readonly name: string;
  /** Of a stored baseline's variant: the variant of this suite with its name; absent: this suite's own. */
  readonly twinOf?: string;
  readonly kind: Kind;
  /** One per kind. */
  readonly baseline: boolean;
  /** If it cannot be measured on this machine, the exit code ignores it. */
  readonly optional: boolean;
  readonly target: Target;
  /** The target's defaults, overridden by the variant's. */
  readonly constants: JsonObject;
  /** The suite's, else the target's: absolute without a slash at its end, or `embedded:`. */
  readonly baseUrl: string;
  /** The target's, and the suite's further download origins. */
  readonly origins: Origins;
  readonly price: Price | null;
  /** The most units that one request is charged; absent: by the target and its inputs. */
  readonly mostUnits?: ValueTemplate;
  readonly timeoutMs: number;
  /** Ends included. */
  readonly seedRange: { readonly min: number; readonly max: number };
  readonly levels: LevelLimits;
}
