import type { Metric } from '../../../analysis/measures/metric.ts';
import type { Kind } from '../../../suite/format/kind.ts';
import type { Load } from '../../../suite/format/load.ts';
import type { GateRule } from '../../../suite/format/rule.ts';
import type { ProbeKind, WrittenAs } from '../../../suite/format/suite.ts';
import type { GatedVariant } from '../rule-cases.ts';

export interface GatedSuite {
  readonly rules: readonly GateRule[];
  /** Variants that this machine leaves out are among them. */
  readonly variants: readonly (GatedVariant & { readonly timeoutMs: number })[];
  readonly prompts: readonly {
    readonly id: string;
    readonly tags: readonly string[];
    readonly kinds: readonly Kind[];
  }[];
  readonly load: Load;
  readonly repeats: number;
  readonly probes: readonly ProbeKind[];
  readonly metrics: readonly Metric[];
  /** How the bound of each rule was written; left out where that is not known. */
  readonly writtenAs?: readonly (WrittenAs | null)[];
}
