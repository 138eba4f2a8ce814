import type { Case } from '../suite/suite.ts';
import { refuseRequest } from '../targets/request.ts';
import type { Variant } from '../targets/target.ts';
import { casesOf } from './build-trial.ts';
import type { PlanInput } from './order/plan-input.ts';
import type { SkippedProbe, SkippedProbeReason } from './recorded-plan.ts';

/**
 * Pairs of a variant's cache probe. The signed rank test can reach one-sided 1 % from 7 pairs on; 10 find a cache that
 * is twice as fast if latencies vary by a fifth.
 */
export const CACHE_PAIRS = 10;

export const LOAD_TAKES = 3;

/** Seeds in the range per drawn seed, so that drawing ends soon. */
const ROOM = 4;

export function findSkippedProbes({
  variants,
  cases,
  seeds,
  load,
  probes,
}: Pick<PlanInput, 'variants' | 'cases' | 'seeds' | 'load' | 'probes'>): readonly SkippedProbe[] {
  return probes.flatMap((probe) =>
    variants.flatMap((variant): SkippedProbe[] => {
      const left = (reason: SkippedProbeReason | null, whole = true) =>
        reason === null ? [] : [{ probe, variant: variant.name, whole, reason }];
      const asked = casesOf(variant.kind, cases);
      if (probe === 'load') return left(nothingBeside(asked.length * seeds.length, load.concurrency));
      if (!takesSeed(variant)) return left({ code: 'no_seed' });
      const range = variant.seedRange.max - variant.seedRange.min + 1;
      if (probe === 'cache') {
        const needed = ROOM * (variants.length * (CACHE_PAIRS + 1) + seeds.length + load.warmup + 1);
        return left(range < needed ? { code: 'too_few_seeds', seeds: range } : null);
      }
      if (range <= seeds.length) return left({ code: 'no_spare_seed' });
      const [first] = asked;
      return left(first === undefined || omitsSeed(variant, first) ? null : { code: 'seed_required' }, false);
    }),
  );
}

export function takesSeed({ target }: Pick<Variant, 'target'>): boolean {
  return target.uses.case.includes('seed');
}

export function omitsSeed(variant: Variant, oneCase: Case): boolean {
  return takesSeed(variant) && refuseRequest(variant, { case: oneCase, seed: null }).length === 0;
}

function nothingBeside(cells: number, concurrency: number): SkippedProbeReason | null {
  if (concurrency === 1) return { code: 'concurrency_1' };
  return cells === 1 ? { code: 'one_cell' } : null;
}
