import type { RunVariant } from '../../record/model/run.ts';
import type { ProbeKind } from '../../suite/format/suite.ts';
import type { CacheFinding, LoadFinding, ProbeReason, SeedFinding } from '../probes/probe-finding.ts';

/** What a probe of a variant found that bends numbers, or that its target says otherwise; or why it found nothing. */
export type ProbeWarning =
  | { readonly code: 'served_from_cache'; readonly variant: string; readonly cache: CacheFinding }
  | {
      readonly code: 'seed_ignored' | 'seed_unstable' | 'seed_similar';
      readonly variant: string;
      readonly claim: RunVariant['seedClaim'];
      readonly seed: SeedFinding;
    }
  /** The target says the other of the two. */
  | { readonly code: 'omitted_seed_constant' | 'omitted_seed_random'; readonly variant: string }
  | {
      readonly code: 'batch_dependent';
      readonly variant: string;
      readonly concurrency: number;
      readonly load: LoadFinding;
    }
  | {
      readonly code: 'probe_not_testable';
      readonly variant: string;
      readonly probe: ProbeKind;
      readonly reason: ProbeReason;
    }
  | {
      readonly code: 'probe_left_out';
      readonly probe: ProbeKind;
      /** Left out; else tested in part. */
      readonly whole: boolean;
      readonly variants: readonly string[];
      readonly reason: ProbeReason;
    };
