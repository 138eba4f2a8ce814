import type { Warning } from './coded-warning.ts';
import type { LateVariant } from './harness-warning.ts';

/** Too many of their takes were timestamped late. Where p50 is not shown to be the same without them, it is void. */
export function lateVariants(warnings: readonly Warning[]): readonly LateVariant[] {
  return warnings.flatMap((warning) => (warning.code === 'too_many_late_stamps' ? warning.variants : []));
}

/** The names of those whose latencies are not to be used. */
export function voidVariants(warnings: readonly Warning[]): ReadonlySet<string> {
  const isVoid = lateVariants(warnings).filter(({ agree }) => agree !== true);
  return new Set(isVoid.map(({ variant }) => variant));
}
