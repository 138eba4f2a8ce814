/** What a bound allows; an end that it leaves open is infinite. */
export interface AllowedRange {
  readonly low: number;
  readonly high: number;
}

/** How far a value is beyond what is allowed, past the end that it is closest to; below 0 if it is within. */
export function excess({ low, high }: AllowedRange, value: number): number {
  return Math.max(low - value, value - high);
}

export function isBeyond(allows: AllowedRange, value: number): boolean {
  return excess(allows, value) > 0;
}

/** Whether the end that a value is beyond, or closest to, is the lower one. */
export function isLow({ low, high }: AllowedRange, value: number): boolean {
  return low - value > value - high;
}

type End = keyof AllowedRange;

/** The ends that are not open. */
export function boundedEnds({ low, high }: AllowedRange): readonly End[] {
  return [...(low === -Infinity ? [] : ['low' as const]), ...(high === Infinity ? [] : ['high' as const])];
}

/** Null if both ends are bounded. */
export function onlyEnd(allows: AllowedRange): End | null {
  const [end = null, ...others] = boundedEnds(allows);
  return others.length === 0 ? end : null;
}
