import type { Warning } from './coded-warning.ts';

/** Too many of their takes were timestamped late: p95 and small differences are not to be relied on. */
export function lateVariants(warnings: readonly Warning[]): ReadonlySet<string> {
  return new Set(listedIn(warnings).map(({ variant }) => variant));
}

/** Of these, those whose p50 is not shown to be the same without such takes: their latencies are not to be used. */
export function voidVariants(warnings: readonly Warning[]): ReadonlySet<string> {
  return new Set(
    listedIn(warnings)
      .filter(({ agree }) => agree !== true)
      .map(({ variant }) => variant),
  );
}

function listedIn(warnings: readonly Warning[]) {
  return warnings.flatMap((warning) => (warning.code === 'too_many_late_stamps' ? warning.variants : []));
}
